#include "core/artifacts/s3/bucket.h"

#include "core/artifacts/s3/each_at_once.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

namespace sg::artifacts::s3 {
namespace {

using std::chrono::seconds;

constexpr seconds kWeek = std::chrono::hours(24 * 7);
constexpr std::size_t kLargestNames = 64U << 20;
constexpr std::uint64_t kSmallNames = 64U << 10;
constexpr std::size_t kManyNames = 100;
constexpr std::size_t kLinesAtOnce = 2000;
constexpr std::size_t kRequestsAtOnce = 8;
constexpr std::size_t kRemovedAtOnce = 256;
constexpr std::size_t kHexDigits = 64;

std::string timeAndChance(WallTime now)
{
    std::array<char, 6> chance{};
    fillRandomBytes(chance.data(), chance.size());
    std::string millis =
        std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count());
    return std::string(14 - std::min<std::size_t>(14, millis.size()), '0') + millis + '-'
        + toHex({ chance.data(), chance.size() });
}

// Calls `take` for each line without its end.
template<typename Take>
void eachLine(std::string_view text, const Take& take)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        take(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

} // namespace

// One collection.
struct Bucket::Round {
    const Collection& wanted;
    CollectingTurn* turn = nullptr; // null: a dry run
    std::set<std::string> named;
    SharedGarbage garbage;

    [[nodiscard]] Result<void> check(const std::stop_token& stop) const
    {
        return turn == nullptr ? Result<void>() : turn->check(stop);
    }
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

Result<void> Bucket::tellAll(const std::string& holder, const std::vector<std::string>& lines,
                             const std::stop_token& stop)
{
    std::string text;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        text += lines[at] + '\n';
        if ((at + 1) % kLinesAtOnce != 0 && at + 1 < lines.size())
            continue;
        if (auto told = tell(holder, std::exchange(text, {}), stop); !told)
            return told;
    }
    return {};
}

Result<void> Bucket::waitForCollection(const std::stop_token& stop)
{
    return CollectingTurn::waitUntilFree(m_client, key("collecting"), stop);
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

Result<std::vector<std::string>> Bucket::toldBy(const std::string& holder, const std::stop_token& stop,
                                                std::uint64_t mostBytes)
{
    std::vector<std::string> keys;
    const auto listed = m_client.list(
        key("names/" + holder + '/'),
        [&](S3Object object) -> Result<void> {
            if (object.size <= mostBytes)
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
    return eachAtOnce(keys.size(), kRequestsAtOnce,
                      [&](std::size_t at) { return m_client.remove(keys[at], stop); });
}

Result<std::string> Bucket::namesIn(const std::string& object, const std::stop_token& stop)
{
    auto text = m_client.getSmall(object, kLargestNames, stop);
    // The object that replaced it may have a name that the list had passed by then, so its lines would be
    // missed.
    if (!text && text.error().code == Errc::NotFound)
        return Error{ Errc::Busy,
                      m_client.address().place() + ": names there were changed while they were read ("
                          + object + "), so nothing is removed. Try again in a few minutes" };
    return text;
}

// Adds what all folders name. A line that cannot be read ends the collection: it may name a content.
Result<void> Bucket::readNames(Round& round, const std::stop_token& stop)
{
    const std::string folder = key("names/");
    const std::set<std::string> replaced(round.wanted.told.begin(), round.wanted.told.end());
    std::set<std::string> others;
    std::vector<std::string> objects;
    const auto listed = m_client.list(
        folder,
        [&](S3Object object) -> Result<void> {
            const std::string rest = object.key.substr(folder.size());
            if (const std::string owner = rest.substr(0, rest.find('/')); owner != round.wanted.holder)
                others.insert(owner);
            if (!replaced.contains(object.key)) // by the lines that are wanted
                objects.push_back(std::move(object.key));
            return {};
        },
        stop);
    if (!listed)
        return listed;
    round.garbage.others = static_cast<std::int64_t>(others.size());
    std::mutex mutex; // guards round.named
    return eachAtOnce(objects.size(), kRequestsAtOnce, [&](std::size_t at) -> Result<void> {
        if (auto may = round.check(stop); !may)
            return may;
        const auto text = namesIn(objects[at], stop);
        if (!text)
            return text.error();
        bool isReadable = true;
        eachLine(*text, [&](std::string_view each) {
            const auto line = parseJson(each);
            std::string sha256 = line && line->isMap() ? line->stringOr("sha256", "") : std::string();
            isReadable = isReadable && isSha256Hex(sha256);
            const std::lock_guard lock(mutex);
            round.named.insert(std::move(sha256));
        });
        if (isReadable)
            return {};
        return Error{ Errc::Corrupt,
                      m_client.address().place() + ": " + objects[at]
                          + " cannot be read, so nothing is removed. Another version of Sandglass may have "
                            "written it" };
    });
}

// Removes what nobody names and is older than the grace.
Result<void> Bucket::sweep(const std::string& folder, seconds grace, Round& round,
                           const std::stop_token& stop)
{
    std::vector<S3Object> batch;
    const auto listed = m_client.list(
        key(folder),
        [&](S3Object object) -> Result<void> {
            const std::string name = object.key.substr(object.key.rfind('/') + 1);
            const bool isContent = name.size() == kHexDigits && isSha256Hex(name);
            if (!isContent || round.named.contains(name) || ageOf(m_client, object.modified) < grace)
                return {};
            batch.push_back(std::move(object));
            return batch.size() < kRemovedAtOnce ? Result<void>()
                                                 : sweepBatch(std::exchange(batch, {}), round, stop);
        },
        stop);
    return listed ? sweepBatch(batch, round, stop) : listed;
}

Result<void> Bucket::sweepBatch(const std::vector<S3Object>& batch, Round& round, const std::stop_token& stop)
{
    std::mutex mutex; // guards round.garbage
    return eachAtOnce(batch.size(), kRequestsAtOnce, [&](std::size_t at) -> Result<void> {
        if (round.turn != nullptr) {
            if (auto may = round.check(stop); !may)
                return may;
            if (auto removed = m_client.remove(batch[at].key, stop); !removed)
                return removed;
        }
        const std::lock_guard lock(mutex);
        ++round.garbage.contents;
        round.garbage.bytes += batch[at].size;
        return {};
    });
}

Result<void> Bucket::endUploads(const std::string& folder, Round& round, const std::stop_token& stop)
{
    const auto uploads = m_client.listUploads(key(folder), stop);
    if (!uploads)
        return uploads.error();
    for (const S3Upload& upload : *uploads) {
        if (ageOf(m_client, upload.begun) < kWeek)
            continue;
        if (round.turn != nullptr)
            if (auto ended = m_client.abortUpload(upload.key, upload.id, stop); !ended)
                return ended;
        ++round.garbage.uploads;
    }
    return {};
}

Result<void> Bucket::collectIn(Round& round, const std::stop_token& stop)
{
    if (round.turn != nullptr) {
        if (auto told = tellAll(round.wanted.holder, round.wanted.lines, stop); !told)
            return told;
        if (auto may = round.check(stop); !may)
            return may;
        if (auto replaced = remove(round.wanted.told, stop); !replaced)
            return replaced;
    }
    if (auto read = readNames(round, stop); !read)
        return read;
    if (auto swept = sweep("blobs/", round.wanted.grace, round, stop); !swept)
        return swept;
    if (auto swept = sweep("parcels/", std::max(round.wanted.grace, kWeek), round, stop); !swept)
        return swept;
    if (auto ended = endUploads("blobs/", round, stop); !ended)
        return ended;
    return endUploads("parcels/", round, stop);
}

Result<SharedGarbage> Bucket::collect(const Collection& wanted, const std::stop_token& stop)
{
    Round round{ wanted, nullptr, wanted.named, {} };
    if (wanted.dryRun) {
        auto counted = collectIn(round, stop);
        return counted ? Result<SharedGarbage>(round.garbage) : std::move(counted.error());
    }
    const auto turn = CollectingTurn::take(m_client, key("collecting"), wanted.holder, stop);
    if (!turn)
        return turn.error();
    round.turn = turn->get();
    auto done = collectIn(round, stop);
    if (auto ended = (*turn)->end(); !ended && done)
        done = std::move(ended);
    if (!done)
        return std::move(done.error());
    return round.garbage;
}

Result<void> Bucket::rewriteNames(const std::string& holder, CollectingTurn& turn,
                                  const std::stop_token& stop)
{
    const auto objects = toldBy(holder, stop, kSmallNames);
    if (!objects)
        return objects.error();
    std::mutex mutex;
    std::vector<std::string> lines; // guarded by mutex
    auto read = eachAtOnce(objects->size(), kRequestsAtOnce, [&](std::size_t at) -> Result<void> {
        if (auto may = turn.check(stop); !may)
            return may;
        const auto text = namesIn((*objects)[at], stop);
        if (!text)
            return text.error();
        const std::lock_guard lock(mutex);
        eachLine(*text, [&](std::string_view line) { lines.emplace_back(line); });
        return {};
    });
    if (!read)
        return read;
    if (auto told = tellAll(holder, lines, stop); !told)
        return told;
    if (auto may = turn.check(stop); !may)
        return may;
    return remove(*objects, stop);
}

Result<void> Bucket::mergeNames(const std::string& holder, const std::stop_token& stop)
{
    const auto objects = toldBy(holder, stop, kSmallNames);
    if (!objects || objects->size() < kManyNames)
        return objects ? Result<void>() : Result<void>(objects.error());
    const auto turn = CollectingTurn::take(m_client, key("collecting"), holder, stop);
    if (!turn)
        return turn.error().code == Errc::Busy || turn.error().code == Errc::Unsupported
            ? Result<void>()
            : Result<void>(turn.error());
    auto done = rewriteNames(holder, **turn, stop);
    if (auto ended = (*turn)->end(); !ended && done)
        done = std::move(ended);
    return done;
}

} // namespace sg::artifacts::s3
