#pragma once

#include <QStringList>

#include <cstddef>
#include <string_view>
#include <vector>

namespace sg::ui {

enum class JqToken { Space, Comment, Number, String, Keyword, Field, Variable, Name, Operator, Format };

struct JqRun {
    JqToken kind;
    std::size_t length; // bytes
};

// Splits a jq program into runs without gaps, also an incomplete one.
std::vector<JqRun> jqRuns(std::string_view program);

const QStringList& jqKeywords();
const QStringList& jqBuiltins();
const QStringList& jqFormats(); // "@base64", …

} // namespace sg::ui
