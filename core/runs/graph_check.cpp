#include "core/runs/graph_check.h"

#include "core/config/runtime.h"
#include "core/config/secrets.h"
#include "core/config/session_settings.h"
#include "core/expressions/jq_evaluator.h"
#include "core/graph/included_graphs.h"
#include "core/graph/reading.h"
#include "core/graph/validate.h"
#include "core/sandbox/backend_kinds.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <tuple>

namespace sg::runs {
namespace {

std::vector<std::pair<std::size_t, std::string>> checkJq(const std::vector<std::string>& programs)
{
    std::vector<std::pair<std::size_t, std::string>> problems;
    if (programs.empty())
        return problems;
    auto found = expressions::checkJqPrograms(programs, expressions::findJqHelper());
    if (!found)
        return { { 0, found.error().message } };
    for (expressions::JqProblem& problem : *found)
        problems.emplace_back(problem.program, std::move(problem.message));
    return problems;
}

// Turns "read graph PATH: line 3, column 7: expected ':'", with or without its prefix, into a problem at that
// place. nullopt: the file could not even be read.
std::optional<graph::Problem> syntaxProblem(const Error& error)
{
    std::size_t place = error.message.rfind(": line ");
    if (place != std::string::npos)
        place += 2;
    else if (error.message.starts_with("line "))
        place = 0;
    std::size_t line = 0;
    std::size_t column = 0;
    int length = 0;
    if (place == std::string::npos
        || std::sscanf(error.message.c_str() + place, "line %zu, column %zu: %n", &line, &column, &length)
            != 2
        || length == 0)
        return std::nullopt;
    graph::Problem problem;
    problem.severity = graph::Problem::Severity::Error;
    problem.code = "not-json";
    problem.message = error.message.substr(place + static_cast<std::size_t>(length));
    problem.position = { line, column };
    return problem;
}

graph::GraphFile brokenFile(graph::Problem problem)
{
    graph::GraphFile broken;
    broken.problems.push_back(std::move(problem));
    return broken;
}

// A run would fail at its first session. A warning says so before, but does not refuse the graph.
void warnOfSecrets(graph::GraphFile& file, const projects::ProjectPaths& project,
                   const config::SettingValues& settings)
{
    const auto merged = config::sessionSettings(file.graph, project, { {}, false, settings });
    if (!merged)
        return;
    const std::vector<std::string>& names = file.graph.sandbox.secrets;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (config::mayHaveSecret(merged->merged, names[i]))
            continue;
        graph::Problem problem;
        problem.severity = graph::Problem::Severity::Warning;
        problem.code = "secret-not-allowed";
        problem.message = config::secretNotAllowed(names[i]);
        problem.pointer = "/sandbox/secrets/" + std::to_string(i);
        problem.position = graph::positionOf(file.positions, problem.pointer);
        file.problems.push_back(std::move(problem));
    }
    std::ranges::stable_sort(file.problems, {}, [](const graph::Problem& problem) {
        return std::tuple(static_cast<int>(problem.severity), problem.position.line, problem.position.column);
    });
}

void check(graph::GraphFile& file, const projects::ProjectPaths& project, Check depth,
           const config::SettingValues& settings)
{
    graph::ValidationHost host;
    host.backends.push_back(sandbox::kAutoBackend);
    for (const sandbox::BackendKind& kind : sandbox::backendKinds())
        host.backends.push_back(kind.name);
    if (depth != Check::Form) {
        host.folder = project.folder;
        if (const auto packages = config::runtimePackages(config::locateRuntime()))
            for (const config::RuntimePackage& each : *packages)
                host.installedModules.push_back(each.module());
        host.sandboxFault = [&](const graph::SandboxSettings&) {
            const auto merged = config::sessionSettings(file.graph, project, { {}, false, settings });
            return merged ? std::string() : merged.error().message;
        };
    }
    if (depth == Check::All || depth == Check::Editing)
        host.checkJq = checkJq;
    host.forEditing = depth == Check::Editing;
    file.problems = graph::validate(file, host);
    if (depth != Check::Form && file.skipped.empty())
        warnOfSecrets(file, project, settings);
}

} // namespace

Result<graph::GraphFile> checkedGraph(const projects::ProjectPaths& project, Check depth,
                                      const config::SettingValues& settings)
{
    auto file = graph::loadGraph(project.graph);
    if (!file) {
        if (auto problem = syntaxProblem(file.error()))
            return brokenFile(std::move(*problem));
        return std::move(file.error());
    }
    check(*file, project, depth, settings);
    return file;
}

graph::GraphFile checkedText(const projects::ProjectPaths& project, std::string_view text, Check depth,
                             const config::SettingValues& settings)
{
    auto file = graph::parseGraph(text);
    if (!file) {
        if (auto known = syntaxProblem(file.error()))
            return brokenFile(std::move(*known));
        graph::Problem problem;
        problem.code = "not-json";
        problem.message = file.error().message;
        return brokenFile(std::move(problem));
    }
    check(*file, project, depth, settings);
    return std::move(*file);
}

Result<RunnableGraph> runnableGraph(const projects::ProjectPaths& project, Check check,
                                    const config::SettingValues& settings)
{
    const std::string name = project.graph.filename().string();
    auto file = checkedGraph(project, check == Check::Form ? check : Check::Files, settings);
    if (!file)
        return std::move(file.error());
    if (const graph::Problem* problem = file->firstError())
        return Error{ Errc::InvalidArgument, graph::describe(*problem, name) };
    auto whole = graph::withIncludedGraphs(file->graph, project.folder);
    if (!whole)
        return std::move(whole.error()).during(name);
    return RunnableGraph{ std::move(*whole), graph::graphText(file->graph) };
}

} // namespace sg::runs
