#pragma once

#include "core/artifacts/s3/s3_client.h"
#include "core/base/clock.h"
#include "core/base/result.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::artifacts::s3 {

// "2026-11-21T08:00:00.000Z", by the service's clock now. What has no readable time counts as new.
std::chrono::seconds ageOf(const S3Client& client, const std::string& modified);

// The right to remove contents and names from a bucket: its object "collecting", with a mark of whose it is.
// It is made only where there is none, which needs a service that knows If-None-Match, and counts for 15
// minutes by the service's clock; its maker stops after 10. Any thread.
class CollectingTurn {
public:
    // Errc::Busy: another machine has it. Unsupported: the service replaces what it was told to keep.
    static Result<std::unique_ptr<CollectingTurn>>
    take(S3Client& client, const std::string& key, const std::string& holder, const std::stop_token& stop);
    // Returns once nobody has it.
    static Result<void> waitUntilFree(S3Client& client, const std::string& key, const std::stop_token& stop);

    // Checks the turn before something is removed. Errc::Timeout: its time is over. Busy: another has it.
    Result<void> check(const std::stop_token& stop);
    Result<void> end(); // also for who was told to stop: others wait for it

private:
    CollectingTurn(S3Client& client, std::string key, std::string mark);
    Result<bool> isOurs(const std::stop_token& stop);
    [[nodiscard]] std::chrono::seconds lasted() const;

    S3Client& m_client;
    const std::string m_key;
    const std::string m_mark;
    const WallTime m_begun; // by the service's clock
    std::mutex m_mutex;
    std::chrono::steady_clock::time_point m_checked; // guarded by m_mutex
};

} // namespace sg::artifacts::s3
