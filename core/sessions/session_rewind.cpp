#include "core/sessions/session_rewind.h"

#include "core/base/hash.h"
#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/base/random_bytes.h"
#include "core/sessions/live_sandbox.h"
#include "core/sessions/snapshot_names.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kCopyTime{ 60'000 };
constexpr std::size_t kIdBytes = 12;
constexpr std::size_t kMostText = 300;

SnapshotId newId()
{
    std::array<char, kIdBytes> random{};
    fillRandomBytes(random.data(), random.size());
    return SnapshotId("sn-" + toHex({ random.data(), random.size() }));
}

// As told from inside the sandbox.
std::vector<NamedThing> thingsOf(const Value& told)
{
    std::vector<NamedThing> things;
    if (!told.isList())
        return things;
    for (const Value& each : told.asList())
        things.push_back({ printableText(each.stringOr("kind", "?").substr(0, kMostText)),
                           printableText(each.stringOr("name", "?").substr(0, kMostText)) });
    return things;
}

double secondsSince(SteadyTime begin)
{
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

} // namespace

SessionRewind::SessionRewind(std::filesystem::path blobs, const Clock& clock, SnapshotLimits limits,
                             SnapshotStored stored)
    : m_folder(std::move(blobs))
    , m_clock(clock)
    , m_limits(limits)
    , m_stored(std::move(stored))
{
}

SessionRewind::~SessionRewind() = default;

void SessionRewind::use(LiveSandbox& live)
{
    if (m_live == &live)
        return;
    m_live = &live;
    m_files.reset();
    m_copies.clear();
    m_at = {};
    m_pristine = !live.wasFound();
    m_changed = m_edited = false;
    if (m_pristine)
        return;
    const auto found = live.link().ask({ { "op", "snapshots" } }, "snapshots", kCopyTime);
    if (found && found->body["snapshots"].isList())
        for (const Value& each : found->body["snapshots"].asList())
            m_copies.emplace_back(each.stringOr("snapshot", ""));
}

Result<void> SessionRewind::openBlobs()
{
    if (m_blobs)
        return {};
    auto opened = artifacts::BlobStore::open(m_folder);
    if (!opened)
        return std::move(opened.error());
    m_blobs = std::move(*opened);
    return {};
}

void SessionRewind::changes(bool byHand)
{
    m_pristine = m_pristine && byHand;
    m_edited = m_edited || byHand;
    m_changed = m_changed || !byHand;
}

Result<Restored> SessionRewind::bring(const Stand& stand)
{
    const bool isUntouched = !m_changed && (!m_edited || stand.keepsEdits);
    switch (stand.kind) {
    case Stand::Kind::AsIs: return Restored();
    case Stand::Kind::Fresh:
        if (m_at.empty() && m_pristine && isUntouched)
            return Restored();
        return startFresh();
    case Stand::Kind::Snapshot: break;
    }
    if (m_at == stand.snapshot->id && isUntouched)
        return Restored();
    return bringTo(*stand.snapshot, stand.source);
}

Result<bool> SessionRewind::wake(const Snapshot& snapshot, Restored& restored)
{
    if (!snapshot.live || snapshot.incarnation != m_live->incarnation())
        return false;
    const auto woken =
        m_live->link().ask({ { "op", "wake" }, { "snapshot", snapshot.id.value } }, "woken", kCopyTime);
    if (!woken && m_live->link().failure())
        return woken.error();
    if (!woken) { // it was dropped or killed
        std::erase(m_copies, snapshot.id);
        return false;
    }
    restored.kind = Restored::Kind::Exact;
    restored.missing = thingsOf(woken->body["lost"]);
    return true;
}

// The files first: what the interpreter has open is opened anew when it wakes.
Result<Restored> SessionRewind::bringTo(const Snapshot& snapshot, Stand::Source source)
{
    const SteadyTime begin = steady_clock::now();
    Restored restored;
    m_at = {};
    m_changed = true;
    if (auto opened = openBlobs(); !opened)
        return std::move(opened.error());
    if (!m_files)
        m_files = std::make_unique<SnapshotFiles>(m_live->link(), *m_blobs);
    if (snapshot.files) {
        const auto changed = m_files->restore(*snapshot.files);
        if (!changed)
            return Error(changed.error()).during("bring the session's files back");
        restored.filesChanged = *changed;
    }
    restored.filesRestored = snapshot.files != nullptr;
    auto woken = source == Stand::Source::StoredOnly ? Result<bool>(false) : wake(snapshot, restored);
    if (!woken)
        return std::move(woken.error());
    if (!*woken && source == Stand::Source::LiveOnly)
        return Error{ Errc::Conflict,
                      "the sandbox cannot be brought back exactly: the interpreter of snapshot "
                          + snapshot.id.value
                          + (snapshot.live ? " is gone (its session ended, or newer ones took its place)"
                                           : " was not kept (" + describe(snapshot.obstacles) + ")")
                          + ". Without --sandbox exact it is restored as far as it was stored" };
    if (!*woken) {
        const auto restarted = m_live->link().ask({ { "op", "restart" } }, "restarted", kCopyTime);
        if (!restarted)
            return restarted.error();
        restored.kind = Restored::Kind::FilesOnly;
        if (snapshot.names.isMap()) {
            auto missing = loadNames(m_live->link(), snapshot.names, *m_blobs);
            if (!missing)
                return std::move(missing.error()).during("bring the session's names back");
            restored.kind = Restored::Kind::Stored;
            restored.missing = std::move(*missing);
        }
    }
    m_at = snapshot.id;
    m_changed = m_edited = m_pristine = false;
    restored.seconds = secondsSince(begin);
    return restored;
}

Result<Restored> SessionRewind::startFresh()
{
    const SteadyTime begin = steady_clock::now();
    const auto restarted = m_live->link().ask({ { "op", "restart" } }, "restarted", kCopyTime);
    if (!restarted)
        return restarted.error();
    Restored restored;
    restored.kind = Restored::Kind::Fresh;
    if (auto opened = openBlobs(); !opened)
        return std::move(opened.error());
    if (!m_files)
        m_files = std::make_unique<SnapshotFiles>(m_live->link(), *m_blobs);
    const auto cleared = m_files->clear();
    if (!cleared)
        return cleared.error();
    restored.filesChanged = *cleared;
    m_at = {};
    m_changed = m_edited = false;
    m_pristine = true;
    restored.seconds = secondsSince(begin);
    return restored;
}

std::shared_ptr<const Snapshot> SessionRewind::take()
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->id = newId();
    snapshot->createdAt = isoTime(m_clock.now());
    snapshot->incarnation = m_live->incarnation();
    takeCopy(*snapshot);
    takeFiles(*snapshot);
    m_at = snapshot->id;
    m_changed = m_edited = m_pristine = false;
    return snapshot;
}

void SessionRewind::takeCopy(Snapshot& snapshot)
{
    const auto made = m_live->link().ask({ { "op", "snapshot" }, { "snapshot", snapshot.id.value } },
                                         "snapshot", kCopyTime);
    if (!made) {
        snapshot.obstacles.push_back({ "failure", made.error().message.substr(0, kMostText) });
        return;
    }
    snapshot.live = made->body.boolOr("asleep", false);
    snapshot.obstacles = thingsOf(made->body["obstacles"]);
    snapshot.left = thingsOf(made->body["left"]);
    if (snapshot.live) {
        m_copies.push_back(snapshot.id);
        dropOldest();
        return;
    }
    // What no fork would carry is written out at once, by the interpreter itself.
    auto names = openBlobs() ? storeNames(m_live->link(), SnapshotId(), *m_blobs)
                             : Result<Value>(Error{ Errc::Io, "its folder cannot be opened" });
    if (names)
        snapshot.names = std::move(*names);
    else
        snapshot.obstacles.push_back(
            { "failure", printableText(names.error().message.substr(0, kMostText)) });
}

// Those that make room are written out before they end.
void SessionRewind::dropOldest()
{
    ValueList dropped;
    while (static_cast<int>(m_copies.size()) > m_limits.live) {
        store(m_copies.front());
        dropped.emplace_back(m_copies.front().value);
        m_copies.pop_front();
    }
    if (!dropped.empty()) // else the runner has ended, and its copies with it
        static_cast<void>(m_live->link().ask({ { "op", "drop" }, { "snapshots", std::move(dropped) } },
                                             "dropped", kCopyTime));
}

void SessionRewind::store(const SnapshotId& copy)
{
    if (!m_stored || m_live->link().failure())
        return;
    auto opened = openBlobs();
    auto names = opened ? storeNames(m_live->link(), copy, *m_blobs) : Result<Value>(opened.error());
    if (names)
        m_stored(copy, *names);
    else
        logMessage(LogLevel::Warning, "snapshot " + copy.value + " is not kept: " + names.error().message);
}

void SessionRewind::storeAll(Millis patience)
{
    const SteadyTime end = steady_clock::now() + patience;
    for (auto copy = m_copies.rbegin(); copy != m_copies.rend() && steady_clock::now() < end; ++copy)
        store(*copy);
    m_copies.clear();
}

void SessionRewind::takeFiles(Snapshot& snapshot)
{
    if (auto opened = openBlobs(); !opened) {
        snapshot.filesProblem = "files not kept: " + opened.error().message;
        return;
    }
    if (!m_files)
        m_files = std::make_unique<SnapshotFiles>(m_live->link(), *m_blobs);
    auto recorded = m_files->record(m_limits.fileBytes);
    auto flushed = recorded ? m_files->flush() : Result<void>();
    if (!recorded || !flushed) {
        snapshot.filesProblem =
            "files not kept: " + (recorded ? flushed.error().message : recorded.error().message);
        return;
    }
    snapshot.files = recorded->files;
    snapshot.filesProblem = recorded->problem;
    snapshot.filesLeft = std::move(recorded->left);
    snapshot.fileBytes = recorded->bytes;
}

} // namespace sg::sessions
