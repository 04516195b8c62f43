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

// A thread's rows of a checkpoint database (checkpoints, writes, runs, their graphs, tasks, log, snapshots)
// as files, byte for byte, and back into another database. One file a table: rows of 4 bytes big-endian
// length and a MessagePack list of the columns; text is a list that holds its bytes, a blob the bytes alone.
namespace sg::checkpoint {

// Names of the tables' files, without folder: "checkpoints.rows", …
const std::vector<std::string>& threadRowFiles();

// As they are at one moment. Rows by file; files of tables without rows are written, too.
Result<std::map<std::string, std::int64_t>> writeThreadRows(const std::filesystem::path& database,
                                                            const ThreadId& thread,
                                                            const std::filesystem::path& folder);

// All or none, into a database that has its tables. Every row becomes one of `thread`; runs get the names of
// `runs` where that has one. Errc::Exists: the thread is there; Corrupt: what stands in the files is no such
// row.
Result<void> readThreadRows(const std::filesystem::path& database, const ThreadId& thread,
                            const std::map<std::string, std::string>& runs,
                            const std::filesystem::path& folder);

// Each row of such a file: a list, as above. Ends with the first error of `take`.
Result<void> eachThreadRow(const std::filesystem::path& file,
                           const std::function<Result<void>(const Value&)>& take);

// The runs that the files tell of.
Result<std::vector<RunId>> runsInRows(const std::filesystem::path& folder);
// Those of them that the database has already.
Result<std::vector<RunId>> knownRuns(const std::filesystem::path& database, const std::vector<RunId>& runs);

} // namespace sg::checkpoint
