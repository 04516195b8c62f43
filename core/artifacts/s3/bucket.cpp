#include "core/artifacts/s3/bucket.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <ctime>
#include <mutex>

namespace sg::artifacts::s3 {
namespace {

using std::chrono::seconds;

constexpr seconds kCollectingCounts = std::chrono::minutes(15);
constexpr seconds kCollectingLasts = std::chrono::minutes(10);
constexpr seconds kWeek = std::chrono::hours(24 * 7);
constexpr std::size_t kLargestNames = 64U << 20;
constexpr std::size_t kHexDigits = 64;

// "2026-11-21T08:00:00.000Z" as seconds since 1970; nullopt for another form.
std::optional<std::int64_t> isoSeconds(const std::string& text)
{
    std::tm parts{};
    if (::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr)
        return std::nullopt;
    return ::timegm(&parts);
}

// What has no readable time counts as new: it is not removed.
seconds ageOf(const std::string& modified, WallTime now)
{
    const auto then = isoSeconds(modified);
    return then ? seconds(std::chrono::system_clock::to_time_t(now) - *then) : seconds(0);
}

std::string timeAndChance(WallTime now)
{
    std::array<char, 6> chance{};
    fillRandomBytes(chance.data(), chance.size());
    std::string millis =
        std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count());
    return std::string(14 - std::min<std::size_t>(14, millis.size()), '0') + millis + '-'
        + toHex({ chance.data(), chance.size() });
}

// Waits a second. False: stopped.
bool pauseFor(seconds time, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

} // namespace

// One collection.
struct Bucket::Round {
    const std::set<std::string>& named;
    bool dryRun = false;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();

    [[nodiscard]] bool isOver() const { return std::chrono::steady_clock::now() - begun > kCollectingLasts; }
};

std::string Bucket::key(const std::string& rest) const
{
    const std::string& prefix = m_client.address().prefix;
    return prefix.empty() ? rest : prefix + '/' + rest;
}

std::string Bucket::contentKey(const std::string& sha256) const
{
    return key("blobs/" + sha256.substr(0, 2) + '/' + sha256.substr(2, 2) + '/' + sha256);
}

std::string Bucket::parcelKey(const std::string& sha256) const
{
    return key("parcels/" + sha256);
}

Result<void> Bucket::tell(const std::string& holder, const std::string& lines, const std::stop_token& stop)
{
    const auto told = m_client.put(key("names/" + holder + '/' + timeAndChance(m_client.serviceTime())),
                                   lines, sha256Hex(lines), S3Client::IfThere::Replace, stop);
    return told ? Result<void>() : Result<void>(told.error());
}

Result<std::optional<seconds>> Bucket::collectingSince(const std::stop_token& stop)
{
    const std::string wanted = key("collecting");
    std::optional<seconds> since;
    const auto listed = m_client.list(
        wanted,
        [&](const S3Object& object) -> Result<void> {
            if (object.key == wanted)
                since = ageOf(object.modified, m_client.serviceTime());
            return {};
        },
        stop);
    if (!listed)
        return listed.error();
    return since;
}

Result<void> Bucket::waitForCollection(const std::stop_token& stop)
{
    while (true) {
        const auto size = m_client.sizeOf(key("collecting"), stop);
        if (!size || !*size)
            return size ? Result<void>() : Result<void>(size.error());
        const auto since = collectingSince(stop);
        if (!since)
            return since.error();
        if (!*since || **since > kCollectingCounts)
            return {};
        if (!pauseFor(seconds(1), stop))
            return Error{ Errc::Cancelled, "stopped" };
    }
}

Result<void> Bucket::eachContent(const std::function<Result<void>(const std::string&, std::uint64_t)>& take,
                                 const std::stop_token& stop)
{
    return m_client.list(
        key("blobs/"),
        [&](const S3Object& object) -> Result<void> {
            const std::string name = object.key.substr(object.key.rfind('/') + 1);
            return isSha256Hex(name) && contentKey(name) == object.key ? take(name, object.size)
                                                                       : Result<void>();
        },
        stop);
}

Result<std::vector<std::string>> Bucket::toldBy(const std::string& holder, const std::stop_token& stop)
{
    std::vector<std::string> keys;
    const auto listed = m_client.list(
        key("names/" + holder + '/'),
        [&](S3Object object) -> Result<void> {
            keys.push_back(std::move(object.key));
            return {};
        },
        stop);
    if (!listed)
        return listed.error();
    return keys;
}

Result<void> Bucket::remove(const std::vector<std::string>& keys, const std::stop_token& stop)
{
    for (const std::string& each : keys)
        if (auto removed = m_client.remove(each, stop); !removed)
            return removed;
    return {};
}

Result<void> Bucket::beginCollecting(const std::string& holder, const std::stop_token& stop)
{
    const std::string text = toJson(Value::map({ { "holder", holder } }));
    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto made =
            m_client.put(key("collecting"), text, sha256Hex(text), S3Client::IfThere::Keep, stop);
        if (!made)
            return made.error();
        if (*made)
            return {};
        const auto since = collectingSince(stop);
        if (!since)
            return since.error();
        if (*since && **since <= kCollectingCounts)
            break;
        // Whoever made it has ended without removing it.
        if (auto removed = m_client.remove(key("collecting"), stop); !removed)
            return removed;
    }
    return Error{ Errc::Busy,
                  m_client.address().place()
                      + ": another machine is collecting there. Try again in a few minutes" };
}

// Adds what the others name. A line that cannot be read ends the collection: it may name a content.
Result<void> Bucket::readNames(const std::string& holder, std::set<std::string>& named,
                               SharedGarbage& garbage, const std::stop_token& stop)
{
    const std::string folder = key("names/");
    std::set<std::string> others;
    return m_client.list(
        folder,
        [&](const S3Object& object) -> Result<void> {
            const std::string rest = object.key.substr(folder.size());
            const std::string owner = rest.substr(0, rest.find('/'));
            if (owner == holder)
                return {};
            if (others.insert(owner).second)
                ++garbage.others;
            const auto text = m_client.getSmall(object.key, kLargestNames, stop);
            if (!text)
                return text.error().code == Errc::NotFound ? Result<void>() : Result<void>(text.error());
            std::string_view lines = *text;
            while (!lines.empty()) {
                const std::size_t end = std::min(lines.find('\n'), lines.size());
                const auto line = parseJson(lines.substr(0, end));
                const std::string sha256 =
                    line && line->isMap() ? line->stringOr("sha256", "") : std::string();
                if (!isSha256Hex(sha256))
                    return Error{
                        Errc::Corrupt,
                        m_client.address().place() + ": " + object.key
                            + " cannot be read, so nothing is removed. Another version of Sandglass "
                              "may have written it"
                    };
                named.insert(sha256);
                lines.remove_prefix(std::min(end + 1, lines.size()));
            }
            return {};
        },
        stop);
}

// Removes what nobody names and is older than the grace.
Result<void> Bucket::sweep(const std::string& folder, seconds grace, const Round& round,
                           SharedGarbage& garbage, const std::stop_token& stop)
{
    return m_client.list(
        key(folder),
        [&](const S3Object& object) -> Result<void> {
            const std::string name = object.key.substr(object.key.rfind('/') + 1);
            const bool isContent = name.size() == kHexDigits && isSha256Hex(name);
            if (!isContent || round.named.contains(name)
                || ageOf(object.modified, m_client.serviceTime()) < grace)
                return {};
            if (!round.dryRun) {
                if (round.isOver())
                    return Error{ Errc::Timeout,
                                  m_client.address().place() + ": stopped after "
                                      + std::to_string(garbage.contents)
                                      + " contents; collect again for the rest" };
                if (auto removed = m_client.remove(object.key, stop); !removed)
                    return removed;
            }
            ++garbage.contents;
            garbage.bytes += object.size;
            return {};
        },
        stop);
}

Result<void> Bucket::endUploads(const Round& round, SharedGarbage& garbage, const std::stop_token& stop)
{
    const auto uploads = m_client.listUploads(key("blobs/"), stop);
    if (!uploads)
        return uploads.error();
    for (const S3Upload& upload : *uploads) {
        if (ageOf(upload.begun, m_client.serviceTime()) < kWeek)
            continue;
        if (!round.dryRun)
            if (auto ended = m_client.abortUpload(upload.key, upload.id, stop); !ended)
                return ended;
        ++garbage.uploads;
    }
    return {};
}

Result<SharedGarbage> Bucket::collect(const std::string& holder, const std::set<std::string>& named,
                                      bool dryRun, seconds grace, const std::stop_token& stop)
{
    SharedGarbage garbage;
    if (!dryRun)
        if (auto begun = beginCollecting(holder, stop); !begun)
            return std::move(begun.error());
    std::set<std::string> all = named;
    const Round round{ all, dryRun };
    auto done = readNames(holder, all, garbage, stop);
    if (done)
        done = sweep("blobs/", grace, round, garbage, stop);
    if (done)
        done = sweep("parcels/", std::max(grace, kWeek), round, garbage, stop);
    if (done)
        done = endUploads(round, garbage, stop);
    if (!dryRun && !round.isOver()) // later it may be somebody else's
        if (auto ended = m_client.remove(key("collecting"), stop); !ended && done)
            done = std::move(ended);
    if (!done)
        return std::move(done.error());
    return garbage;
}

} // namespace sg::artifacts::s3
