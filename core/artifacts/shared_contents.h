#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::artifacts {

inline constexpr std::uint64_t kAnySize = std::numeric_limits<std::uint64_t>::max();

// The contents that are on their way to a shared place.
struct UploadState {
    std::int64_t count = 0; // contents that are not there yet
    std::uint64_t bytes = 0;
    std::string fault; // why, as far as it was tried; empty: nothing has failed
    std::int64_t stuck = 0; // of these, whose file is damaged or gone: trying again does not help
};

// The things that a collection removed from a shared place, or would remove.
struct SharedGarbage {
    std::int64_t contents = 0;
    std::uint64_t bytes = 0;
    std::int64_t uploads = 0; // that were broken off long ago
    std::int64_t others = 0; // other folders that use the place, whose contents stay
};

// A place that several machines share, such as a bucket, of which a folder of contents is the cache. Any
// thread.
class SharedContents {
public:
    virtual ~SharedContents() =
        default; // ends uploads that are under way; the next program goes on with them

    [[nodiscard]] virtual std::string place() const = 0; // "s3://bucket/prefix"
    // Finds keys and asks nobody. Errc::PermissionDenied: there are none.
    virtual Result<void> check() = 0;

    // A content of the folder, and a line of JSON about what names it, for the other machines.
    struct Named {
        std::string sha256;
        std::uint64_t size = 0;
        std::string line;
    };
    // When this returns, it is durable that these contents have to be uploaded: by this program meanwhile, or
    // else by the next.
    virtual Result<void> promise(const std::vector<Named>& contents) = 0;
    // False: this folder is new to the place and has to tell what it names, by tell().
    [[nodiscard]] virtual bool hasNamed() = 0;
    virtual Result<void> tell(const std::vector<std::string>& lines) = 0;
    // When this returns, the content is there. Errc::Cancelled: `stop` said so.
    virtual Result<void> publish(const std::string& sha256, const std::stop_token& stop) = 0;
    // Brings a content into the folder, verified. Errc::NotFound: it is not there; Corrupt: what is there
    // does not match the hash, or has more bytes.
    virtual Result<void> fetch(const std::string& sha256, std::uint64_t most,
                               const std::stop_token& stop) = 0;
    virtual void used(const std::string& sha256) = 0; // the folder keeps what was used last
    virtual Result<UploadState> waiting() = 0;
    // Tells whether this folder has compared what is there with the hash, by sending, reading or fetching it.
    [[nodiscard]] virtual bool hasCompared(const std::string& sha256) = 0;
    // Uploads what waits, and returns when nothing does, or an attempt has failed, or `stop` says so.
    using Progress = std::function<void(const UploadState&)>;
    virtual Result<UploadState> settle(const Progress& progress, const std::stop_token& stop) = 0;
    // Contents that wait and are not wanted any more need not be uploaded.
    virtual Result<void> forgetUnwanted(const std::function<bool(const std::string& sha256)>& isWanted) = 0;

    // Calls `take` for each content that is there.
    virtual Result<void>
    eachContent(const std::function<Result<void>(const std::string& sha256, std::uint64_t size)>& take,
                const std::stop_token& stop) = 0;
    // The places of the lines that this folder has told so far, to be replaced by collect(). It is asked
    // before the list of artifacts is read, and nobody may be adding any between.
    virtual Result<std::vector<std::string>> told(const std::stop_token& stop) = 0;
    struct Collect {
        std::vector<std::string> told; // as told() says
        std::vector<Named> named; // all that this folder's artifacts have, read after told()
        bool dryRun = false;
        std::chrono::seconds grace{ 3600 };
    };
    // Removes contents that no folder names any more. Errc::Busy: another machine is doing that.
    virtual Result<SharedGarbage> collect(const Collect& wanted, const std::stop_token& stop) = 0;
    // This folder leaves the place: it names nothing there any more.
    virtual Result<void> leave(const std::stop_token& stop) = 0;
};

} // namespace sg::artifacts
