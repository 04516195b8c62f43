#pragma once

#include <QString>

namespace sg::ui {

// Text for a QLabel with Qt::RichText: everything is escaped; `code` is shown in the fixed font and **name**
// in bold. So text from outside can be put in without becoming markup.
QString richSentence(const QString& text);

} // namespace sg::ui
