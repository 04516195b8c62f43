#pragma once

#include "ui/bridge/rows/rows.h"

#include <QRegularExpression>
#include <QStringList>
#include <QStringMatcher>

#include <cstddef>
#include <string>
#include <vector>

namespace sg::ui {

// A part of a text, or a regular expression between slashes; case does not matter.
class LogPattern {
public:
    explicit LogPattern(const QString& word);
    // Where it first stands at or after `from`, and how long it is there; -1: nowhere.
    [[nodiscard]] qsizetype indexIn(const QString& text, qsizetype from, qsizetype& length) const;
    [[nodiscard]] bool isIn(const QString& text) const;
    // The same of letters that are all ASCII; kReadPast bytes behind the last are read too. No expression.
    static constexpr std::size_t kReadPast = 16;
    [[nodiscard]] bool isInAscii(const char* text, std::size_t size) const;
    [[nodiscard]] bool isRegular() const { return m_isRegular; }
    [[nodiscard]] QString problem() const; // of an expression; empty: none

private:
    bool m_isRegular = false;
    QStringMatcher m_part;
    std::string m_folded; // the part in small letters; empty: it is in nothing that is ASCII
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
    void setAuditShown(bool shown) { m_showsAudit = shown; } // `source:audit` shows it all the same
    [[nodiscard]] bool showsAudit() const;
    // All but what is said of the text.
    [[nodiscard]] bool matchesFields(const LogRow& row) const;
    // Whether each pattern is in the node's name, or `isInText` says so.
    template<class IsInText>
    [[nodiscard]] bool matchesText(const LogRow& row, const IsInText& isInText) const
    {
        for (const LogPattern& pattern : m_patterns)
            if (!isInText(pattern) && (pattern.isRegular() || !pattern.isIn(row.node)))
                return false;
        return true;
    }
    [[nodiscard]] bool isOpen() const; // lets everything through
    [[nodiscard]] bool hasWords() const;
    [[nodiscard]] bool isRegular() const; // an expression is among them
    [[nodiscard]] QStringList sources() const { return m_sources; }
    [[nodiscard]] QString problem() const; // of an expression that is none: nothing matches it

private:
    std::vector<LogPattern> m_patterns;
    QStringList m_nodes;
    QStringList m_steps;
    QStringList m_streams;
    QStringList m_sources;
    bool m_shown[3] = { true, true, true };
    bool m_showsAudit = true;
};

QString streamWord(LogRow::Stream stream); // "out", "err", "event"
QString sourceWord(LogRow::Source source); // "node", "cell", "runner", "engine", "egress", "audit"

} // namespace sg::ui
