#pragma once

#include "tests/conformance/runner_client.h"
#include "tests/conformance/sandbox_backend_suite.h"
#include "tests/support/wait_for.h"

#include <QTest>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

// All parts of the suite share these steps.
namespace sg::test {

using namespace std::chrono_literals;
using sandbox::Sandbox;
using sandbox::SandboxEnd;
using sandbox::SandboxSpec;

inline constexpr std::int64_t kMiB = 1 << 20;

std::string contentOf(const std::filesystem::path& path);
std::string joined(const std::vector<std::string>& texts);
// No two calls give the same.
std::string uniqueMark();
// Code that starts a process which no signal but SIGKILL ends and which left its session; its command line
// holds the mark.
std::string spawnDaemon(const std::string& mark);

// NOLINTBEGIN(bugprone-macro-parentheses): names are declared
#define START(sandbox, client, specification)                                                                \
    const auto sandbox = started(specification);                                                             \
    QVERIFY(sandbox);                                                                                        \
    RunnerClient client(sandbox->stream());                                                                  \
    if (!client.hello())                                                                                     \
    QFAIL(("no answer from the runner: " + sandbox->lastWords()).c_str())

// Executes code that must end well; what it prints stands in `printed`.
#define RUN(printed, client, code)                                                                           \
    const RunnerClient::Cell printed##Cell = client.run(code);                                               \
    if (printed##Cell.status != "ok")                                                                        \
        QFAIL((printed##Cell.status + ": " + printed##Cell.error + printed##Cell.text).c_str());             \
    [[maybe_unused]] const std::string& printed = printed##Cell.text
// NOLINTEND(bugprone-macro-parentheses)

} // namespace sg::test
