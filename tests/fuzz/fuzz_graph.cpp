// Any graph file: every problem named, what can be read is saved and read the same, and what has no problem
// compiles.

#include "core/engine/program.h"
#include "core/exchange/dot.h"
#include "core/graph/validate.h"
#include "tests/fuzz/any_nodes.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"

using namespace sg;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto file = graph::parseGraph(fuzz::textOf(data, size));
    if (!file)
        return 0;
    const auto problems = graph::validate(*file, {});
    bool hasErrors = file->hasErrors();
    for (const graph::Problem& problem : problems) {
        graph::describe(problem, "a.graph.json");
        hasErrors = hasErrors || problem.severity == graph::Problem::Severity::Error;
    }
    exchange::toDot(file->graph);
    if (file->skipped.empty()) {
        const std::string text = graph::graphText(file->graph);
        const auto again = graph::parseGraph(text);
        fuzz::expect(static_cast<bool>(again), "what was saved is read", text);
        fuzz::expect(graph::graphText(again->graph) == text, "saved twice, it is the same", text);
        fuzz::expect(again->graph == file->graph, "read back, it is equal", text);
    }
    fuzz::AnyNodes nodes;
    const auto program = engine::compile(file->graph, nodes); // also of a graph with problems
    fuzz::expect(hasErrors || static_cast<bool>(program), "a graph without problems compiles",
                 program ? "" : program.error().message);
    return 0;
}
