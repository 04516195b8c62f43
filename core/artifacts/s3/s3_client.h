#pragma once

#include "core/artifacts/s3/aws_access.h"
#include "core/artifacts/s3/bucket_address.h"
#include "core/artifacts/s3/s3_fault.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/net/http_client.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::artifacts::s3 {

struct S3Object {
    std::string key;
    std::uint64_t size = 0;
    std::string modified; // ISO 8601 in UTC: "2026-11-21T08:00:00.000Z"
};

struct S3Part {
    int number = 0;
    std::uint64_t size = 0;
    std::string etag;
};

struct S3Upload {
    std::string key;
    std::string id;
    std::string begun; // ISO 8601 in UTC
};

struct S3ClientOptions {
    int attempts = 5; // of a request that may succeed a moment later
    Millis firstPause{ 200 }; // doubled with each attempt
    Millis longestPause{ 20'000 };
    Millis connectTimeout{ 5000 };
    Millis stallTimeout{ 60'000 }; // without a byte in either direction
    Millis answerTimeout{ 120'000 }; // of an answer without an object in it
};

// Speaks to one bucket. Keys are those of the bucket, with the address's prefix in front. A fault that passes
// (500, 503 SlowDown, a dropped connection) is waited out with pauses that grow and are spread by chance.
// It reads at most 64 KiB of an error and 4 MiB of a list. Any thread.
class S3Client {
public:
    // Called again where temporary keys have ended.
    using FindAccess = std::function<Result<AwsAccess>()>;
    static Result<std::unique_ptr<S3Client>> open(BucketAddress address, FindAccess find,
                                                  const S3ClientOptions& options = {});

    [[nodiscard]] const BucketAddress& address() const { return m_address; }
    // The service's clock, by its last answer: ages of objects are told by that one.
    [[nodiscard]] WallTime serviceTime() const { return SystemClock().now() + std::chrono::seconds(m_ahead); }

    // Keep needs a service that knows conditions; with another it replaces, while Insist fails.
    enum class IfThere { Keep, Insist, Replace };
    // False: the key is taken, and was left as it is. `sha256` is the body's, which the service compares.
    // Errc::Unsupported: Insist, and the service says that it knows no conditions.
    Result<bool> put(const std::string& key, const std::string& body, const std::string& sha256,
                     IfThere there, const std::stop_token& stop);
    // Feeds the object to `sink` and goes on where a connection broke. Errc::NotFound; Corrupt: it is larger
    // than `most`, or changed meanwhile.
    Result<void> get(const std::string& key, std::uint64_t most,
                     const std::function<Result<void>(std::string_view)>& sink, const std::stop_token& stop);
    Result<std::string> getSmall(const std::string& key, std::size_t most, const std::stop_token& stop);
    // nullopt: there is none.
    Result<std::optional<std::uint64_t>> sizeOf(const std::string& key, const std::stop_token& stop);
    Result<void> remove(const std::string& key, const std::stop_token& stop); // also if there is none
    // Calls `take` for all objects whose key begins so, in the order of keys. Errc::Corrupt: the service
    // breaks its list off.
    Result<void> list(const std::string& prefix, const std::function<Result<void>(S3Object)>& take,
                      const std::stop_token& stop);

    Result<std::string> beginUpload(const std::string& key, const std::stop_token& stop);
    Result<S3Part> putPart(const std::string& key, const std::string& upload, int number,
                           const std::string& body, const std::string& sha256, const std::stop_token& stop);
    // Errc::NotFound: the service has ended the upload.
    Result<std::vector<S3Part>> listParts(const std::string& key, const std::string& upload,
                                          const std::stop_token& stop);
    // False: the key was taken meanwhile, and was left as it is.
    Result<bool> completeUpload(const std::string& key, const std::string& upload,
                                const std::vector<S3Part>& parts, IfThere there, const std::stop_token& stop);
    Result<void> abortUpload(const std::string& key, const std::string& upload, const std::stop_token& stop);
    Result<std::vector<S3Upload>> listUploads(const std::string& prefix, const std::stop_token& stop);

private:
    struct Request;
    S3Client(BucketAddress address, FindAccess find, AwsAccess access, const S3ClientOptions& options);
    void take(AwsAccess access);
    net::HttpRequest made(const Request& request, const std::shared_ptr<const net::AwsKey>& key);
    // Takes up the region or new keys that a fault asks for: true if the request can be sent again.
    bool learn(const S3Fault& fault);
    Result<void> wait(int attempt, const S3Fault& fault, const std::stop_token& stop);
    Result<net::HttpResponse> send(const Request& request, S3Fault* fault = nullptr);
    Result<void> oneGet(const Request& request, std::uint64_t most, std::uint64_t& done, std::string& etag,
                        S3Fault& fault, const std::function<Result<void>(std::string_view)>& sink);

    // constant after construction
    const BucketAddress m_address;
    const FindAccess m_find;
    const S3ClientOptions m_options;
    net::HttpClient m_http; // has its own lock
    SystemRandom m_random; // has its own lock
    std::atomic<std::int64_t> m_ahead = 0; // seconds of the service's clock before ours

    std::mutex m_mutex;
    // guarded by m_mutex:
    std::string m_base; // scheme, host and bucket
    std::filesystem::path m_authorities;
    std::shared_ptr<const net::AwsKey> m_key;
    bool m_isRegionChosen = false;
};

} // namespace sg::artifacts::s3
