#pragma once

#include "core/artifacts/s3/object_upload.h"
#include "core/base/result.h"
#include "core/sqlite/db.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sg::artifacts::s3 {

struct LedgerContent {
    std::string sha256;
    std::uint64_t size = 0;
    bool wasThere = false; // and waits because it was stored once more
};

// Knows about one bucket of a folder of contents, in FOLDER/bucket.sqlite: which contents have to be uploaded
// yet, which are there (so that the folder may give them up), which names others have to be told, and the
// uploads in parts that have begun. Several processes may share the folder. Any thread.
class UploadLedger final : public UploadNotes {
public:
    static Result<std::unique_ptr<UploadLedger>> open(const std::filesystem::path& folder,
                                                      const std::string& place);

    // The name of this folder among those who use the bucket. A copy of the folder gets another; one that was
    // moved, or is seen from another machine or container, keeps it.
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
    // Returns how often this folder, by all its programs, has told something.
    Result<std::int64_t> linesTold(std::int64_t upTo);
    Result<std::int64_t> timesTold();

    struct Waiting {
        std::int64_t count = 0; // with those that are stuck
        std::uint64_t bytes = 0;
        std::int64_t stuck = 0;
    };
    Result<Waiting> waiting();
    Result<std::vector<LedgerContent>> nextWaiting(std::int64_t limit); // without those that are stuck
    // There: offered by this folder, under a line of its own. Cached: it came from there. Stuck: it cannot be
    // offered, as its file is damaged or gone; the next program tries again.
    enum class State { Waiting, There, Stuck, Cached, Unknown };
    Result<State> stateOf(const std::string& sha256);
    Result<void> mark(const std::vector<LedgerContent>& contents, State state);
    // Drops what waits, or is stuck, and is not wanted any more.
    Result<void> dropUnwanted(const std::function<bool(const std::string&)>& isWanted);
    Result<void> touch(const std::string& sha256); // it was used now
    Result<void> drop(const std::string& sha256);
    Result<void> dropAll();
    Result<std::uint64_t> bytesThere();
    Result<std::vector<LedgerContent>> longestUnused(std::int64_t limit); // of those that are there too

    Result<std::optional<OpenUpload>> find(const std::string& key) override;
    Result<void> note(const std::string& key, const OpenUpload& upload) override;
    Result<void> notePart(const std::string& key, int number, const std::string& sha256) override;
    Result<void> forget(const std::string& key) override;

private:
    UploadLedger(sqlite::Db db, std::string place);
    Result<void> findHolder(const std::filesystem::path& folder);
    Result<std::map<int, std::string>> partsOf(const std::string& key);
    Result<std::vector<LedgerContent>> contents(const char* sql, std::int64_t limit);

    const std::string m_place;
    std::string m_holder; // constant after open()
    std::mutex m_mutex;
    sqlite::Db m_db; // guarded by m_mutex
    bool m_hasNamed = false; // guarded by m_mutex
};

} // namespace sg::artifacts::s3
