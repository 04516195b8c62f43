#pragma once

#include "core/base/value.h"

#include <QString>

namespace sg::ui {

QString utf16(std::string_view text); // invalid bytes become U+FFFD

QString keyText(const Value& key); // "score", 42

// One line: "\"ok\"", "0.97", "object, 3 keys", "list, 7 items", "bytes, 61 kB". An object with text in
// `content`, such as a message, shows that text. Long strings are cut.
QString valueLine(const Value& value);

// JSON for tooltips and the clipboard, at most `most` characters; an ellipsis ends a cut text.
QString valueJson(const Value& value, qsizetype most);

// The role of a list's item, if it has one: "ai" for a message.
QString itemRole(const Value& value);

} // namespace sg::ui
