#include "core/sessions/manager/left_snapshots.h"

#include "core/base/log.h"
#include "core/sessions/runner/live_sandbox.h"
#include "core/sessions/snapshots/live_copies.h"

#include <utility>

namespace sg::sessions {
namespace {

constexpr Millis kLeftAnswerTime{ 10'000 };
constexpr Millis kStoreTime{ 10'000 }; // for all of them, as for a session that ends in its own program

// The limits bound how much the names may take, and appear in messages.
sandbox::Limits limitsOf(const SessionId& id, SessionRecords* records)
{
    const auto record =
        records != nullptr ? records->find(id) : Result<std::optional<SessionRecord>>(std::nullopt);
    return record && *record ? (*record)->info.limits : sandbox::Limits();
}

Result<void> store(const FoundSession& found, const SessionManagerOptions& options, SessionRecords* records)
{
    auto sandbox = found.backend->attach(found.sandbox);
    if (!sandbox)
        return std::move(sandbox.error());
    if (found.sandbox.paused)
        if (auto woken = (*sandbox)->unpause(); !woken)
            return woken;
    const auto live = std::make_shared<LiveSandbox>(
        std::move(*sandbox), limitsOf(found.sandbox.session, records), ValueMap(), [](const Frame&) {});
    if (auto greeted = live->greet(CellLimits()); !greeted)
        return greeted;
    const auto told = live->link().ask({ { "op", "snapshots" } }, "snapshots", kLeftAnswerTime);
    if (!told)
        return told.error();
    std::vector<SnapshotId> asleep;
    if (told->body["snapshots"].isList())
        for (const Value& each : told->body["snapshots"].asList())
            asleep.emplace_back(each.stringOr("snapshot", ""));
    LiveCopies copies(options.snapshots, options.snapshotLimits, options.snapshotRoom.get(),
                      options.snapshotStored);
    copies.use(live, std::move(asleep));
    if (!copies.storeAll(kStoreTime))
        return Error{ Errc::Timeout, "there was no time for all of them" };
    return {};
}

} // namespace

void storeLeftSnapshots(const FoundSession& found, const SessionManagerOptions& options,
                        SessionRecords* records)
{
    if (options.snapshots.empty() || !options.snapshotStored
        || holderOf(found.sandbox, records) != Holder::Nobody)
        return;
    if (auto stored = store(found, options, records); !stored)
        logMessage(LogLevel::Warning,
                   "the snapshots that sleep in session " + found.sandbox.session.value
                       + " are not written out: " + stored.error().message);
}

} // namespace sg::sessions
