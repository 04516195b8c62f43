#pragma once

#include "ui/bridge/rows.h"

#include <QStringList>

namespace sg::ui {

// Which rows are shown. Every word must match: `node:x` and `step:3` the whole field, `stream:out|err|event`
// the stream, anything else a part of the text or of the node's name; case does not matter. "Two words" in
// quotes are one.
class LogFilter {
public:
    static LogFilter parse(const QString& text);

    void setShown(LogRow::Stream stream, bool shown);
    [[nodiscard]] bool isShown(LogRow::Stream stream) const;
    [[nodiscard]] bool matches(const LogRow& row) const;
    [[nodiscard]] bool isOpen() const; // lets everything through
    [[nodiscard]] bool hasWords() const;

private:
    QStringList m_parts;
    QStringList m_nodes;
    QStringList m_steps;
    QStringList m_streams;
    bool m_shown[3] = { true, true, true };
};

QString streamWord(LogRow::Stream stream); // "out", "err", "event"

} // namespace sg::ui
