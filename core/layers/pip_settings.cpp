#include "core/layers/pip_settings.h"

#include "core/base/file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iterator>

namespace sg::layers {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostConfig = 1U << 20;
constexpr const char* kInside = "/opt/sandglass/pip";

enum class Kind { Text, Flag, Places, File };
struct Option {
    std::string_view name;
    Kind kind;
};
// These options say where packages come from; how they are installed is decided here.
constexpr std::array kOptions{
    Option{ "index-url", Kind::Places },
    Option{ "extra-index-url", Kind::Places },
    Option{ "find-links", Kind::Places },
    Option{ "constraint", Kind::Places },
    Option{ "no-index", Kind::Flag },
    Option{ "trusted-host", Kind::Text },
    Option{ "cert", Kind::File },
    Option{ "client-cert", Kind::File },
    Option{ "proxy", Kind::Text },
    Option{ "timeout", Kind::Text },
    Option{ "default-timeout", Kind::Text },
    Option{ "retries", Kind::Text },
    Option{ "pre", Kind::Flag },
    Option{ "prefer-binary", Kind::Flag },
};
constexpr std::array<std::string_view, 8> kProxies{ "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
                                                    "http_proxy", "https_proxy", "all_proxy", "no_proxy" };
constexpr std::array<std::string_view, 3> kCertificates{ "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE",
                                                         "CURL_CA_BUNDLE" };

std::string variableOf(std::string_view option)
{
    std::string name = "PIP_";
    for (const char c : option)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool isTrue(std::string value)
{
    std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
    return value == "1" || value == "true" || value == "yes" || value == "on" || value == "t" || value == "y";
}

std::vector<std::string> words(const std::string& text)
{
    std::vector<std::string> found;
    for (std::size_t begin = 0; (begin = text.find_first_not_of(" \t\r\n", begin)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
        found.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return found;
}

bool isAddress(std::string_view word)
{
    return word.find("://") != std::string_view::npos && !word.starts_with("file://");
}

// Tells whether pip has to reach another machine with these settings.
bool asksNetwork(const std::map<std::string, std::string>& chosen)
{
    const auto of = [&](const char* name) {
        const auto found = chosen.find(name);
        return found == chosen.end() ? std::string() : found->second;
    };
    const auto hasAddress = [&](const char* name) { return std::ranges::any_of(words(of(name)), isAddress); };
    const bool usesIndex = !isTrue(of("no-index"));
    return hasAddress("find-links") || hasAddress("constraint")
        || (usesIndex
            && (of("index-url").empty() || hasAddress("index-url") || hasAddress("extra-index-url")));
}

// Adds local places to the mounts and returns their names inside the sandbox.
class Mounting {
public:
    explicit Mounting(PipSettings& settings)
        : m_settings(settings)
    {
    }

    // Empty: it does not exist.
    std::string place(const std::string& word)
    {
        const bool isFileUrl = word.starts_with("file://");
        if (isAddress(word))
            return word;
        const std::string inside = mount(isFileUrl ? word.substr(7) : word);
        return inside.empty() || !isFileUrl ? inside : "file://" + inside;
    }

    std::string mount(const fs::path& path)
    {
        std::error_code failed;
        const fs::path real = fs::canonical(path, failed);
        if (failed)
            return {};
        const std::string target = std::string(kInside) + '/' + std::to_string(m_settings.mounts.size())
            + (fs::is_directory(real, failed) ? "" : '-' + real.filename().string());
        m_settings.mounts.push_back({ real, target, true });
        return target;
    }

private:
    PipSettings& m_settings;
};

std::vector<fs::path> configFiles(const Lookup& environment)
{
    const auto text = [&](const char* name) { return environment(name).value_or(""); };
    const fs::path chosen = text("PIP_CONFIG_FILE");
    if (chosen == "/dev/null") // tells pip to read no file
        return {};
    std::vector<fs::path> files{ "/etc/xdg/pip/pip.conf", "/etc/pip.conf" };
    const fs::path home = text("HOME");
    const fs::path config = text("XDG_CONFIG_HOME");
    if (home.is_absolute())
        files.push_back(home / ".pip/pip.conf");
    if (config.is_absolute() || home.is_absolute())
        files.push_back((config.is_absolute() ? config : home / ".config") / "pip/pip.conf");
    if (!chosen.empty())
        files.push_back(chosen);
    return files;
}

} // namespace

std::vector<std::string> remoteAddresses(const PipSettings& settings)
{
    std::vector<std::string> addresses;
    for (const char* name : { "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONSTRAINT" })
        if (const auto found = settings.environment.find(name); found != settings.environment.end())
            std::ranges::copy_if(words(found->second), std::back_inserter(addresses), isAddress);
    return addresses;
}

std::vector<std::string> trustedHosts(const PipSettings& settings)
{
    const auto found = settings.environment.find("PIP_TRUSTED_HOST");
    return found == settings.environment.end() ? std::vector<std::string>() : words(found->second);
}

std::vector<std::string> remoteHosts(const PipSettings& settings)
{
    std::vector<std::string> hosts;
    for (const std::string& address : remoteAddresses(settings)) {
        std::string host = address.substr(address.find("://") + 3);
        host = host.substr(0, host.find_first_of("/?#"));
        host = host.substr(host.rfind('@') + 1); // npos + 1 is 0
        if (std::ranges::find(hosts, host) == hosts.end())
            hosts.push_back(std::move(host));
    }
    return hosts;
}

std::map<std::string, std::string> readPipConfig(std::string_view text)
{
    std::map<std::string, std::string> global;
    std::map<std::string, std::string> install;
    std::map<std::string, std::string>* section = nullptr;
    std::string* value = nullptr;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string_view content = trimmed(line);
        if (content.empty() || content.front() == '#' || content.front() == ';')
            continue;
        if ((line.front() == ' ' || line.front() == '\t') && value != nullptr) {
            *value += (value->empty() ? "" : " ") + std::string(content);
            continue;
        }
        value = nullptr;
        if (content.front() == '[') {
            section = content == "[global]" ? &global : content == "[install]" ? &install : nullptr;
            continue;
        }
        const std::size_t sign = content.find_first_of("=:");
        if (section == nullptr || sign == std::string_view::npos)
            continue;
        std::string name(trimmed(content.substr(0, sign)));
        std::ranges::replace(name, '_', '-');
        value = &(*section)[name];
        *value = trimmed(content.substr(sign + 1));
    }
    install.merge(global);
    return install;
}

PipSettings pipSettings(const Lookup& environment)
{
    std::map<std::string, std::string> chosen;
    for (const fs::path& file : configFiles(environment))
        if (const auto text = readFile(file, kMostConfig))
            for (auto& [name, value] : readPipConfig(*text))
                chosen[name] = value;
    PipSettings settings;
    Mounting mounting(settings);
    for (const Option& option : kOptions) {
        const std::string variable = variableOf(option.name);
        if (const auto value = environment(variable))
            chosen[std::string(option.name)] = *value;
        const auto found = chosen.find(std::string(option.name));
        if (found == chosen.end() || trimmed(found->second).empty())
            continue;
        std::string value = found->second;
        if (option.kind == Kind::File) {
            value = mounting.mount(value);
        } else if (option.kind == Kind::Places) {
            std::string places;
            for (const std::string& word : words(value))
                if (const std::string place = mounting.place(word); !place.empty())
                    places += (places.empty() ? "" : " ") + place;
            value = std::move(places);
        }
        if (!value.empty())
            settings.environment[variable] = std::move(value);
    }
    settings.usesNetwork = asksNetwork(chosen);
    for (const std::string_view name : kProxies)
        if (const auto value = environment(std::string(name)); value && !value->empty())
            settings.environment[std::string(name)] = *value;
    for (const std::string_view name : kCertificates)
        if (const auto value = environment(std::string(name)); value && !value->empty())
            if (std::string inside = mounting.mount(*value); !inside.empty())
                settings.environment[std::string(name)] = std::move(inside);
    return settings;
}

} // namespace sg::layers
