#pragma once

#include <QString>

namespace sg::ui {

// Escapes text for a QLabel with Qt::RichText, so that text from outside cannot become markup. `code` is
// shown in the fixed font and **name** in bold.
QString richSentence(const QString& text);

} // namespace sg::ui
