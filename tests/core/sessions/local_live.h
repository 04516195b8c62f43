#pragma once

#include "core/artifacts/blob_store.h"
#include "core/sessions/runner/live_sandbox.h"
#include "tests/support/local_process_backend.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"

#include <memory>
#include <optional>
#include <string>

namespace sg::test {

// A greeted runner as a plain process, with its session's folder and a folder of contents.
class LocalLive {
public:
    LocalLive()
        : m_backend(folder / "sandboxes")
    {
        sandbox::SandboxSpec spec;
        spec.session = SessionId("s-test");
        spec.runnerFolder = std::string(SG_SOURCE_DIR) + "/resources/sandbox";
        auto started = m_backend.start(spec);
        auto opened = artifacts::BlobStore::open(folder / "contents");
        if (!started || !opened)
            qFatal("%s", (started ? opened.error() : started.error()).message.c_str());
        blobs.emplace(std::move(*opened));
        live = std::make_shared<sessions::LiveSandbox>(std::move(*started), sandbox::Limits(), ValueMap(),
                                                       [](const sessions::Frame&) {});
        sessions::CellLimits limits;
        limits.outputBytes = 1 << 20;
        if (auto greeted = live->greet(limits); !greeted)
            qFatal("%s", greeted.error().message.c_str());
    }
    ~LocalLive() { live->link().close({ Errc::Cancelled, "the test is over" }); }

    // A request and its answer, as "asleep" of {"ev": "snapshot", …}.
    Result<sessions::Frame> ask(ValueMap request, const char* expected)
    {
        return live->link().ask(std::move(request), expected, std::chrono::seconds(30));
    }
    [[nodiscard]] std::filesystem::path home() const { return m_backend.sessionFolder(); }

    TempDir folder;
    std::optional<artifacts::BlobStore> blobs;
    std::shared_ptr<sessions::LiveSandbox> live;

private:
    LocalProcessBackend m_backend;
};

} // namespace sg::test
