#include "core/sandbox/e2b/remote_records.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/sandbox/e2b/connection.h"

#include <system_error>

namespace sg::sandbox::e2b {
namespace {

constexpr std::size_t kMostRecord = 65536;

std::string fileName(const std::string& connection, const std::string& session)
{
    return connection + '.' + session + ".json";
}

} // namespace

Result<void> RemoteRecords::write(const RemoteRecord& record) const
{
    if (m_folder.empty())
        return {};
    std::error_code failed; // if it fails, writing says so
    std::filesystem::create_directories(m_folder, failed);
    auto written = writeFileAtomically(m_folder / fileName(record.connection, record.session),
                                       toJson(Value::map({ { "connection", record.connection },
                                                           { "session", record.session },
                                                           { "project", record.project },
                                                           { "owner", record.owner } })));
    return written ? written : std::move(written.error()).during("note a sandbox elsewhere");
}

void RemoteRecords::remove(const std::string& connection, const std::string& session) const
{
    std::error_code failed;
    if (!m_folder.empty())
        std::filesystem::remove(m_folder / fileName(connection, session), failed);
}

std::vector<RemoteRecord> RemoteRecords::all() const
{
    std::vector<RemoteRecord> found;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(m_folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() != ".json")
            continue;
        const auto text = readFile(entry->path(), kMostRecord);
        const auto value = text ? parseJson(*text) : Result<Value>(text.error());
        if (!value || !value->isMap())
            continue;
        RemoteRecord record{ value->stringOr("connection", ""), value->stringOr("session", ""),
                             value->stringOr("project", ""), value->stringOr("owner", "") };
        if (isConnectionName(record.connection))
            found.push_back(std::move(record));
    }
    return found;
}

} // namespace sg::sandbox::e2b
