#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

struct sqlite3_vfs;

namespace sg::fault {

// A file has bytes that stand on the disk for certain, and bytes that were written since and not yet synced.
struct DiskFile {
    struct Change {
        enum class Kind { Write, Truncate, Remove };
        Kind kind = Kind::Write;
        std::int64_t offset = 0; // Truncate: the new size
        std::string bytes;
    };
    std::optional<std::string> synced; // nullopt: no such file
    std::vector<Change> changes;

    void sync(); // all changes have reached the disk
    void syncRemoval(); // what stood there before it was deleted does not come back
    // One of the contents that a power cut may leave: each sector of each change has reached the disk or not,
    // in any order, the newest one may be garbage. nullopt: no file.
    [[nodiscard]] std::optional<std::string> afterPowerCut(std::mt19937_64& random) const;
};

enum class DiskFault {
    Full, // SQLITE_FULL at a write
    WriteError,
    SyncError,
    ReadError,
    PowerCut, // from there on everything fails and nothing reaches the disk
};

// While it lives, the process's SQLite works on this disk: a VFS on top of SQLite's own that counts what is
// done, remembers what is not synced, and fails when it is told to. Connections must be closed before it
// goes. Any thread.
class UnreliableDisk {
public:
    // Logs are written back after so many pages, for more to go wrong.
    explicit UnreliableDisk(int checkpointPages = 20);
    ~UnreliableDisk();
    UnreliableDisk(const UnreliableDisk&) = delete;
    UnreliableDisk& operator=(const UnreliableDisk&) = delete;

    // Fails at the n-th operation of the kind that the fault concerns (from 1; PowerCut: writes, truncations,
    // syncs and deletions), counted from now; once, or from then on.
    void failAt(std::int64_t n, DiskFault fault, bool forEver);
    void work(); // no fault from now on
    [[nodiscard]] bool hasFailed() const;
    [[nodiscard]] std::int64_t changes() const; // counted since the last failAt() or work()
    [[nodiscard]] std::int64_t reads() const;

    // The database, as a power cut now would leave it, with its log. True: there is any.
    bool writeImage(const std::filesystem::path& database, const std::filesystem::path& image,
                    std::mt19937_64& random) const;

    struct Vfs;

private:
    friend struct Vfs;
    std::unique_ptr<Vfs> m_vfs;
};

} // namespace sg::fault
