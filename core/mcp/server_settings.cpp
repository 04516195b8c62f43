#include "core/mcp/server_settings.h"

#include "core/base/printable.h"
#include "core/base/relative_path.h"
#include "core/settings/secret.h"

#include <algorithm>

namespace sg::mcp {
namespace {

constexpr double kLongestSeconds = 24.0 * 3600;

bool isServerName(std::string_view name)
{
    return !name.empty() && name.size() <= 32 && std::ranges::all_of(name, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')
            || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
    });
}

// Reads the keys of one entry; the first wrong one is its error.
class EntryReader {
public:
    EntryReader(std::string name, const Value& entry)
        : m_entry(entry)
    {
        m_made.name = std::move(name);
        m_made.written = entry;
    }

    Result<ServerSettings> read()
    {
        if (!isServerName(m_made.name))
            return Error{ Errc::InvalidArgument,
                          "\"mcp\": a server's name has letters, digits, \"-\" and \"_\", at most 32; not \""
                              + m_made.name + "\"" };
        if (!m_entry.isMap())
            return wrong("is an object with \"command\" or \"url\"");
        readProgram();
        readAddress();
        m_made.tools = texts("tools");
        if (const Value* seconds = m_entry.find("timeout_s")) {
            if (!seconds->isNumber() || !(seconds->asDouble() > 0 && seconds->asDouble() <= kLongestSeconds))
                fail("\"timeout_s\" must be a number of seconds above 0");
            else
                m_made.timeout = std::chrono::milliseconds(
                    static_cast<std::int64_t>(std::max(1.0, seconds->asDouble() * 1000)));
        }
        if (m_error.empty() && m_made.command.empty() == m_made.url.empty())
            fail("needs either \"command\", a program, or \"url\", an address");
        if (!m_error.empty())
            return wrong(m_error);
        return std::move(m_made);
    }

private:
    void readProgram()
    {
        if (const Value* command = m_entry.find("command")) {
            if (command->isString() && !command->asString().empty())
                m_made.command = { command->asString() };
            else if (command->isList())
                m_made.command = texts("command");
            else
                fail("\"command\" must be a program's name");
        }
        const std::vector<std::string> more = texts("args");
        if (!more.empty() && m_made.command.empty())
            fail("has \"args\", but no \"command\"");
        m_made.command.insert(m_made.command.end(), more.begin(), more.end());
        m_made.environment = pairs("env");
        m_made.files = text("files");
        if (!m_made.files.empty() && !RelativePath::parse(m_made.files))
            fail("\"files\" must be a folder below the graph's");
        m_made.requirements = texts("requirements");
        std::ranges::sort(m_made.requirements);
        if (const Value* outside = m_entry.find("outside")) {
            if (!outside->isBool())
                fail("\"outside\" must be true or false");
            else
                m_made.outside = outside->asBool();
        }
    }

    void readAddress()
    {
        m_made.url = text("url");
        if (!m_made.url.empty() && !m_made.url.starts_with("http://") && !m_made.url.starts_with("https://"))
            fail("\"url\" begins with http:// or https://");
        if (m_made.url.find('@') != std::string::npos)
            fail("a password does not belong into \"url\": name a secret in \"secret\"");
        m_made.headers = pairs("headers");
        for (const auto& [name, value] : m_made.headers)
            if (name.empty() || (name + value).find_first_of("\r\n") != std::string::npos
                || name.find_first_of(": ") != std::string::npos)
                fail("has a header that cannot be sent");
        m_made.secret = text("secret");
        if (!m_made.secret.empty() && !settings::isSecretName(m_made.secret))
            fail("\"secret\" must be a secret's name");
        const auto isMeant = [](const auto& pair) {
            return pair.second.find("{secret}") != std::string::npos;
        };
        if (m_made.secret.empty()
            && (std::ranges::any_of(m_made.headers, isMeant)
                || std::ranges::any_of(m_made.environment, isMeant)))
            fail("says {secret}, but names none in \"secret\"");
    }

    std::string text(const char* key)
    {
        const Value* value = m_entry.find(key);
        if (value == nullptr || value->isNull())
            return {};
        if (value->isString())
            return value->asString();
        fail("\"" + std::string(key) + "\" must be text");
        return {};
    }

    std::vector<std::string> texts(const char* key)
    {
        const Value* value = m_entry.find(key);
        std::vector<std::string> made;
        if (value == nullptr || value->isNull())
            return made;
        if (!value->isList() || !std::ranges::all_of(value->asList(), &Value::isString))
            fail("\"" + std::string(key) + "\" must be a list of texts");
        else
            for (const Value& each : value->asList())
                made.push_back(each.asString());
        return made;
    }

    std::vector<std::pair<std::string, std::string>> pairs(const char* key)
    {
        const Value* value = m_entry.find(key);
        std::vector<std::pair<std::string, std::string>> made;
        if (value == nullptr || value->isNull())
            return made;
        if (!value->isMap()) {
            fail("\"" + std::string(key) + "\" must be an object of texts");
            return made;
        }
        for (const auto& [name, each] : value->asMap())
            if (name.isString() && each.isString())
                made.emplace_back(name.asString(), each.asString());
            else
                fail("\"" + std::string(key) + "\" must be an object of texts");
        return made;
    }

    void fail(std::string what)
    {
        if (m_error.empty())
            m_error = std::move(what);
    }
    [[nodiscard]] Error wrong(const std::string& what) const
    {
        return { Errc::InvalidArgument, "\"mcp\": the server \"" + m_made.name + "\": " + what };
    }

    const Value& m_entry;
    ServerSettings m_made;
    std::string m_error;
};

} // namespace

std::string ServerSettings::risk() const
{
    if (!url.empty())
        return "asks " + printableText(url)
            + (secret.empty() ? "" : ", and shows it the secret " + printableText(secret));
    if (outside) {
        std::string line;
        for (const std::string& word : command)
            line += (line.empty() ? "" : " ") + word;
        return "runs a program on this machine, outside of any sandbox: " + printableText(line)
            + (secret.empty() ? "" : ", with the secret " + printableText(secret));
    }
    return secret.empty() ? std::string()
                          : "gives a program in a sandbox the secret " + printableText(secret);
}

Result<std::vector<ServerSettings>> readServers(const Value& mcp)
{
    std::vector<ServerSettings> servers;
    if (mcp.isNull())
        return servers;
    if (!mcp.isMap())
        return Error{ Errc::InvalidArgument, "\"mcp\" is an object: a server's name → its settings" };
    if (mcp.asMap().size() > kMostServers)
        return Error{ Errc::LimitExceeded,
                      "\"mcp\" names " + std::to_string(mcp.asMap().size()) + " servers; there may be "
                          + std::to_string(kMostServers) };
    for (const auto& [name, entry] : mcp.asMap()) {
        if (!name.isString() || name.asString().starts_with("x-"))
            continue;
        auto server = EntryReader(name.asString(), entry).read();
        if (!server)
            return std::move(server.error());
        servers.push_back(std::move(*server));
    }
    return servers;
}

} // namespace sg::mcp
