#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/postgres/pg_rows.h"
#include "core/checkpoint/sqlite/checkpoint_file.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::checkpoint {

// Keeps copies of threads in this machine's own file, in the form of LangGraph's SqliteSaver, for the readers
// that go through the file itself. They are never written from: PostgreSQL has the threads. Any thread.
class PgMirror {
public:
    using Ask = std::function<Result<postgres::Rows>(const postgres::Statement&)>;
    PgMirror(std::filesystem::path file, Ask ask)
        : m_path(std::move(file))
        , m_ask(std::move(ask))
    {
    }
    // Makes the copy equal to the thread as it is now; what has not changed is not read again.
    Result<void> bring(const std::optional<ThreadId>& thread);

private:
    using Place = std::pair<std::string, std::string>; // namespace, checkpoint
    using Stamps = std::map<Place, std::string>; // what changes with each change of the checkpoint's rows

    Result<void> open();
    Result<void> bringOne(const ThreadId& thread);
    Result<Stamps> stampsThere(const ThreadId& thread);
    Result<Stamps> stampsHere(const ThreadId& thread);
    // Returns how many to copy next.
    Result<std::int64_t> copy(const ThreadId& thread, const std::string& ns,
                              const std::vector<std::string>& ids, const Stamps& stamps);
    Result<std::vector<std::string>> threads();

    const std::filesystem::path m_path;
    const Ask m_ask;
    std::mutex m_mutex;
    std::unique_ptr<CheckpointFile> m_file; // guarded by m_mutex; null before the first use
};

} // namespace sg::checkpoint
