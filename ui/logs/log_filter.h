#pragma once

#include "ui/bridge/rows.h"

#include <QRegularExpression>
#include <QStringList>
#include <QStringMatcher>

#include <vector>

namespace sg::ui {

// A part of a text, or a regular expression between slashes; case does not matter.
class LogPattern {
public:
    explicit LogPattern(const QString& word);
    // Where it first stands at or after `from`, and how long it is there; -1: nowhere.
    [[nodiscard]] qsizetype indexIn(const QString& text, qsizetype from, qsizetype& length) const;
    [[nodiscard]] bool isIn(const QString& text) const;
    [[nodiscard]] bool isRegular() const { return m_isRegular; }
    [[nodiscard]] QString problem() const; // of an expression; empty: none

private:
    bool m_isRegular = false;
    QStringMatcher m_part;
    QRegularExpression m_expression;
};

// Which rows are shown. Every word must match: `node:x` and `step:3` the whole field, `stream:out|err|event`
// the stream, `source:` who says it, /…/ the text by a regular expression, anything else a part of the text
// or of the node's name; case does not matter. "Two words" in quotes are one.
class LogFilter {
public:
    static LogFilter parse(const QString& text);

    void setShown(LogRow::Stream stream, bool shown);
    [[nodiscard]] bool isShown(LogRow::Stream stream) const;
    [[nodiscard]] bool matches(const LogRow& row) const;
    [[nodiscard]] bool isOpen() const; // lets everything through
    [[nodiscard]] bool hasWords() const;
    [[nodiscard]] QString problem() const; // of an expression that is none: nothing matches it

private:
    std::vector<LogPattern> m_patterns;
    QStringList m_nodes;
    QStringList m_steps;
    QStringList m_streams;
    QStringList m_sources;
    bool m_shown[3] = { true, true, true };
};

QString streamWord(LogRow::Stream stream); // "out", "err", "event"
QString sourceWord(LogRow::Source source); // "node", "cell", "runner", "engine", "egress", "audit"

} // namespace sg::ui
