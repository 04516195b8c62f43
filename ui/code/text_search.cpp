#include "ui/code/text_search.h"

#include <QRegularExpression>

namespace sg::ui {
namespace {

QRegularExpression patternOf(const TextQuery& query)
{
    QString pattern = query.isPattern ? query.words : QRegularExpression::escape(query.words);
    if (query.isWholeWord)
        pattern = QStringLiteral("(?<!\\w)(?:%1)(?!\\w)").arg(pattern);
    QRegularExpression::PatternOptions options =
        QRegularExpression::MultilineOption | QRegularExpression::UseUnicodePropertiesOption;
    if (!query.matchesCase)
        options |= QRegularExpression::CaseInsensitiveOption;
    return QRegularExpression(pattern, options);
}

// $1 is the first group.
QString filled(const QString& with, const QRegularExpressionMatch& found)
{
    QString made;
    for (qsizetype i = 0; i < with.size(); ++i) {
        const bool isGroup =
            with[i] == QLatin1Char('$') && i + 1 < with.size() && with[i + 1].isDigit() && found.hasMatch();
        made += isGroup ? found.captured(with[i + 1].digitValue()) : QString(with[i]);
        i += isGroup ? 1 : 0;
    }
    return made;
}

} // namespace

TextMatches findMatches(const QString& text, const TextQuery& query, std::size_t most)
{
    TextMatches found;
    if (query.words.isEmpty())
        return found;
    const QRegularExpression pattern = patternOf(query);
    if (!pattern.isValid()) {
        found.fault = pattern.errorString();
        return found;
    }
    for (auto each = pattern.globalMatch(text); each.hasNext();) {
        const QRegularExpressionMatch match = each.next();
        if (match.capturedLength() == 0)
            continue;
        if (found.all.size() == most) {
            found.isCut = true;
            break;
        }
        found.all.push_back({ match.capturedStart(), match.capturedLength() });
    }
    return found;
}

QStringList replacementsOf(const QString& text, const std::vector<TextMatch>& matches, const TextQuery& query,
                           const QString& with)
{
    QStringList all;
    all.reserve(static_cast<qsizetype>(matches.size()));
    const QRegularExpression pattern = query.isPattern ? patternOf(query) : QRegularExpression();
    for (const TextMatch& match : matches)
        all << (query.isPattern ? filled(with,
                                         pattern.match(text, match.start, QRegularExpression::NormalMatch,
                                                       QRegularExpression::AnchorAtOffsetMatchOption))
                                : with);
    return all;
}

} // namespace sg::ui
