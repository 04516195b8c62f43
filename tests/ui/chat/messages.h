#pragma once

#include "core/base/json.h"
#include "ui/bridge/chat/chat_query.h"

#include <QByteArray>

#include <string>

// Messages for tests of the chat.
namespace sg::test {

using ui::ChatRow;
using ui::ChatRows;

inline ChatRow rowOf(const char* json, const char* key)
{
    ChatRow row = ui::chatRow(*parseJson(json));
    row.key = QLatin1String(key);
    return row;
}

inline ChatRows rowsOf(std::vector<ChatRow> rows)
{
    ChatRows found;
    found.thread = QStringLiteral("t");
    found.rows = std::move(rows);
    return found;
}

// Person, agent with two calls (the second fails), answer.
inline ChatRows exchange()
{
    return rowsOf({
        rowOf(R"({"type": "human", "content": "How many?"})", "1"),
        rowOf(R"x({"type": "ai", "name": "analyst", "content": "I **count**.", "tool_calls": [
            {"name": "code_sandbox", "id": "c1", "args": {"code": "print(1)\nprint(2)"}},
            {"name": "export", "id": "c2", "args": {"path": "x.csv"}}],
            "usage_metadata": {"input_tokens": 12, "output_tokens": 3}})x",
              "2"),
        rowOf(R"({"type": "tool", "name": "code_sandbox", "tool_call_id": "c1", "content": "1\n2"})", "3"),
        rowOf(
            R"({"type": "tool", "name": "export", "tool_call_id": "c2", "status": "error", "content": "no such file"})",
            "4"),
        rowOf(
            R"({"type": "ai", "content": "Two.", "additional_kwargs": {"reasoning_content": "one and one"}})",
            "5"),
    });
}

inline constexpr const char* kThinking =
    R"x({"type": "ai", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes."}]})x";
inline constexpr const char* kBrokenCall = R"x({"type": "ai", "content": "", "invalid_tool_calls": [
            {"name": "add", "id": "c1", "args": "{\"a\": ", "error": null}]})x";
inline constexpr const char* kStored = R"x({"type": "ai", "content": "One two three."})x";

// A picture, one at an address, one in a format that could load others, and a sound.
inline QByteArray withPicture(const QByteArray& base64)
{
    return R"x({"type": "human", "content": [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,)x"
        + base64 + R"x("}}, {"type": "image_url", "image_url": {"url": "http://example.test/x.png"}},
        {"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data": "PHN2Zy8+"}},
        {"type": "audio", "data": "AAAA"}]})x";
}

// One node that asks the model at that address.
inline std::string modelGraph(const std::string& url)
{
    return R"x({"format": 1, "name": "p",
        "state": {"messages": {"type": "reduce", "reducer": "add_messages"}},
        "nodes": [{"name": "model", "kind": "llm", "model": "m", "base_url": ")x"
        + url + R"x("}], "edges": [["__start__", "model"]]})x";
}

} // namespace sg::test
