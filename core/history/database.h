#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/run_log.h"
#include "core/history/history.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace sg::projects {
struct ProjectPaths;
}

namespace sg::history {

// A checkpoint database: a project's, or one that LangGraph made.
class Database {
public:
    enum class Access { ReadOnly, ReadWrite };
    // ReadWrite creates the file and its folder if they are missing.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access);
    // Opens a PostgreSQL database. file() is then sharedFile(address).
    static Result<std::unique_ptr<Database>> openShared(const std::string& address, Access access);

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    // Returns what to call it: the file, or the address without its password.
    [[nodiscard]] const std::string& name() const { return m_name; }
    checkpoint::CheckpointStore& store() { return *m_store; }
    checkpoint::RunLog& log() { return m_store->runLog(); }
    History& history() { return m_history; }

private:
    Database(std::filesystem::path file, std::string name,
             std::unique_ptr<checkpoint::CheckpointStore> store);

    std::filesystem::path m_file;
    std::string m_name;
    std::unique_ptr<checkpoint::CheckpointStore> m_store;
    History m_history;
};

// Tells whether a name given for a database is the address of one on a server, for openShared().
[[nodiscard]] bool isSharedAddress(std::string_view database);

// Returns the file on this machine that keeps what LangGraph's tables in PostgreSQL have no place for: runs,
// times, output, snapshots. Errc::InvalidArgument: this is no address; NotFound: this user has no data
// folder.
Result<std::filesystem::path> sharedFile(const std::string& address);

// Makes the project use another checkpoint database: a file, or an address of PostgreSQL; empty: its own.
// Nothing is opened. Errors: as sharedFile().
Result<void> chooseDatabase(projects::ProjectPaths& project, const std::string& database);

// Makes a project of a checkpoint database alone, without a graph, to be opened read-only. Errors: the same.
Result<projects::ProjectPaths> databaseAlone(const std::string& database);

} // namespace sg::history
