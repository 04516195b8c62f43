#pragma once

#include "ui/code/code_language.h"

class QFont;
class QObject;
class QsciLexer;

namespace sg::ui {

// A lexer in the colours of the present theme, or null for plain text. See dyeLexer().
QsciLexer* makeLexer(CodeLanguage language, QObject* parent);
// Converts the size to points, because Scintilla has no pixel sizes.
QFont codeFont(QFont font);
// Must be called after the theme or the font has changed.
void dyeLexer(QsciLexer& lexer, CodeLanguage language);

} // namespace sg::ui
