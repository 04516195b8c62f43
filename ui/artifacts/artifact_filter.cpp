#include "ui/artifacts/artifact_filter.h"

#include "ui/artifacts/artifact_model.h"

#include <algorithm>

namespace sg::ui {
namespace {

bool isOfType(const ArtifactRow& row, const QString& type)
{
    return artifactIcon(row) == type || row.name.endsWith(QLatin1Char('.') + type, Qt::CaseInsensitive)
        || row.mime.contains(type, Qt::CaseInsensitive);
}

bool same(const QString& a, const QString& b)
{
    return a.compare(b, Qt::CaseInsensitive) == 0;
}

// Splits at blanks, except within quotes: node:"clean up".
QStringList wordsOf(const QString& text)
{
    QStringList words(QString{});
    bool isQuoted = false;
    for (const QChar sign : text) {
        if (sign == QLatin1Char('"'))
            isQuoted = !isQuoted;
        else if (sign.isSpace() && !isQuoted)
            words << QString();
        else
            words.last() += sign;
    }
    words.removeAll(QString());
    return words;
}

} // namespace

ArtifactFilter ArtifactFilter::parse(const QString& text)
{
    static const QStringList fields{ QStringLiteral("node"), QStringLiteral("thread"), QStringLiteral("run"),
                                     QStringLiteral("step"), QStringLiteral("type") };
    ArtifactFilter filter;
    for (const QString& word : wordsOf(text)) {
        const QString field = word.section(QLatin1Char(':'), 0, 0).toLower();
        if (!word.contains(QLatin1Char(':')) || !fields.contains(field))
            filter.m_words.append({ {}, word });
        else if (const QString value = word.section(QLatin1Char(':'), 1); !value.isEmpty())
            filter.m_words.append({ field, value });
    }
    return filter;
}

bool ArtifactFilter::matches(const ArtifactRow& row) const
{
    return std::ranges::all_of(m_words, [&row](const Word& word) {
        if (word.field.isEmpty())
            return row.path.contains(word.value, Qt::CaseInsensitive)
                || row.node.contains(word.value, Qt::CaseInsensitive);
        if (word.field == QLatin1String("node"))
            return same(row.node, word.value);
        if (word.field == QLatin1String("thread"))
            return same(row.thread, word.value);
        if (word.field == QLatin1String("run"))
            return row.run.startsWith(word.value, Qt::CaseInsensitive);
        if (word.field == QLatin1String("step"))
            return QString::number(row.step) == word.value;
        return isOfType(row, word.value);
    });
}

} // namespace sg::ui
