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

// The whole of a jq program in runs, in order and without gaps; also of one that is being typed.
std::vector<JqRun> jqRuns(std::string_view program);

const QStringList& jqKeywords();
const QStringList& jqBuiltins();
const QStringList& jqFormats(); // "@base64", …

} // namespace sg::ui
