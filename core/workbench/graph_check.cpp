#include "core/workbench/graph_check.h"

#include "core/expressions/jq_evaluator.h"
#include "core/graph/validate.h"
#include "core/workbench/session_settings.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sg::workbench {
namespace {

bool isKnownKind(const std::string& kind)
{
    constexpr std::array<std::string_view, 4> kKinds = { "python", "jq", "human", "subgraph" };
    return std::ranges::find(kKinds, kind) != kKinds.end();
}

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

} // namespace

Result<graph::GraphFile> checkedGraph(const ProjectPaths& project, Check check)
{
    auto file = graph::loadGraph(project.graph);
    if (!file)
        return std::move(file.error()).during(project.graph.filename().string());
    graph::ValidationHost host;
    host.isKnownKind = isKnownKind;
    if (check != Check::Form) {
        host.folder = project.folder;
        host.sandboxFault = [&](const graph::SandboxSettings&) {
            const auto settings = sessionSettings(file->graph, project, {});
            return settings ? std::string() : settings.error().message;
        };
    }
    if (check == Check::All)
        host.checkJq = checkJq;
    file->problems = graph::validate(*file, host);
    return file;
}

} // namespace sg::workbench
