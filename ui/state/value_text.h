#pragma once

#include "core/base/value.h"

#include <QString>

namespace sg::ui {

QString utf16(std::string_view text); // invalid bytes become U+FFFD

QString keyText(const Value& key); // "score", 42

// One line: "\"ok\"", "0.97", "object, 3 keys", "list, 7 items", "bytes, 61 kB". A message or another object
// with text in `content` shows that. Long strings are cut.
QString valueLine(const Value& value);

// For tooltips and the clipboard: JSON, at most `most` characters, ended by an ellipsis where cut.
QString valueJson(const Value& value, qsizetype most);

// What an item of a list is, where it says so: "ai" for a message, empty otherwise.
QString itemRole(const Value& value);

} // namespace sg::ui
