#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/run_log.h"
#include "core/history/history.h"

#include <filesystem>
#include <memory>

namespace sg::history {

// A checkpoint database: a project's, or one that LangGraph made.
class Database {
public:
    enum class Access { ReadOnly, ReadWrite };
    // ReadWrite creates the file and its folder if they are missing.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access);

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    checkpoint::CheckpointStore& store() { return *m_store; }
    checkpoint::RunLog& log() { return m_store->runLog(); }
    History& history() { return m_history; }

private:
    Database(std::filesystem::path file, std::unique_ptr<checkpoint::CheckpointStore> store);

    std::filesystem::path m_file;
    std::unique_ptr<checkpoint::CheckpointStore> m_store;
    History m_history;
};

} // namespace sg::history
