#pragma once

#include "core/base/value.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

// How fields of forms show what the graph's settings hold, and take it.
namespace sg::ui {

QString settingText(const Value* value); // texts as they are, everything else as JSON; null pointer: empty
void setSettingText(ValueMap& settings, const std::string& key, const QString& text); // empty: the key goes
std::vector<std::string> namesIn(const QString& text); // "a, b"
QString joinedNames(const std::vector<std::string>& names);
// A list that may be absent, which is not the same as empty: that is "[]".
std::optional<std::vector<std::string>> listIn(const QString& text);
QString listText(const std::optional<std::vector<std::string>>& names);

} // namespace sg::ui
