// Any text as a conformance case: refused with what is wrong, or a graph that compiles or says why not.

#include "core/base/json.h"
#include "core/engine/program.h"
#include "tests/conformance/engine/case_graph.h"
#include "tests/conformance/engine/case_shape.h"
#include "tests/fuzz/any_nodes.h"
#include "tests/fuzz/pieces.h"

using namespace sg;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto description = parseJson(fuzz::textOf(data, size));
    if (!description || !conformance::problemOfCase(*description).empty())
        return 0;
    std::vector<std::string> programs;
    const graph::Graph graph = conformance::caseGraph((*description)["graph"], programs);
    fuzz::AnyNodes nodes;
    (void)engine::compile(graph, nodes);
    return 0;
}
