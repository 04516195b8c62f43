#pragma once

#include "core/sessions/live/sandbox_session.h"
#include "tests/support/local_process_backend.h"
#include "tests/support/temp_dir.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sg::test {

// One session over a plain process, with a store of its own and everything that it printed.
class SessionFixture {
public:
    explicit SessionFixture(sandbox::SandboxBackend* other = nullptr, bool isKept = false,
                            std::function<bool()> isAnothers = {})
        : backend(folder / "sandboxes")
    {
        auto store =
            artifacts::openArtifactStore(folder / "artifacts.sqlite", folder / "blobs", { 1U << 20 });
        if (!store)
            std::abort();
        artifactStore = std::move(*store);
        sessions::SessionParts parts;
        parts.id = SessionId("s-test");
        parts.thread = ThreadId("alice");
        parts.sandboxSpec.session = parts.id;
        parts.sandboxSpec.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        parts.backendName = "local";
        parts.backend = other != nullptr ? other : &backend;
        parts.artifacts = artifactStore.get();
        parts.clock = &clock;
        parts.spec.keep = isKept;
        parts.isAnothers = std::move(isAnothers);
        session = std::make_shared<sessions::SandboxSession>(
            std::move(parts), std::nullopt,
            [this](sessions::SessionEvent::Kind kind, const sessions::SessionInfo&, const std::string& text) {
                const std::lock_guard lock(mutex);
                events.push_back(text);
                kinds.push_back(kind);
            });
    }

    sessions::CellResult run(const std::string& code, sessions::CellLimits limits = {},
                             std::stop_token stop = {})
    {
        return session->runCell(code, limits, {}, handlers(), std::move(stop));
    }
    sessions::CellHandlers handlers()
    {
        return { [this](const sessions::CellOutput& output) {
                    switch (output.stream) {
                    case sessions::CellOutput::Stream::Stdout: out += output.bytes; break;
                    case sessions::CellOutput::Stream::Stderr: err += output.bytes; break;
                    case sessions::CellOutput::Stream::Event: notes.push_back(output.bytes); break;
                    }
                },
                 [this](const Value& value) { custom.push_back(value); } };
    }

    TempDir folder;
    LocalProcessBackend backend;
    SystemClock clock;
    std::unique_ptr<artifacts::ArtifactStore> artifactStore;
    std::string out;
    std::string err;
    std::vector<std::string> notes;
    ValueList custom;
    std::mutex mutex;
    std::vector<std::string> events; // guarded by mutex
    std::vector<sessions::SessionEvent::Kind> kinds; // the same
    std::shared_ptr<sessions::SandboxSession> session; // last: ends first
};

} // namespace sg::test
