#pragma once

#include "core/artifacts/s3/object_upload.h"
#include "core/base/result.h"
#include "core/sqlite/db.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sg::artifacts::s3 {

struct LedgerContent {
    std::string sha256;
    std::uint64_t size = 0;
};

// What a folder of contents knows about one bucket, in FOLDER/bucket.sqlite: which contents have to be
// uploaded yet, which are there (so that the folder may give them up), what others have to be told, and the
// uploads in parts that have begun. Several processes may share the folder. Any thread.
class UploadLedger final : public UploadNotes {
public:
    static Result<std::unique_ptr<UploadLedger>> open(const std::filesystem::path& folder,
                                                      const std::string& place);

    // The name of this folder among those who use the bucket. A copy of the folder gets another.
    [[nodiscard]] const std::string& holder() const { return m_holder; }

    // False: what this folder's index names has to be told to the others first, by tell().
    [[nodiscard]] bool hasNamed();
    Result<void> tell(const std::vector<std::string>& lines);

    // A line for the others, and the content that it names; both are durable when this returns.
    struct Promise {
        LedgerContent content;
        std::string line;
    };
    Result<void> promise(const std::vector<Promise>& promises);

    struct Line {
        std::int64_t number = 0;
        std::string text;
    };
    Result<std::vector<Line>> lines(std::int64_t limit); // oldest first
    Result<void> dropLines(std::int64_t upTo);

    struct Waiting {
        std::int64_t count = 0;
        std::uint64_t bytes = 0;
    };
    Result<Waiting> waiting();
    Result<std::vector<LedgerContent>> nextWaiting(std::int64_t limit);
    enum class State { Unknown, Waiting, There };
    Result<State> stateOf(const std::string& sha256);
    Result<void> markThere(const std::vector<LedgerContent>& contents);
    Result<void> touch(const std::string& sha256); // it was used now
    Result<void> drop(const std::string& sha256);
    Result<void> dropAll();
    Result<std::uint64_t> bytesThere();
    Result<std::vector<LedgerContent>> longestUnused(std::int64_t limit); // of those that are there

    Result<std::optional<OpenUpload>> find(const std::string& key) override;
    Result<void> note(const std::string& key, const OpenUpload& upload) override;
    Result<void> forget(const std::string& key) override;

private:
    UploadLedger(sqlite::Db db, std::string place);
    Result<void> findHolder(const std::filesystem::path& folder);
    Result<std::vector<LedgerContent>> contents(const char* sql, std::int64_t limit);

    const std::string m_place;
    std::string m_holder; // constant after open()
    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
    bool m_hasNamed = false; // guarded by m_mutex
};

} // namespace sg::artifacts::s3
