#include "core/artifacts/s3/collecting_turn.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"

#include <array>
#include <condition_variable>
#include <ctime>
#include <utility>

namespace sg::artifacts::s3 {
namespace {

using std::chrono::seconds;

constexpr seconds kCounts = std::chrono::minutes(15);
constexpr seconds kLasts = std::chrono::minutes(10);
constexpr seconds kSurelyOurs = std::chrono::minutes(14);
constexpr seconds kCheckedFor{ 10 };
// Longer than another needs to remove the old one, once it has found it.
constexpr seconds kTakeOverPause{ 3 };
constexpr std::size_t kMostText = 4096;

bool pauseFor(seconds time, const std::stop_token& stop) // false: stopped
{
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

Error stopped()
{
    return { Errc::Cancelled, "stopped" };
}

Error busy(const S3Client& client)
{
    return { Errc::Busy,
             client.address().place() + ": another machine is collecting there. Try again in a few minutes" };
}

Error withoutConditions(const S3Client& client)
{
    return { Errc::Unsupported,
             client.address().place()
                 + ": the service does not heed If-None-Match, without which two machines could remove "
                   "contents at once. Nothing was removed" };
}

std::string newMark()
{
    std::array<char, 12> chance{};
    fillRandomBytes(chance.data(), chance.size());
    return toHex({ chance.data(), chance.size() });
}

// The mark in the object; "" for one that is not there, or has none.
Result<std::string> markIn(S3Client& client, const std::string& key, const std::stop_token& stop)
{
    const auto text = client.getSmall(key, kMostText, stop);
    if (!text)
        return text.error().code == Errc::NotFound ? Result<std::string>(std::string()) : text.error();
    const auto value = parseJson(*text);
    return value && value->isMap() ? value->stringOr("mark", "") : std::string();
}

// nullopt: it is not there.
Result<std::optional<seconds>> ageOfObject(S3Client& client, const std::string& key,
                                           const std::stop_token& stop)
{
    std::optional<seconds> age;
    const auto listed = client.list(
        key,
        [&](const S3Object& object) -> Result<void> {
            if (object.key == key)
                age = ageOf(client, object.modified);
            return {};
        },
        stop);
    if (!listed)
        return listed.error();
    return age;
}

// Makes the object where there is none. False: another's is there.
Result<bool> make(S3Client& client, const std::string& key, const std::string& text, const std::string& mark,
                  const std::stop_token& stop)
{
    const std::string hash = sha256Hex(text);
    auto made = client.put(key, text, hash, S3Client::IfThere::Insist, stop);
    if (!made && made.error().code == Errc::Unsupported)
        return withoutConditions(client);
    if (!made)
        return made;
    if (!*made) { // unless it was ours, and the answer was lost
        const auto found = markIn(client, key, stop);
        if (!found || *found != mark)
            return found ? Result<bool>(false) : Result<bool>(found.error());
    }
    // A service that takes it twice takes another's as well.
    const auto again = client.put(key, text, hash, S3Client::IfThere::Insist, stop);
    if (again && !*again)
        return true;
    static_cast<void>(client.remove(key, {}));
    return again ? withoutConditions(client) : again.error();
}

} // namespace

seconds ageOf(const S3Client& client, const std::string& modified)
{
    std::tm parts{};
    if (::strptime(modified.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr)
        return seconds(0);
    return seconds(std::chrono::system_clock::to_time_t(client.serviceTime()) - ::timegm(&parts));
}

CollectingTurn::CollectingTurn(S3Client& client, std::string key, std::string mark)
    : m_client(client)
    , m_key(std::move(key))
    , m_mark(std::move(mark))
    , m_begun(client.serviceTime())
    , m_checked(std::chrono::steady_clock::now())
{
}

Result<std::unique_ptr<CollectingTurn>> CollectingTurn::take(S3Client& client, const std::string& key,
                                                             const std::string& holder,
                                                             const std::stop_token& stop)
{
    const std::string mark = newMark();
    const std::string text = toJson(Value::map({ { "holder", holder }, { "mark", mark } }));
    // A key that may not remove would leave "collecting" there.
    if (auto may = client.remove(key + '.' + mark, stop); !may)
        return std::move(may.error());
    auto made = make(client, key, text, mark, stop);
    if (!made)
        return std::move(made.error());
    if (*made)
        return std::unique_ptr<CollectingTurn>(new CollectingTurn(client, key, mark));
    const auto age = ageOfObject(client, key, stop);
    if (!age)
        return age.error();
    if (*age && **age <= kCounts)
        return busy(client);
    // Its maker has ended without removing it. Another may find that at the same time, and remove ours for
    // the old one: so it is looked at again.
    if (auto removed = client.remove(key, stop); !removed)
        return std::move(removed.error());
    made = make(client, key, text, mark, stop);
    if (!made || !*made)
        return made ? busy(client) : std::move(made.error());
    std::unique_ptr<CollectingTurn> turn(new CollectingTurn(client, key, mark));
    if (!pauseFor(kTakeOverPause, stop)) {
        static_cast<void>(turn->end());
        return stopped();
    }
    const auto ours = turn->isOurs(stop);
    if (!ours || !*ours)
        return ours ? busy(client) : ours.error();
    return turn;
}

Result<void> CollectingTurn::waitUntilFree(S3Client& client, const std::string& key,
                                           const std::stop_token& stop)
{
    while (true) {
        const auto size = client.sizeOf(key, stop);
        if (!size || !*size)
            return size ? Result<void>() : Result<void>(size.error());
        const auto age = ageOfObject(client, key, stop);
        if (!age)
            return age.error();
        if (!*age || **age > kCounts)
            return {};
        if (!pauseFor(seconds(1), stop))
            return stopped();
    }
}

seconds CollectingTurn::lasted() const
{
    return std::chrono::duration_cast<seconds>(m_client.serviceTime() - m_begun);
}

Result<bool> CollectingTurn::isOurs(const std::stop_token& stop)
{
    const auto mark = markIn(m_client, m_key, stop);
    return mark ? Result<bool>(*mark == m_mark) : Result<bool>(mark.error());
}

Result<void> CollectingTurn::check(const std::stop_token& stop)
{
    if (lasted() > kLasts)
        return Error{ Errc::Timeout,
                      m_client.address().place()
                          + ": stopped after ten minutes; collect again for the rest" };
    const std::lock_guard lock(m_mutex);
    if (std::chrono::steady_clock::now() - m_checked < kCheckedFor)
        return {};
    const auto ours = isOurs(stop);
    if (!ours || !*ours)
        return ours ? busy(m_client) : ours.error();
    m_checked = std::chrono::steady_clock::now();
    return {};
}

Result<void> CollectingTurn::end()
{
    const std::stop_token none;
    const auto ours = lasted() < kSurelyOurs ? isOurs(none) : Result<bool>(false);
    if (!ours || !*ours)
        return ours ? Result<void>() : Result<void>(ours.error());
    return m_client.remove(m_key, none);
}

} // namespace sg::artifacts::s3
