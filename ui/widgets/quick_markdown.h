#pragma once

#include <QString>

namespace sg::ui {

// Tells whether Qt reads the Markdown at once. Each mark of emphasis that is never closed is compared with
// all others of its paragraph: ten thousand of them, which a model may write in a loop, keep the window
// waiting for seconds. Other text is to be shown as it is written.
inline bool isQuicklyReadMarkdown(const QString& text)
{
    constexpr int kMostMarks = 2000; // of one paragraph
    int marks = 0;
    bool isLineBegin = true; // a mark there is a list's
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar letter = text[i];
        const bool isMark =
            letter == QLatin1Char('*') || letter == QLatin1Char('_') || letter == QLatin1Char('~');
        if (letter == QLatin1Char('\n')) {
            if (isLineBegin)
                marks = 0;
            isLineBegin = true;
        } else if (!letter.isSpace()) {
            marks += isMark && !isLineBegin ? 1 : 0;
            isLineBegin = false;
        }
        if (marks > kMostMarks)
            return false;
    }
    return true;
}

} // namespace sg::ui
