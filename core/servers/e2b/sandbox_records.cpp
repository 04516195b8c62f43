#include "core/servers/e2b/sandbox_records.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace sg::servers::e2b {
namespace {

constexpr std::size_t kMostFile = 1U << 20;

} // namespace

Result<void> SandboxRecords::save(const std::string& id, const Value& record) const
{
    if (m_folder.empty())
        return {};
    // Nobody else gets to the files in it, however they are made.
    if (::mkdir(m_folder.c_str(), 0700) != 0 && errno != EEXIST)
        return Error{ Errc::Io, m_folder.string() + " cannot be made" };
    return writeFileAtomically(file(id), toJson(record) + "\n");
}

void SandboxRecords::remove(const std::string& id) const
{
    std::error_code failed;
    if (!m_folder.empty())
        std::filesystem::remove(file(id), failed);
}

std::vector<Value> SandboxRecords::all() const
{
    std::vector<Value> found;
    std::error_code failed;
    if (m_folder.empty())
        return found;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder, failed)) {
        const std::filesystem::path& path = entry.path();
        if (path.extension() != ".json")
            continue;
        const auto text = readFile(path, kMostFile);
        auto record = text ? parseJson(*text) : Result<Value>(text.error());
        if (record && record->stringOr("id", "") == path.stem().string())
            found.push_back(std::move(*record));
        else
            logMessage(LogLevel::Warning, path.string() + " is no record of a sandbox, and is left as it is");
    }
    return found;
}

} // namespace sg::servers::e2b
