#pragma once

#include "core/artifacts/s3/collecting_turn.h"
#include "core/artifacts/s3/s3_client.h"
#include "core/artifacts/shared_contents.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::artifacts::s3 {

// A bucket has these objects, below the address's prefix:
//   blobs/ab/cd/<sha256>             a content that artifacts have, as in the local folder
//   parcels/<sha256>                 a payload or result of a queued task; removed after a week
//   names/<holder>/<time>-<chance>   which contents the artifacts of one folder have: a line of JSON each
//   collecting                       somebody removes contents or names now (CollectingTurn)
//
// Contents are removed while others add them, and no lock is held by those who add. What protects a content
// is its line: it is written before the content is offered, and before one that is there is relied upon. Who
// did that then looks whether "collecting" is there, and waits while it is; who removes makes it first and
// reads the lines after, also those of its own folder, in which a run may go on. So either the line was seen,
// or the content is offered after all removals, and uploaded again if it went. Names are removed by who has
// made "collecting" alone, after others that say the same were written, so that no reader misses them; and by
// a folder that leaves. Any thread.
class Bucket {
public:
    explicit Bucket(S3Client& client)
        : m_client(client)
    {
    }

    [[nodiscard]] std::string contentKey(const std::string& sha256) const;
    [[nodiscard]] std::string parcelKey(const std::string& sha256) const;

    // Tells the others lines of this holder; waitForCollection() has to follow.
    Result<void> tell(const std::string& holder, const std::string& lines, const std::stop_token& stop);
    Result<void> waitForCollection(const std::stop_token& stop);
    Result<void> eachContent(const std::function<Result<void>(const std::string&, std::uint64_t)>& take,
                             const std::stop_token& stop);
    // Returns the keys of the holder's objects with names, those of at most so many bytes.
    Result<std::vector<std::string>> toldBy(const std::string& holder, const std::stop_token& stop,
                                            std::uint64_t mostBytes = UINT64_MAX);
    Result<void> remove(const std::vector<std::string>& keys, const std::stop_token& stop);

    struct Collection {
        std::string holder;
        std::vector<std::string> told; // its names so far, of which `lines` say what is still so
        std::vector<std::string> lines;
        std::set<std::string> named; // by these lines
        bool dryRun = false;
        std::chrono::seconds grace{ 3600 };
    };
    Result<SharedGarbage> collect(const Collection& wanted, const std::stop_token& stop);
    // Joins a holder's many small objects of names into few. Does nothing while somebody collects.
    Result<void> mergeNames(const std::string& holder, const std::stop_token& stop);

private:
    struct Round;
    [[nodiscard]] std::string key(const std::string& rest) const;
    Result<void> tellAll(const std::string& holder, const std::vector<std::string>& lines,
                         const std::stop_token& stop);
    Result<void> rewriteNames(const std::string& holder, CollectingTurn& turn, const std::stop_token& stop);
    Result<std::string> namesIn(const std::string& object, const std::stop_token& stop);
    Result<void> readNames(Round& round, const std::stop_token& stop);
    Result<void> sweep(const std::string& folder, std::chrono::seconds grace, Round& round,
                       const std::stop_token& stop);
    Result<void> sweepBatch(const std::vector<S3Object>& batch, Round& round, const std::stop_token& stop);
    Result<void> endUploads(const std::string& folder, Round& round, const std::stop_token& stop);
    Result<void> collectIn(Round& round, const std::stop_token& stop);

    S3Client& m_client;
};

} // namespace sg::artifacts::s3
