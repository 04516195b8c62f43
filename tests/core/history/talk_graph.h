#pragma once

namespace sg::test {

// "plan" and "end" write to the graph's messages, "work" is a subgraph that keeps its own.
inline constexpr const char* kTalk = R"({"format": 1, "name": "talk",
    "state": {"messages": {"type": "reduce", "reducer": "add_messages"}},
    "nodes": [
        {"name": "plan", "kind": "jq", "jq": "{messages: [{type: \"ai\", content: \"planned\"}]}"},
        {"name": "work", "kind": "subgraph", "in": "{messages: [{type: \"human\", content: \"do it\"}]}", "out": "{}",
         "graph": {"state": {"messages": {"type": "reduce", "reducer": "add_messages"}},
            "nodes": [{"name": "model", "kind": "jq", "jq":
                "{messages: [{type: \"ai\", content: \"\", tool_calls: [{name: \"add\", args: {a: 1}, id: \"c1\"}]}]}"},
                {"name": "tools", "kind": "jq", "jq":
                "{messages: [{type: \"tool\", content: \"2\", tool_call_id: \"c1\", name: \"add\"}]}"}],
            "edges": [["__start__", "model"], ["model", "tools"], ["tools", "__end__"]]}},
        {"name": "end", "kind": "jq", "jq": "{messages: [{type: \"ai\", content: \"done\"}]}"}],
    "edges": [["__start__", "plan"], ["plan", "work"], ["work", "end"], ["end", "__end__"]]})";

} // namespace sg::test
