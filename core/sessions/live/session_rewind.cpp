#include "core/sessions/live/session_rewind.h"

#include "core/base/hash.h"
#include "core/base/printable.h"
#include "core/base/random_bytes.h"
#include "core/sandbox/folder_view.h"
#include "core/sessions/runner/live_sandbox.h"
#include "core/sessions/snapshots/snapshot_names.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kCopyTime{ 60'000 };
constexpr Millis kRereadTime{ 300'000 }; // for the names that an interpreter cannot read back
constexpr std::size_t kIdBytes = 12;
constexpr std::size_t kMostNamedText = 300;

SnapshotId newId()
{
    std::array<char, kIdBytes> random{};
    fillRandomBytes(random.data(), random.size());
    return SnapshotId("sn-" + toHex({ random.data(), random.size() }));
}

// `told` comes from inside the sandbox.
std::vector<NamedThing> thingsOf(const Value& told)
{
    std::vector<NamedThing> things;
    if (!told.isList())
        return things;
    for (const Value& each : told.asList())
        things.push_back({ printableText(each.stringOr("kind", "?").substr(0, kMostNamedText)),
                           printableText(each.stringOr("name", "?").substr(0, kMostNamedText)) });
    return things;
}

// Names what is not as it was beside the session's folder, where nothing is brought back. A runner that was
// started by an earlier version of the program does not know the request: then nothing is told.
std::vector<NamedThing> differencesOutside(RunnerLink& link, const Value& names)
{
    if (!names["outside"].isMap())
        return {};
    const auto told = link.ask({ { "op", "outside" }, { "before", names["outside"] } }, "outside", kCopyTime);
    return told ? thingsOf(told->body["differs"]) : std::vector<NamedThing>();
}

// A runner that does not answer this request answers no other either. Closing the link makes the session
// start another sandbox.
Result<Frame> askOrEnd(RunnerLink& link, ValueMap request, const char* expected)
{
    auto answer = link.ask(std::move(request), expected, kCopyTime);
    if (!answer && answer.error().code == Errc::Timeout)
        link.close({ Errc::Timeout, "its runner did not answer in time, so the sandbox was ended" });
    return answer;
}

// Threads and processes that a step left running go on while the next code runs.
bool leftSomethingRunning(const Snapshot& snapshot)
{
    const auto runs = [](const NamedThing& thing) {
        return thing.kind == "thread" || thing.kind == "process";
    };
    return std::ranges::any_of(snapshot.left, runs) || std::ranges::any_of(snapshot.obstacles, runs);
}

double secondsSince(SteadyTime begin)
{
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

} // namespace

SessionRewind::SessionRewind(std::filesystem::path blobs, const Clock& clock, SnapshotLimits limits,
                             SnapshotRoom* room, SnapshotStored stored, bool isKept, StandMarks marks)
    : m_folder(std::move(blobs))
    , m_clock(clock)
    , m_limits(limits)
    , m_room(room)
    , m_isKept(isKept)
    , m_marks(std::move(marks))
    , m_copies(m_folder, limits, room, std::move(stored))
{
}

SessionRewind::~SessionRewind() = default;

void SessionRewind::use(const std::shared_ptr<LiveSandbox>& live)
{
    if (m_live == live)
        return;
    m_prepared.reset();
    m_sleeper.clear();
    m_live = live;
    m_files.reset();
    m_at = {};
    m_pristine = !live->wasFound();
    m_changed = m_edited = m_saidUnkept = false;
    m_touches = {};
    std::vector<SnapshotId> asleep;
    if (!m_pristine) {
        const auto found = live->link().ask({ { "op", "snapshots" } }, "snapshots", kCopyTime);
        if (found && found->body["snapshots"].isList())
            for (const Value& each : found->body["snapshots"].asList())
                asleep.emplace_back(each.stringOr("snapshot", ""));
    }
    m_copies.use(live, std::move(asleep));
    m_kept.reset();
    if (!m_pristine)
        readMark();
}

void SessionRewind::readMark()
{
    m_kept = m_marks.read ? m_marks.read() : std::nullopt;
    if (!m_kept || m_kept->incarnation.empty() || m_kept->incarnation != m_live->incarnation())
        return;
    m_at = m_kept->at;
    m_changed = m_kept->isChanged;
    m_edited = m_kept->isEdited;
    m_pristine = m_kept->isPristine;
    auto newest = m_at.empty() || !m_marks.newest ? nullptr : m_marks.newest();
    m_last = newest && newest->id == m_at ? std::move(newest) : nullptr;
}

void SessionRewind::keepMark(bool isLost)
{
    if (!m_marks.write || !m_live || m_live->incarnation().empty())
        return;
    StandMark mark{ m_live->incarnation(), m_at, m_changed || isLost, isEditedByHand(), m_pristine };
    if (m_kept == mark)
        return;
    m_marks.write(mark);
    m_kept = std::move(mark);
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

Result<void> SessionRewind::openFiles()
{
    if (auto opened = openBlobs(); !opened || m_files)
        return opened;
    m_files = std::make_unique<SnapshotFiles>(
        m_live->link(), *m_blobs, dynamic_cast<sandbox::FolderView*>(&m_live->sandbox()), m_isKept);
    return {};
}

void SessionRewind::changes(bool byHand)
{
    dropSleeper();
    m_pristine = m_pristine && byHand;
    m_edited = m_edited || byHand;
    m_changed = m_changed || !byHand;
    keepMark(false);
}

// A caller that goes on from the present place takes the session as it is. A caller that goes back to that
// very place wants it as it was: without what a person did since, what a look at a name has called, and what
// still runs.
bool SessionRewind::isJustThere(const Stand& stand) const
{
    if (m_changed || (m_edited && !stand.keepsEdits))
        return false;
    if (stand.isOfRun || stand.keepsEdits)
        return true;
    if (!m_at.empty() && !m_last) // an earlier program may have left something running
        return false;
    const bool leftRunning = m_last && m_at == m_last->id && leftSomethingRunning(*m_last);
    return m_live->link().touches() == m_touches && !leftRunning;
}

// True where a person's cells, terminals or uploaded files changed it.
bool SessionRewind::isEditedByHand() const
{
    return m_edited || m_live->link().touches().byHand != m_touches.byHand;
}

Restored SessionRewind::asItIs(const Stand& stand) const
{
    Restored restored;
    restored.keepsEdits = stand.keepsEdits && !stand.isOfRun && isEditedByHand();
    return restored;
}

// Who goes back on purpose knows that it goes on without what was done by hand; all others are told.
Result<Restored> SessionRewind::tellingOfEdits(const Stand& stand,
                                               const std::function<Result<Restored>()>& way)
{
    const bool isGivenUp = (stand.isOfRun || stand.keepsEdits) && isEditedByHand();
    auto restored = way();
    if (restored)
        restored->givesUpEdits = isGivenUp;
    return restored;
}

Result<Restored> SessionRewind::bring(const Stand& stand)
{
    const bool isUntouched = isJustThere(stand);
    switch (stand.kind) {
    case Stand::Kind::AsIs: {
        Restored asItWas;
        asItWas.lacks = stand.lacks;
        return asItWas;
    }
    case Stand::Kind::Fresh:
        if (m_at.empty() && m_pristine && isUntouched)
            return asItIs(stand);
        return tellingOfEdits(stand, [this] { return startFresh(); });
    case Stand::Kind::Snapshot: break;
    }
    if (m_at == stand.snapshot->id && isUntouched) {
        if (!m_last)
            m_last = stand.snapshot;
        return asItIs(stand);
    }
    auto restored = tellingOfEdits(stand, [&] { return bringTo(stand.snapshot, stand.source); });
    if (restored && !stand.lacks.empty())
        restored->lacks = stand.lacks + (restored->lacks.empty() ? "" : ", ") + restored->lacks;
    return restored;
}

Result<bool> SessionRewind::wake(const Snapshot& snapshot, Restored& restored)
{
    if (!snapshot.live || snapshot.incarnation != m_live->incarnation())
        return false;
    m_copies.keep(snapshot.id);
    const auto woken =
        askOrEnd(m_live->link(), { { "op", "wake" }, { "snapshot", snapshot.id.value } }, "woken");
    if (!woken && m_live->link().failure())
        return woken.error();
    if (!woken) { // the copy was dropped or killed
        m_copies.forget(snapshot.id);
        return false;
    }
    restored.kind = Restored::Kind::Exact;
    restored.missing = thingsOf(woken->body["lost"]);
    restored.differs = thingsOf(woken->body["differs"]);
    return true;
}

// Files come first: the interpreter opens its files anew when it wakes.
Result<Restored> SessionRewind::bringTo(const std::shared_ptr<const Snapshot>& snapshot, Stand::Source source,
                                        bool filesToo)
{
    if (source == Stand::Source::LiveOnly && !snapshot->files && filesToo)
        return Error{ Errc::Conflict,
                      "the sandbox cannot be brought back exactly: of snapshot " + snapshot->id.value + ", "
                          + snapshot->filesProblem
                          + ". Unless it must be exact, its files stay as they are now" };
    const SteadyTime begin = steady_clock::now();
    Restored restored;
    dropSleeper();
    m_at = {};
    m_changed = true;
    keepMark(false);
    if (auto opened = openFiles(); !opened)
        return std::move(opened.error());
    if (snapshot->files && filesToo) {
        const auto changed = m_files->restore(*snapshot->files);
        if (!changed)
            return Error(changed.error()).during("bring the session's files back");
        restored.filesChanged = *changed;
    }
    restored.filesRestored = snapshot->files != nullptr || !filesToo;
    if (auto brought = bringNames(*snapshot, source, restored); !brought)
        return std::move(brought.error());
    std::vector<NamedThing> left = snapshot->left;
    left.insert(left.end(), snapshot->filesLeft.begin(), snapshot->filesLeft.end());
    restored.lacks = describe(left);
    m_at = snapshot->id;
    m_last = snapshot;
    m_changed = m_pristine = false;
    m_edited = !filesToo;
    m_touches = m_live->link().touches();
    keepMark(false);
    restored.seconds = secondsSince(begin);
    return restored;
}

// The names may have been written out since the snapshot was read. If not, that is done now: a copy that
// still sleeps may be restored from what is stored.
Value SessionRewind::writtenOut(const Snapshot& snapshot)
{
    m_copies.awaitEnd(snapshot.id);
    if (Value later = m_copies.namesOf(snapshot.id); later.isMap())
        return later;
    if (snapshot.names.isMap() || !isAsleep(snapshot.id))
        return snapshot.names;
    auto names = storeNames(m_live->link(), snapshot.id, *m_blobs,
                            { {}, mostOfNames(m_live->memoryBytes(), m_limits.projectBytes), m_room });
    return names ? std::move(*names) : Value();
}

Result<void> SessionRewind::bringNames(const Snapshot& snapshot, Stand::Source source, Restored& restored)
{
    auto woken = source == Stand::Source::StoredOnly ? Result<bool>(false) : wake(snapshot, restored);
    if (!woken)
        return std::move(woken.error());
    if (*woken)
        return {};
    if (source == Stand::Source::LiveOnly)
        return Error{ Errc::Conflict,
                      "the sandbox cannot be brought back exactly: the interpreter of snapshot "
                          + snapshot.id.value
                          + (snapshot.live ? " is gone (its session ended, or newer ones took its place)"
                                           : " was not kept (" + describe(snapshot.obstacles) + ")")
                          + ". Unless it must be exact, it is restored as far as it was stored" };
    const Value names = writtenOut(snapshot);
    const auto restart = [this]() -> Result<void> {
        const auto restarted = askOrEnd(m_live->link(), { { "op", "restart" } }, "restarted");
        return restarted ? Result<void>() : restarted.error();
    };
    if (auto restarted = restart(); !restarted)
        return restarted;
    restored.kind = Restored::Kind::FilesOnly;
    if (!names.isMap())
        return {};
    restored.differs = differencesOutside(m_live->link(), names); // before code that is loaded writes there
    auto missing = loadNames(m_live->link(), names, *m_blobs);
    if (!missing && !m_live->link().failure()) { // a name may have killed the interpreter that read it
        if (auto restarted = restart(); !restarted)
            return restarted;
        missing = loadNames(m_live->link(), names, *m_blobs, kRereadTime, true);
    }
    if (!missing)
        return std::move(missing.error()).during("bring the session's names back");
    restored.kind = Restored::Kind::Stored;
    restored.missing = std::move(*missing);
    return {};
}

Result<Restored> SessionRewind::comeBack(const std::shared_ptr<const Snapshot>& snapshot, bool filesToo)
{
    return bringTo(snapshot, Stand::Source::Any, filesToo);
}

Result<Restored> SessionRewind::startFresh()
{
    dropSleeper();
    const SteadyTime begin = steady_clock::now();
    keepMark(true);
    const auto restarted = askOrEnd(m_live->link(), { { "op", "restart" } }, "restarted");
    if (!restarted)
        return restarted.error();
    Restored restored;
    restored.kind = Restored::Kind::Fresh;
    if (auto opened = openFiles(); !opened)
        return std::move(opened.error());
    const auto cleared = m_files->clear();
    if (!cleared)
        return cleared.error();
    restored.filesChanged = *cleared;
    m_at = {};
    m_last = nullptr;
    m_changed = m_edited = false;
    m_pristine = true;
    m_touches = m_live->link().touches();
    keepMark(false);
    restored.seconds = secondsSince(begin);
    return restored;
}

std::string SessionRewind::sleeperFor(const Snapshot& base, std::string& why)
{
    if (!m_edited && isAsleep(base.id)) // edits by hand since are in the interpreter alone
        return base.id.value;
    if (!m_sleeper.empty())
        return m_sleeper;
    if (!m_changed && !m_edited && isAsleep(m_at))
        return m_at.value;
    const std::string name = "beside-" + newId().value;
    const auto made = askOrEnd(m_live->link(), { { "op", "snapshot" }, { "snapshot", name } }, "snapshot");
    if (made && made->body.boolOr("asleep", false))
        m_sleeper = name;
    else
        why = made ? describe(thingsOf(made->body["obstacles"])) : made.error().message;
    return m_sleeper;
}

std::vector<std::string> SessionRewind::madeSince(const Snapshot& base) const
{
    std::vector<std::string> made;
    if (!m_last || m_last->id == base.id || !m_last->files || !base.files)
        return made;
    for (const auto& [path, entry] : *m_last->files)
        if (!base.files->contains(path))
            made.push_back(path);
    return made;
}

std::shared_ptr<const Snapshot> SessionRewind::unchanged() const
{
    const bool isThere = m_last && m_at == m_last->id && !m_changed && !isEditedByHand();
    return isThere ? m_last : nullptr;
}

void SessionRewind::dropSleeper()
{
    if (!m_sleeper.empty() && m_live && !m_live->link().failure())
        static_cast<void>(
            m_live->link().begin({ { "op", "drop" }, { "snapshots", Value::list({ m_sleeper }) } }));
    m_sleeper.clear();
}

void SessionRewind::prepare(ValueMap& call, bool always)
{
    m_prepared.reset();
    auto answer =
        m_live->copiesAfterCalls() ? m_live->link().reserve() : Result<RunnerLink::Exchange>(Error());
    if (!answer)
        return;
    const SnapshotId id = newId();
    call.set("copy", Value::map({ { "id", answer->id() }, { "snapshot", id.value }, { "always", always } }));
    m_prepared.emplace(Prepared{ id, std::move(*answer) });
}

void SessionRewind::dismiss(bool isMade)
{
    if (m_prepared && isMade) // nobody waits for the answer
        static_cast<void>(m_live->link().begin(
            { { "op", "drop" }, { "snapshots", Value::list({ m_prepared->id.value }) } }));
    m_prepared.reset();
}

std::shared_ptr<const Snapshot> SessionRewind::take()
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->id = m_prepared ? m_prepared->id : newId();
    snapshot->createdAt = isoTime(m_clock.now());
    snapshot->incarnation = m_live->incarnation();
    // The interpreter copies itself while its files are looked at.
    auto copy = m_prepared
        ? Result<RunnerLink::Exchange>(std::move(m_prepared->answer))
        : m_live->link().begin({ { "op", "snapshot" }, { "snapshot", snapshot->id.value } });
    m_prepared.reset();
    takeFiles(*snapshot);
    // Memory is sampled from here, while the copy is made, where the runner does not report it.
    const auto memory = m_runnerTellsMemory ? std::nullopt : sampledMemory();
    takeCopy(*snapshot, copy, memory);
    m_at = snapshot->id;
    m_last = snapshot;
    m_changed = m_cameTooLate; // else the session stands at it, whether or not anything could be kept of it
    m_edited = m_pristine = false;
    m_touches = m_live->link().touches();
    keepMark(false);
    return snapshot;
}

void SessionRewind::takeCopy(Snapshot& snapshot, Result<RunnerLink::Exchange>& asked,
                             const std::optional<MemoryUse>& beside)
{
    const auto made = asked ? asked->next(steady_clock::now() + kCopyTime) : Result<Frame>(asked.error());
    m_cameTooLate = made
        && (made->body.boolOr("renewed", false)
            || made->body["error"].stringOr("type", "") == "InterpreterDied");
    if (!made || made->event != "snapshot") {
        const std::string why = made ? made->body["error"].stringOr("message", "?") : made.error().message;
        snapshot.obstacles.push_back({ "failure", printableText(why.substr(0, kMostNamedText)) });
        return;
    }
    if (made->body.boolOr("renewed", false)) { // a copy would be of another interpreter, without the names
        snapshot.obstacles.push_back({ "failure", "the interpreter was killed before it could be copied" });
        return;
    }
    snapshot.live = made->body.boolOr("asleep", false);
    snapshot.obstacles = thingsOf(made->body["obstacles"]);
    snapshot.left = thingsOf(made->body["left"]);
    if (snapshot.live) {
        snapshot.names = plainNames(made->body["names"]);
        m_copies.add(snapshot.id, snapshot.names);
        if (const auto memory = measured(made->body["memory"], beside))
            m_copies.makeRoom(*memory);
        return;
    }
    // State that no fork would carry is written out at once, by the interpreter itself.
    auto names = openBlobs()
        ? storeNames(m_live->link(), SnapshotId(), *m_blobs,
                     { {}, mostOfNames(m_live->memoryBytes(), m_limits.projectBytes), m_room })
        : Result<Value>(Error{ Errc::Io, "its folder cannot be opened" });
    m_cameTooLate = !names && names.error().code == Errc::NotFound;
    if (names) {
        snapshot.names = std::move(*names);
        return;
    }
    snapshot.obstacles.push_back(
        { "failure", printableText(names.error().message.substr(0, kMostNamedText)) });
    if (std::exchange(m_saidUnkept, true))
        return;
    m_warning = "the session's names are there only as long as its sandbox: they can neither be copied nor "
                "written out ("
        + describe(snapshot.obstacles) + ")";
}

// Null: not all names are plain, or they could not be kept; the copy is then asked for them when it must
// leave.
Value SessionRewind::plainNames(const Value& told)
{
    if (!told.isBytes() || !openBlobs())
        return {};
    auto names = namesFrom(told.asBytes(), *m_blobs);
    return names ? std::move(*names) : Value();
}

// Memory use comes from the sandbox's own control group, as the runner or the backend sees it; else the
// runner counts it page by page, which is slow.
std::optional<MemoryUse> SessionRewind::measured(const Value& told, const std::optional<MemoryUse>& beside)
{
    constexpr int kEvery = 8;
    m_runnerTellsMemory = told.intOr("limit", 0) > 0;
    if (m_runnerTellsMemory)
        return MemoryUse{ told.intOr("used", 0), told.intOr("limit", 0) };
    if (beside)
        return beside;
    if (++m_sinceMeasure < kEvery)
        return std::nullopt;
    m_sinceMeasure = 0;
    const auto counted = m_live->link().ask({ { "op", "snapshots" } }, "snapshots", kCopyTime);
    if (!counted || !counted->body["snapshots"].isList())
        return std::nullopt;
    MemoryUse memory{ 0, m_live->limits().memoryBytes };
    for (const Value& each : counted->body["snapshots"].asList())
        memory.used += std::max<std::int64_t>(each.intOr("share", 0), 0);
    return memory;
}

std::optional<MemoryUse> SessionRewind::sampledMemory()
{
    if (const auto sample = m_live->sandbox().sample(); sample && sample->memoryLimit > 0)
        return MemoryUse{ sample->memoryBytes, sample->memoryLimit };
    return std::nullopt;
}

void SessionRewind::watchMemory()
{
    if (!m_live || m_copies.asleep().empty())
        return;
    if (const auto memory = sampledMemory())
        m_copies.makeRoom(*memory);
}

bool SessionRewind::storeAll(Millis patience)
{
    return m_copies.storeAll(patience);
}

std::shared_ptr<const Snapshot> SessionRewind::filesNow()
{
    auto snapshot = std::make_shared<Snapshot>(m_last ? *m_last : Snapshot());
    if (!m_last)
        snapshot->id = newId();
    snapshot->files = nullptr;
    takeFiles(*snapshot);
    return snapshot;
}

void SessionRewind::takeFiles(Snapshot& snapshot)
{
    if (auto opened = openFiles(); !opened) {
        snapshot.filesProblem = "files not kept: " + opened.error().message;
        return;
    }
    auto recorded = m_files->record(m_limits.fileBytes, m_room);
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
