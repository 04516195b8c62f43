#include "core/engine/steps/task_path.h"

#include "core/engine/compile/compiled_graph.h"
#include "core/engine/names.h"

namespace sg::engine {
namespace {

std::string tenDigits(std::int64_t number)
{
    std::string text = std::to_string(number);
    if (text.size() < 10)
        text.insert(0, 10 - text.size(), '0');
    return text;
}

constexpr const char* kHandlerPart = "node_error_handler";

} // namespace

std::string TaskPath::text(const CompiledGraph& graph) const
{
    std::string out = "~";
    switch (kind) {
    case Kind::Input: return out;
    case Kind::Update: out += std::string(kInterruptName) + ", " + tenDigits(index); break;
    case Kind::Pull: (out += kPullName) += ", " + graph.node(node).name.value; break;
    case Kind::Push: out += std::string(kPushName) + ", " + tenDigits(index) + ", " + tenDigits(0); break;
    }
    if (errorHandler)
        out += std::string(", ") + kHandlerPart + ", " + tenDigits(0);
    return out;
}

Value TaskPath::value(const CompiledGraph& graph) const
{
    ValueList out;
    switch (kind) {
    case Kind::Input: break;
    case Kind::Update: out = { kInterruptName, Value(index) }; break;
    case Kind::Pull: out = { kPullName, graph.node(node).key }; break;
    case Kind::Push: out = { kPushName, Value(index), false }; break;
    }
    if (errorHandler) {
        out.emplace_back(kHandlerPart);
        out.emplace_back(false);
    }
    return Value(std::move(out));
}

bool TaskPath::before(const TaskPath& other, const CompiledGraph& graph) const
{
    if (!errorHandler && !other.errorHandler && kind == other.kind) {
        if (kind == Kind::Pull)
            return graph.node(node).nameRank < graph.node(other.node).nameRank;
        if (index <= 9'999'999'999 && other.index <= 9'999'999'999)
            return index < other.index;
    }
    return text(graph) < other.text(graph);
}

} // namespace sg::engine
