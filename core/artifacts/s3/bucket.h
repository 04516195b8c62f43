#pragma once

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

// What stands where in a bucket, below the address's prefix:
//   blobs/ab/cd/<sha256>             a content that artifacts have, as in the local folder
//   parcels/<sha256>                 a payload or result of a queued task; removed after a week
//   names/<holder>/<time>-<chance>   which contents the artifacts of one folder have: a line of JSON each
//   collecting                       somebody removes contents now
//
// Contents are removed while others add them, and no lock is held by those who add. What protects a content
// is its line: it is written before the content is offered. Who adds then looks whether "collecting" is
// there, and waits while it is; who removes makes it first and reads the lines after. So either the line was
// seen, or the content is offered after all removals, and uploaded again if it went. "collecting" counts for
// 15 minutes by the service's clock; who made it stops removing after 10. Any thread.
class Bucket {
public:
    explicit Bucket(S3Client& client)
        : m_client(client)
    {
    }

    [[nodiscard]] std::string contentKey(const std::string& sha256) const;
    [[nodiscard]] std::string parcelKey(const std::string& sha256) const;

    // Tells the others lines of this holder; waits while contents are being collected.
    Result<void> tell(const std::string& holder, const std::string& lines, const std::stop_token& stop);
    Result<void> waitForCollection(const std::stop_token& stop);
    Result<void> eachContent(const std::function<Result<void>(const std::string&, std::uint64_t)>& take,
                             const std::stop_token& stop);
    Result<std::vector<std::string>> toldBy(const std::string& holder, const std::stop_token& stop);
    Result<void> remove(const std::vector<std::string>& keys, const std::stop_token& stop);
    Result<SharedGarbage> collect(const std::string& holder, const std::set<std::string>& named, bool dryRun,
                                  std::chrono::seconds grace, const std::stop_token& stop);

private:
    struct Round;
    [[nodiscard]] std::string key(const std::string& rest) const;
    // How long "collecting" has been there. nullopt: it is not.
    Result<std::optional<std::chrono::seconds>> collectingSince(const std::stop_token& stop);
    Result<void> beginCollecting(const std::string& holder, const std::stop_token& stop);
    Result<void> readNames(const std::string& holder, std::set<std::string>& named, SharedGarbage& garbage,
                           const std::stop_token& stop);
    Result<void> sweep(const std::string& folder, std::chrono::seconds grace, const Round& round,
                       SharedGarbage& garbage, const std::stop_token& stop);
    Result<void> endUploads(const Round& round, SharedGarbage& garbage, const std::stop_token& stop);

    S3Client& m_client;
};

} // namespace sg::artifacts::s3
