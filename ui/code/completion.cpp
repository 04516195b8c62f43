#include "ui/code/completion.h"

#include "ui/code/jq_tokens.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kFewestTyped = 2; // letters before words are offered
constexpr int kMostWords = 400;
constexpr int kMostText = 1 << 20; // limit of the text that is searched for words

const QStringList& pythonWords()
{
    static const QStringList words =
        QStringLiteral(
            "and as assert async await break class continue def del elif else except False finally for "
            "from global if import in is lambda None nonlocal not or pass raise return True try while "
            "with yield abs all any bool bytes dict dir enumerate Exception filter float format frozenset "
            "getattr hasattr int isinstance iter json KeyError len list map max min next object open "
            "ord pow print range repr reversed round set setattr sorted str sum super tuple type "
            "TypeError ValueError zip")
            .split(QLatin1Char(' '));
    return words;
}

Completion matching(const QStringList& from, const QString& typed)
{
    Completion found;
    found.typed = static_cast<int>(typed.size());
    for (const QString& word : from)
        if (word.startsWith(typed) && word != typed)
            found.words << word;
    found.words.removeDuplicates();
    std::sort(found.words.begin(), found.words.end(), [](const QString& a, const QString& b) {
        const int order = QString::compare(a, b, Qt::CaseInsensitive);
        return order == 0 ? a < b : order < 0;
    });
    found.words = found.words.mid(0, kMostWords);
    return found;
}

QStringList wordsIn(const QString& text)
{
    static const QRegularExpression word(QStringLiteral("\\b[A-Za-z_]\\w{2,}"));
    QSet<QString> found;
    const QString searched = text.left(kMostText);
    for (auto match = word.globalMatch(searched); match.hasNext();)
        found.insert(match.next().captured());
    return { found.begin(), found.end() };
}

// Tells whether `before` ends within a string or a comment.
bool isQuoted(const QString& before)
{
    QChar quote;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const QChar c = before[i];
        if (quote.isNull() && c == QLatin1Char('#'))
            return true;
        if (!quote.isNull() && c == QLatin1Char('\\'))
            ++i;
        else if (c == quote)
            quote = QChar();
        else if (quote.isNull() && (c == QLatin1Char('"') || c == QLatin1Char('\'')))
            quote = c;
    }
    return !quote.isNull();
}

Completion pythonAt(const QString& before, const QString& text, const CompletionWords& words, bool asked)
{
    // Matches state["…, state.get("…, and the keys of a returned update.
    static const QRegularExpression reads(QStringLiteral("\\bstate\\s*(?:\\[|\\.get\\()\\s*[\"'](\\w*)$"));
    static const QRegularExpression writes(
        QStringLiteral("(?:return|update\\s*=)\\s*\\{(?:.*,)?\\s*[\"'](\\w*)$"));
    for (const QRegularExpression& rule : { reads, writes })
        if (const auto found = rule.match(before); found.hasMatch())
            return matching(words.channels, found.captured(1));
    static const QRegularExpression name(QStringLiteral("(?<![\\w.])([A-Za-z_]\\w*)?$"));
    const auto found = name.match(before);
    if (!found.hasMatch() || isQuoted(before) || before.endsWith(QLatin1Char('.')))
        return {};
    if (found.captured(1).size() < kFewestTyped && !asked)
        return {};
    return matching(pythonWords() + words.names + wordsIn(text), found.captured(1));
}

Completion jqAt(const QString& before, const QString& text, const CompletionWords& words, bool asked)
{
    static const QRegularExpression field(QStringLiteral("(?<![\\w)\\]}?\"])\\.(\\w*)$"));
    if (const auto found = field.match(before); found.hasMatch())
        return matching(words.channels, found.captured(1));
    static const QRegularExpression variable(QStringLiteral("\\$(\\w*)$"));
    if (const auto found = variable.match(before); found.hasMatch()) {
        static const QRegularExpression bound(QStringLiteral("\\$(\\w+)"));
        QStringList names;
        for (auto each = bound.globalMatch(text); each.hasNext();)
            names << each.next().captured(1);
        return matching(names, found.captured(1));
    }
    static const QRegularExpression format(QStringLiteral("@\\w*$"));
    if (const auto found = format.match(before); found.hasMatch())
        return matching(jqFormats(), found.captured());
    static const QRegularExpression name(QStringLiteral("(?<![\\w.])([A-Za-z_]\\w*)?$"));
    const auto found = name.match(before);
    if (!found.hasMatch() || isQuoted(before) || (found.captured(1).size() < kFewestTyped && !asked))
        return {};
    static const QRegularExpression key(QStringLiteral("[{,]\\s*\\w*$")); // a key of an object
    return matching((key.match(before).hasMatch() ? words.channels : QStringList()) + jqKeywords()
                        + jqBuiltins(),
                    found.captured(1));
}

} // namespace

Completion completionAt(CodeLanguage language, const QString& before, const QString& text,
                        const CompletionWords& words, bool asked)
{
    if (language == CodeLanguage::Python)
        return pythonAt(before, text, words, asked);
    if (language == CodeLanguage::Jq)
        return jqAt(before, text, words, asked);
    return {};
}

} // namespace sg::ui
