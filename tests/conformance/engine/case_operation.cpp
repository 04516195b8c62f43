#include "tests/conformance/engine/case_operation.h"

#include "tests/conformance/engine/case_nodes.h"
#include "tests/conformance/engine/name_list.h"

namespace sg::conformance {

engine::RunOptions runOptionsOf(const Value& op, const engine::StateAddress& at)
{
    engine::RunOptions options;
    options.thread = at.thread;
    options.ns = at.ns;
    options.checkpoint = at.checkpoint;
    options.inlineTasks = true;
    if (op["recursion_limit"].isInt())
        options.recursionLimit = static_cast<int>(op["recursion_limit"].asInt());
    const std::string durability = op.stringOr("durability", "async");
    options.durability = durability == "sync" ? engine::Durability::Sync
        : durability == "exit"                ? engine::Durability::Exit
                                              : engine::Durability::Async;
    options.interruptBefore = namesIn(op["interrupt_before"]);
    options.interruptAfter = namesIn(op["interrupt_after"]);
    options.outputKeys = namesIn(op["output_keys"]);
    if (op["metadata"].isMap())
        options.metadata = op["metadata"].asMap();
    if (op.stringOr("op", "") == "stream") {
        options.streamModes =
            op.find("modes") != nullptr ? namesIn(op["modes"]) : std::vector<std::string>{ "updates" };
        options.streamSubgraphs = op.boolOr("subgraphs", false);
    }
    return options;
}

engine::RunInput runInputOf(const Value& op)
{
    if (op.find("resume") != nullptr || op.find("command") != nullptr) {
        ValueMap command = op["command"].isMap() ? op["command"].asMap() : ValueMap();
        if (const Value* answer = op.find("resume"))
            command.set("resume", *answer);
        return engine::RunInput::command(caseCommand(Value(std::move(command))));
    }
    return engine::RunInput::input(op["input"]);
}

std::vector<std::vector<engine::StateUpdate>> updatesOf(const Value& op)
{
    const auto updateOf = [](const Value& item) {
        engine::StateUpdate one{ item["values"], std::nullopt };
        if (item["as_node"].isString())
            one.asNode = item["as_node"].asString();
        return one;
    };
    std::vector<std::vector<engine::StateUpdate>> steps;
    if (op.stringOr("op", "") == "update_state")
        steps = { { updateOf(op) } };
    else
        for (const Value& step : op["supersteps"].asList()) {
            steps.emplace_back();
            for (const Value& item : step.asList())
                steps.back().push_back(updateOf(item));
        }
    return steps;
}

} // namespace sg::conformance
