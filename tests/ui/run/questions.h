#pragma once

// Questions as core's nodes ask them, for tests.
namespace sg::test {

inline constexpr const char* kFormQuestion = R"({"question": "Who are you?", "schema": {"type": "object",
    "properties": {"name": {"type": "string", "title": "Full name", "description": "as in the passport"},
        "age": {"type": "integer", "minimum": 18}, "member": {"type": "boolean", "default": false},
        "team": {"enum": ["red", "blue"]}, "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    "required": ["name", "age", "team"]}})";
inline constexpr const char* kEditQuestion = R"({"question": "Right?", "value": {"title": "T", "size": 3}})";
inline constexpr const char* kTextQuestion =
    R"({"question": "Right?", "value": "a draft", "schema": {"type": "string", "minLength": 3}})";
inline constexpr const char* kToolQuestion =
    R"({"action_requests": [{"name": "mail", "args": {"to": "all", "copies": 2}}]})";
inline constexpr const char* kTwoTools =
    R"({"action_requests": [{"name": "mail", "args": {"to": 1}}, {"name": "post", "args": {}}],
        "review_configs": [{"action_name": "mail", "allowed_decisions": ["approve", "edit"]}]})";
inline constexpr const char* kManyAnswers =
    R"({"question": "Which?", "answers": [1, 2, 3, 4, 5, 6, "seven"]})";
inline constexpr const char* kRefused =
    R"({"question": "Who?", "problem": "the answer does not fit: /age: 3 breaks minimum 18",
    "schema": {"type": "object", "properties": {"age": {"type": "integer", "minimum": 18}}}})";

} // namespace sg::test
