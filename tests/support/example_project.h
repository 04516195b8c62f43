#pragma once

#include "core/base/file.h"
#include "core/workbench/workbench.h"
#include "tests/support/temp_dir.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace sg::test {

// An opened project with one graph, in a temporary folder.
class ExampleProject {
public:
    explicit ExampleProject(const std::string& graph) { write(graph); }

    void write(const std::string& graph)
    {
        m_project.reset();
        m_folder.write("g.graph.json", graph);
        workbench::WorkbenchOptions options;
        options.project = got(projects::locateProject(m_folder / "g.graph.json"));
        m_project = got(workbench::Workbench::open(std::move(options)));
    }
    engine::RunResult run(const ThreadId& thread, Value input)
    {
        runs::RunRequest request;
        request.thread = thread;
        request.input = engine::RunInput::input(std::move(input));
        return m_project->runs().wait(got(m_project->runs().start(request)));
    }
    workbench::Workbench& operator*() { return *m_project; }
    workbench::Workbench* operator->() { return m_project.get(); }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder.path(); }
    [[nodiscard]] const std::filesystem::path& database() const { return m_project->project().checkpoints; }

private:
    template<typename T>
    static T got(Result<T> result)
    {
        if (!result) {
            std::cerr << result.error().message << '\n';
            std::abort();
        }
        return std::move(*result);
    }

    TempDir m_folder;
    std::unique_ptr<workbench::Workbench> m_project;
};

// A graph with one node "work", which runs this jq program, between start and end; its state has the channel
// "value".
inline std::string oneNodeGraph(const std::string& program)
{
    const Value nodes =
        Value::list({ Value::map({ { "name", "work" }, { "kind", "jq" }, { "jq", program } }) });
    return toJson(Value::map(
        { { "state", Value::map({ { "value", Value::map({ { "type", "last_value" } }) } }) },
          { "nodes", nodes },
          { "edges",
            Value::list({ Value::list({ "__start__", "work" }), Value::list({ "work", "__end__" }) }) } }));
}

} // namespace sg::test
