#pragma once

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/sandbox/e2b/e2b_backend.h"
#include "tests/support/temp_dir.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sg::test {

// `sandglass serve --e2b` over bubblewrap, as a service elsewhere: for tests of a client of it.
class E2bServer {
public:
    // `options`: more words of the command line. isUp() says whether it serves.
    explicit E2bServer(std::vector<std::string> options = {}, const std::string& sandbox = "{}")
    {
        std::filesystem::permissions(m_folder.path(), std::filesystem::perms(0755));
        m_folder.write("project/served.graph.json",
                       R"({"format": 1, "name": "served", "state": {"x": {"type": "last_value"}},
                           "nodes": [{"name": "a", "kind": "jq", "jq": "{}"}],
                           "edges": [["__start__", "a"], ["a", "__end__"]], "sandbox": )"
                           + sandbox + "}");
        ProcessSpec spec;
        spec.program = SG_BIN_DIR "/sandglass";
        spec.arguments = { "--json",    "serve",     "--e2b", "--project", (m_folder / "project").string(),
                           "--backend", "bubblewrap" };
        spec.arguments.insert(spec.arguments.end(), options.begin(), options.end());
        for (char** variable = environ; *variable != nullptr; ++variable)
            spec.environment.emplace_back(*variable);
        ProcessSpec keys = spec;
        keys.arguments.insert(keys.arguments.end(), { "--new-key", "test", "--sandboxes", "100" });
        const auto made = runProcess(std::move(keys), {}, std::chrono::seconds(30));
        const auto told = made ? parseJson(made->out) : Result<Value>(made.error());
        if (!told)
            return;
        m_key = told->stringOr("key", "");
        spec.arguments.insert(spec.arguments.end(), { "--port", "0" });
        spec.pipeStdout = true;
        auto started = ChildProcess::start(spec);
        if (!started)
            return;
        m_process = std::make_unique<ChildProcess>(std::move(*started));
        std::string line;
        for (char letter = 0; ::read(m_process->stdoutPipe().get(), &letter, 1) == 1 && letter != '\n';)
            line += letter;
        if (const auto serving = parseJson(line))
            m_url = serving->stringOr("serving", "");
    }
    ~E2bServer()
    {
        if (!m_process)
            return;
        m_process->kill(SIGTERM); // so that it ends its sandboxes
        static_cast<void>(m_process->wait(std::chrono::seconds(30)));
    }
    E2bServer(const E2bServer&) = delete;
    E2bServer& operator=(const E2bServer&) = delete;

    [[nodiscard]] bool isUp() const { return !m_url.empty(); }
    [[nodiscard]] const std::string& key() const { return m_key; }
    [[nodiscard]] sandbox::e2b::Connection connection() const
    {
        sandbox::e2b::Connection made;
        made.name = "near";
        made.api = made.sandboxes = m_url;
        made.key = "near";
        made.sandboxTemplate = "base";
        return made;
    }
    [[nodiscard]] sandbox::E2bOptions options(const std::string& instance,
                                              std::filesystem::path records = {}) const
    {
        sandbox::E2bOptions made;
        made.instance = instance;
        made.connections = [this]() -> Result<std::vector<sandbox::e2b::Connection>> {
            return std::vector{ connection() };
        };
        made.key = [this](const std::string&) -> Result<std::string> { return m_key; };
        made.runnerFolder = SG_SOURCE_DIR "/resources/sandbox";
        made.records = records.empty() ? m_folder / "records" : std::move(records);
        return made;
    }

private:
    TempDir m_folder;
    std::string m_key;
    std::string m_url;
    std::unique_ptr<ChildProcess> m_process;
};

} // namespace sg::test
