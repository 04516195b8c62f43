#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

// These functions write a thread's rows of a checkpoint database (checkpoints, writes, runs, their graphs,
// tasks, log, snapshots) to files, byte for byte, and read them into another database. A table is one file of
// rows: a length of 4 bytes, big-endian, and a MessagePack list of the columns. Text is a list that holds its
// bytes, a blob the bytes alone.
namespace sg::checkpoint {

// Writes the rows of one moment and returns their number by file. Tables without rows get a file, too.
Result<std::map<std::string, std::int64_t>> writeThreadRows(const std::filesystem::path& database,
                                                            const ThreadId& thread,
                                                            const std::filesystem::path& folder);

// Reads all rows or none, into a database that has its tables. Every row becomes one of `thread`; `runs` maps
// old run names to new ones. Errc::Exists: the thread exists; Corrupt: the files hold other rows.
Result<void> readThreadRows(const std::filesystem::path& database, const ThreadId& thread,
                            const std::map<std::string, std::string>& runs,
                            const std::filesystem::path& folder);

// Calls `take` with each row of such a file, a list as above. The first error of `take` ends it.
Result<void> eachThreadRow(const std::filesystem::path& file,
                           const std::function<Result<void>(const Value&)>& take);

// Returns the runs that the files hold.
Result<std::vector<RunId>> runsInRows(const std::filesystem::path& folder);
// Returns those of `runs` that the database has already.
Result<std::vector<RunId>> knownRuns(const std::filesystem::path& database, const std::vector<RunId>& runs);

} // namespace sg::checkpoint
