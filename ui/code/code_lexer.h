#pragma once

#include "ui/code/code_language.h"

class QFont;
class QObject;
class QsciLexer;

namespace sg::ui {

// Null for plain text. In the colours of the theme in use; see dyeLexer().
QsciLexer* makeLexer(CodeLanguage language, QObject* parent);
// Scintilla knows sizes in points alone.
QFont codeFont(QFont font);
// After the theme or the font has changed.
void dyeLexer(QsciLexer& lexer, CodeLanguage language);

} // namespace sg::ui
