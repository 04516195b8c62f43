#pragma once

#include "ui/bridge/rows/rows.h"

#include <QRegularExpression>
#include <QStringList>
#include <QStringMatcher>

#include <cstddef>
#include <string>
#include <vector>

namespace sg::ui {

// A text to search for, or a regular expression between slashes. Case is ignored.
class LogPattern {
public:
    explicit LogPattern(const QString& word);
    // The first match at or after `from`, and its length; -1 if there is none.
    [[nodiscard]] qsizetype indexIn(const QString& text, qsizetype from, qsizetype& length) const;
    [[nodiscard]] bool isIn(const QString& text) const;
    // Does the same for ASCII bytes, not for regular expressions. It reads up to kReadPast bytes beyond the
    // end.
    static constexpr std::size_t kReadPast = 16;
    [[nodiscard]] bool isInAscii(const char* text, std::size_t size) const;
    [[nodiscard]] bool isRegular() const { return m_isRegular; }
    [[nodiscard]] QString problem() const; // why it is no valid expression; empty if it is

private:
    bool m_isRegular = false;
    QStringMatcher m_part;
    std::string m_folded; // the text in small letters; empty if it is not ASCII
    QRegularExpression m_expression;
};

// Filters the rows. Every word must match: `node:x` and `step:3` the whole field, `stream:out|err|event` the
// stream, `source:` the origin, /…/ the text as a regular expression, anything else a part of the text or of
// the node's name. Case is ignored. Quotes join words.
class LogFilter {
public:
    static LogFilter parse(const QString& text);

    void setShown(LogRow::Stream stream, bool shown);
    [[nodiscard]] bool isShown(LogRow::Stream stream) const;
    void setAuditShown(bool shown) { m_showsAudit = shown; } // `source:audit` shows it all the same
    [[nodiscard]] bool showsAudit() const;
    // All but what is said of the text.
    [[nodiscard]] bool matchesFields(const LogRow& row) const;
    // Tells whether each pattern is in the node's name or in the text, as `isInText` tells.
    template<class IsInText>
    [[nodiscard]] bool matchesText(const LogRow& row, const IsInText& isInText) const
    {
        for (const LogPattern& pattern : m_patterns)
            if (!isInText(pattern) && (pattern.isRegular() || !pattern.isIn(row.node)))
                return false;
        return true;
    }
    [[nodiscard]] bool isOpen() const; // all rows match
    [[nodiscard]] bool hasWords() const;
    [[nodiscard]] bool isRegular() const; // it contains an expression
    [[nodiscard]] QStringList sources() const { return m_sources; }
    [[nodiscard]] QString problem() const; // of an invalid expression, which matches nothing

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
