#pragma once

#include "core/base/value.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

// Conversions between a graph's settings and the fields of forms.
namespace sg::ui {

QString settingText(const Value* value); // text as it is, everything else as JSON; empty for null
void setSettingText(ValueMap& settings, const std::string& key, const QString& text); // "" removes the key
std::vector<std::string> namesIn(const QString& text); // "a, b"
QString joinedNames(const std::vector<std::string>& names);
// A missing list has an empty text; an empty list is "[]".
std::optional<std::vector<std::string>> listIn(const QString& text);
QString listText(const std::optional<std::vector<std::string>>& names);

} // namespace sg::ui
