#include "core/datasets/dataset_consent.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/printable.h"

#include <sys/stat.h>

#include <cstdlib>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::datasets {
namespace {

constexpr std::size_t kMostSecret = 64U << 10;

// Links resolved: a folder "datasets" may be one to /home.
bool isInside(const fs::path& folder, const fs::path& project)
{
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(project / folder, failed);
    const fs::path root = fs::weakly_canonical(project, failed);
    const fs::path relative = real.lexically_relative(root);
    return !failed && !relative.empty() && *relative.begin() != "..";
}

} // namespace

DatasetConsent::DatasetConsent(fs::path file, fs::path project)
    : m_file(std::move(file))
    , m_project(std::move(project))
{
}

std::optional<std::string> DatasetConsent::risk(const DatasetSource& source) const
{
    switch (source.kind) {
    case DatasetSource::Kind::Command: {
        std::string line;
        for (const std::string& part : source.command)
            line += (line.empty() ? "" : " ") + part;
        return "runs a program on this machine: " + printableText(line);
    }
    case DatasetSource::Kind::Folder:
        if (!isInside(source.folder, m_project))
            return "reads " + printableText((m_project / source.folder).string())
                + ", a folder outside of the project";
        break;
    case DatasetSource::Kind::Http:
        if (!source.secret.empty())
            return "sends the secret " + source.secret + " to " + printableText(source.url);
        break;
    }
    return std::nullopt;
}

// What was allowed is this source in this project: any change of it asks again.
std::string DatasetConsent::mark(const DatasetSource& source) const
{
    std::error_code failed;
    return sha256Hex(fs::weakly_canonical(m_project, failed).string() + "\n" + toJson(source.written));
}

bool DatasetConsent::isAllowed(const DatasetSource& source) const
{
    if (!risk(source))
        return true;
    std::error_code failed;
    if (m_file.empty() || !fs::exists(m_file, failed))
        return false;
    const auto text = readFile(m_file, 16U << 20);
    return text && ("\n" + *text).find("\n" + mark(source) + "\n") != std::string::npos;
}

Result<void> DatasetConsent::allow(const DatasetSource& source)
{
    if (isAllowed(source))
        return {};
    if (m_file.empty())
        return Error{ Errc::Unavailable,
                      "there is no place to note it: neither HOME nor XDG_DATA_HOME is set" };
    std::error_code failed;
    fs::create_directories(m_file.parent_path(), failed);
    std::string text;
    if (fs::exists(m_file, failed)) {
        auto before = readFile(m_file, 16U << 20);
        if (!before)
            return std::move(before.error());
        text = std::move(*before);
    }
    return writeFileAtomically(m_file, text + mark(source) + "\n");
}

Result<std::string> readSecret(const fs::path& folder, const std::string& name)
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment
    if (const char* value = std::getenv(name.c_str()); value != nullptr && *value != '\0')
        return std::string(value);
    const fs::path file = folder / name;
    struct stat state { };
    if (::lstat(file.c_str(), &state) != 0)
        return Error{ Errc::NotFound,
                      "the secret " + name + " is neither in the environment nor in " + file.string() };
    if (!S_ISREG(state.st_mode) || (state.st_mode & 077U) != 0)
        return Error{ Errc::PermissionDenied,
                      "others can read " + file.string() + ": chmod 600 it, and use a new secret" };
    auto text = readFile(file, kMostSecret);
    if (!text)
        return text;
    while (!text->empty() && (text->back() == '\n' || text->back() == '\r'))
        text->pop_back();
    return text;
}

} // namespace sg::datasets
