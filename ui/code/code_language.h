#pragma once

#include <QString>

namespace sg::ui {

enum class CodeLanguage { Plain, Python, Jq, Json, Markdown };

CodeLanguage languageOfFile(const QString& name); // by the file's extension
QString languageTitle(CodeLanguage language); // "Python"

} // namespace sg::ui
