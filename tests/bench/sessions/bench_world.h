#pragma once

#include "core/sandbox/bubblewrap/bubblewrap_backend.h"
#include "core/sandbox/docker/docker_backend.h"
#include "core/sandbox/e2b/e2b_backend.h"
#include "core/sessions/manager/session_manager.h"
#include "tests/bench/figure_lines.h"
#include "tests/support/e2b_server.h"
#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace sg::bench {

inline bool runs(sessions::Session& session, const std::string& code,
                 const sessions::CellHandlers& handlers = {}, std::int64_t outputBytes = 8 << 20)
{
    const sessions::CellLimits limits{ std::chrono::minutes(5), outputBytes };
    const auto result = session.runCell(code, limits, {}, handlers, {});
    if (result.error)
        std::fprintf(stderr, "%s: %s\n", result.error->type.c_str(), result.error->message.c_str());
    return result.status == sessions::CellStatus::Ok;
}

inline std::filesystem::path pythonWithPackages()
{
    if (const char* chosen = std::getenv("SANDGLASS_PYTHON"))
        return chosen;
    const char* home = std::getenv("HOME");
    const std::filesystem::path python =
        std::filesystem::path(home == nullptr ? "" : home) / ".local/share/sandglass/python";
    return std::filesystem::exists(python / "bin/python3") ? python : std::filesystem::path();
}

// Sessions on one backend, and what they leave in a store of their own.
struct World {
    // `group`: what the names of its figures begin with, before the backend's.
    World(const std::string& group, const std::string& backend, bool takesSnapshots = false,
          sessions::AuditListener audit = {})
        : name(backend)
        , ids(group + "." + backend)
    {
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
        auto opened = artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs");
        if (!opened)
            std::abort();
        store = std::move(*opened);
        sessions::SessionManager::Backends backends;
        if (name == "docker")
            backends.emplace(name, sandbox::makeDockerBackend({ {}, "bench", {}, {} }));
        else if (name == "e2b")
            backends.emplace(
                name, sandbox::makeE2bBackend(elsewhere.emplace().options("bench", folder / "elsewhere")));
        else
            backends.emplace(name, sandbox::makeBubblewrapBackend({ "bwrap", "bench" }));
        sessions::SessionManagerOptions options;
        options.sessionsFolder = folder / "sessions";
        options.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        options.python = pythonWithPackages();
        options.project = "be0cb0c1";
        options.audit = std::move(audit);
        if (takesSnapshots)
            options.snapshots = folder / "snapshots";
        manager =
            std::make_unique<sessions::SessionManager>(std::move(backends), *store, clock, random, options);
    }
    std::shared_ptr<sessions::Session> session(const sessions::SessionSpec& wanted = {})
    {
        sessions::SessionSpec spec = wanted;
        if (name == "e2b")
            spec.backend = name;
        auto made = manager->acquire(ThreadId("t" + std::to_string(++threads)), spec);
        if (!made) {
            printFailed(ids, made.error().message);
            return nullptr;
        }
        return *made;
    }

    [[nodiscard]] std::string id(const std::string& figure) const { return ids + "." + figure; }

    const std::string name;
    const std::string ids;
    std::optional<test::E2bServer> elsewhere; // this program's own server, on loopback
    test::TempDir folder;
    SystemClock clock;
    SystemRandom random;
    std::unique_ptr<artifacts::ArtifactStore> store;
    std::unique_ptr<sessions::SessionManager> manager;
    int threads = 0;
};

} // namespace sg::bench
