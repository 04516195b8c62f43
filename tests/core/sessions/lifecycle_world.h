#pragma once

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/sandbox/owner_process.h"
#include "core/sessions/manager/session_manager.h"
#include "tests/support/counting_random.h"
#include "tests/support/local_process_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/wait_for.h"

#include <atomic>
#include <csignal>
#include <mutex>
#include <set>
#include <thread>

namespace sg::test {

using sessions::SessionEvent;
using sessions::SessionSpec;

inline constexpr const char* kProject = "12345678";

// A manager over runners as plain processes, with records, and what it told.
struct LifecycleWorld {
    explicit LifecycleWorld(sessions::HostBudgetLimits budget = {}, bool isRewinding = false)
        : rewinds(isRewinding)
    {
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        store = std::move(*opened);
        make(budget);
    }

    void make(sessions::HostBudgetLimits budget = {})
    {
        sessions::SessionManager::Backends backends;
        auto made = std::make_unique<test::LocalProcessBackend>(folder / "sandboxes");
        backend = made.get();
        backends.emplace("docker", std::move(made));
        sessions::SessionManagerOptions options;
        options.sessionsFolder = folder / "sessions";
        options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        options.project = kProject;
        options.sampleInterval = Millis(20);
        options.records = folder / "sessions.sqlite";
        options.budget = budget;
        if (rewinds)
            options.snapshots = folder / "snapshots";
        options.snapshotStored = [](const SnapshotId&, const Value&) { return true; };
        options.isInRun = [this](const ThreadId& thread) {
            const std::lock_guard lock(mutex);
            return running.contains(thread.value);
        };
        options.findHeaderSecret = [this](const std::string& name,
                                          const std::stop_token& stop) -> Result<settings::Secret> {
            return findHeaderSecret ? findHeaderSecret(name, stop)
                                    : Error{ Errc::NotFound, "no secret " + name };
        };
        manager =
            std::make_unique<sessions::SessionManager>(std::move(backends), *store, clock, random, options);
        subscription = manager->events().subscribe([this](const SessionEvent& event) {
            const std::lock_guard lock(mutex);
            if (event.kind != SessionEvent::Kind::Sample)
                events.push_back(event);
        });
    }

    std::shared_ptr<sessions::Session> session(const std::string& thread, const SessionSpec& spec = {})
    {
        auto made = manager->acquire(ThreadId(thread), spec);
        problem = made ? std::string() : made.error().message;
        return made ? *made : nullptr;
    }
    std::string valueOf(sessions::Session& session, const std::string& code)
    {
        const auto result = session.runCell(code, {}, {}, {}, {});
        if (result.error)
            return result.error->type + ": " + result.error->message;
        return result.value["text/plain"].isString() ? result.value["text/plain"].asString() : "";
    }
    // The texts of all events of a kind.
    std::string said(SessionEvent::Kind kind)
    {
        const std::lock_guard lock(mutex);
        std::string text;
        for (const SessionEvent& event : events)
            if (event.kind == kind)
                text += event.text + "|";
        return text;
    }
    std::string stateOf(const SessionId& id)
    {
        const auto record = manager->records()->find(id);
        return record && *record ? (*record)->info.state.text() : "none";
    }

    // A run works on it, or does not any more.
    void setInRun(const std::string& thread, bool isInRun)
    {
        const std::lock_guard lock(mutex);
        if (isInRun)
            running.insert(thread);
        else
            running.erase(thread);
    }

    const bool rewinds;
    test::TempDir folder;
    SystemClock clock;
    test::CountingRandom random;
    std::unique_ptr<artifacts::ArtifactStore> store;
    test::LocalProcessBackend* backend = nullptr;

    std::mutex mutex;
    std::set<std::string> running; // threads; guarded by mutex
    std::vector<SessionEvent> events; // guarded by mutex
    std::string problem;
    sessions::SecretLookup findHeaderSecret; // empty: there is none
    std::unique_ptr<sessions::SessionManager> manager;
    Subscription subscription;
};

} // namespace sg::test
