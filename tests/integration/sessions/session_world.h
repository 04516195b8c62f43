#pragma once

#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/docker/docker_backend.h"
#include "core/sandbox/e2b/e2b_backend.h"
#include "core/sessions/manager/session_manager.h"
#include "tests/support/e2b_server.h"
#include "tests/support/machine.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace sg::test {

using sessions::CellResult;
using sessions::CellStatus;
using sessions::SessionSpec;

inline constexpr const char* kProject = "7e570001"; // as no real project is named

inline std::string summary(const CellResult& result)
{
    static constexpr std::array kNames{ "ok", "error", "interrupt", "timed out", "stopped", "died" };
    std::string text = kNames.at(static_cast<std::size_t>(result.status));
    if (result.error)
        text += " " + result.error->type + ": " + result.error->message + "\n" + result.error->traceback;
    return text;
}

// A service elsewhere for all worlds of a test: this program's own server, over bubblewrap.
inline const E2bServer& e2bServer()
{
    static const E2bServer server;
    return server;
}

// A project whose sessions run in one real backend.
struct World {
    // `records`: the project's sessions.sqlite, to be shared with other programs; empty: none.
    explicit World(const QByteArray& backend, const std::string& instance = "test",
                   const std::filesystem::path& records = {}, const std::string& project = kProject)
    {
        // Where root's sandboxes run as another user, the way to a BIND folder must be open.
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
        sessions::SessionManager::Backends backends;
        if (backend == "docker")
            backends.emplace("docker", sandbox::makeDockerBackend({ {}, instance, {}, {} }));
        else if (backend == "e2b")
            backends.emplace("e2b",
                             sandbox::makeE2bBackend(e2bServer().options(instance, folder / "elsewhere")));
        else
            backends.emplace("bubblewrap", sandbox::makeBubblewrapBackend({ "bwrap", instance }));
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        store = std::move(*opened);
        sessions::SessionManagerOptions options;
        options.sessionsFolder = folder / "sessions";
        options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        options.project = project;
        options.records = records;
        options.sampleInterval = Millis(100);
        options.answerTool = [this](sessions::Session& session,
                                    const sessions::ToolCall& call) -> Result<Value> {
            if (answerTool)
                return answerTool(session, call);
            return Error{ Errc::Unsupported, "this test answers nothing" };
        };
        options.layers = [this](const sessions::LayerWish& wish) -> Result<sessions::Layer> {
            if (layers)
                return layers(wish);
            return Error{ Errc::Unsupported, "this test installs nothing" };
        };
        options.findSecret = [this](const std::string& name,
                                    const std::stop_token&) -> Result<settings::Secret> {
            const auto found = secrets.find(name);
            if (found == secrets.end())
                return Error{ Errc::NotFound, "this test has no secret " + name };
            return settings::Secret(name, found->second);
        };
        options.findHeaderSecret = [this](const std::string& name,
                                          const std::stop_token&) -> Result<settings::Secret> {
            const auto found = headerSecrets.find(name);
            if (found == headerSecrets.end())
                return Error{ Errc::NotFound, "this test has no secret " + name };
            return settings::Secret(name, found->second);
        };
        options.audit = [this](audit::AuditEntry entry, sessions::AuditWhen) -> Result<void> {
            const std::lock_guard lock(auditMutex);
            audited.push_back(std::move(entry));
            return {};
        };
        manager =
            std::make_unique<sessions::SessionManager>(std::move(backends), *store, clock, random, options);
        if (backend == "e2b")
            spec.backend = "e2b"; // which is chosen by nobody but a graph
        spec.limits.memoryBytes = 256LL << 20;
        spec.limits.tmpfsBytes = 64LL << 20;
        spec.limits.pids = 64;
    }

    std::shared_ptr<sessions::Session> session(const std::string& thread)
    {
        auto made = manager->acquire(ThreadId(thread), spec);
        problem = made ? std::string() : made.error().message;
        return made ? *made : nullptr;
    }

    TempDir folder;
    SystemClock clock;
    SystemRandom random;
    std::unique_ptr<artifacts::ArtifactStore> store;
    SessionSpec spec;
    std::string problem;
    sessions::ToolAnswer answerTool; // of the sessions with datasets
    sessions::LayerSource layers; // of those with requirements
    std::map<std::string, std::string> secrets;
    std::map<std::string, std::string> headerSecrets; // that only the proxy may use
    std::mutex auditMutex;
    std::vector<audit::AuditEntry> audited; // guarded by auditMutex
    std::unique_ptr<sessions::SessionManager> manager;
};

// For a _data() function: SG_USE_BACKEND() takes the row's.
inline void backends()
{
    QTest::addColumn<QByteArray>("backend");
    QTest::newRow("bubblewrap") << QByteArray("bubblewrap");
    QTest::newRow("docker") << QByteArray("docker");
}

// The same, and a service elsewhere.
inline void everywhere()
{
    backends();
    QTest::newRow("e2b") << QByteArray("e2b");
}

struct Printed {
    std::string out;
    std::string told; // of the session itself
    sessions::CellHandlers handlers()
    {
        return { [this](const sessions::CellOutput& output) {
                    (output.stream == sessions::CellOutput::Stream::Event ? told : out) += output.bytes;
                },
                 {} };
    }
};

inline CellResult run(sessions::Session& session, const std::string& code, Millis deadline = Millis(30'000),
                      Printed* printed = nullptr)
{
    return session.runCell(code, { deadline, 1 << 20 }, {},
                           printed != nullptr ? printed->handlers() : sessions::CellHandlers(), {});
}

} // namespace sg::test

#define SG_USE_BACKEND()                                                                                     \
    QFETCH(const QByteArray, backend);                                                                       \
    SG_NEED(backend == "e2b" ? std::string("bubblewrap") : backend.toStdString());                           \
    sg::test::World world(backend)
