#include "ui/logs/log_filter.h"

#include <algorithm>

namespace sg::ui {

namespace {

QStringList wordsOf(const QString& text)
{
    QStringList words;
    QString word;
    bool quoted = false;
    for (const QChar sign : text) {
        if (sign == QLatin1Char('"')) {
            quoted = !quoted;
        } else if (sign.isSpace() && !quoted) {
            if (!word.isEmpty())
                words << word;
            word.clear();
        } else {
            word += sign;
        }
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

bool sameAsAny(const QStringList& wanted, const QString& value)
{
    return std::ranges::any_of(
        wanted, [&value](const QString& word) { return value.compare(word, Qt::CaseInsensitive) == 0; });
}

} // namespace

LogFilter LogFilter::parse(const QString& text)
{
    LogFilter filter;
    for (const QString& word : wordsOf(text)) {
        const QString field = word.section(QLatin1Char(':'), 0, 0).toLower();
        const QString value = word.section(QLatin1Char(':'), 1);
        QStringList* fields = field == QLatin1String("node") ? &filter.m_nodes
            : field == QLatin1String("step")                 ? &filter.m_steps
            : field == QLatin1String("stream")               ? &filter.m_streams
                                                             : nullptr;
        if (!word.contains(QLatin1Char(':')) || !fields)
            filter.m_parts << word;
        else if (!value.isEmpty())
            fields->append(value);
    }
    return filter;
}

void LogFilter::setShown(LogRow::Stream stream, bool shown)
{
    m_shown[static_cast<int>(stream)] = shown;
}

bool LogFilter::isShown(LogRow::Stream stream) const
{
    return m_shown[static_cast<int>(stream)];
}

bool LogFilter::matches(const LogRow& row) const
{
    if (!isShown(row.stream))
        return false;
    if (!m_streams.isEmpty() && !sameAsAny(m_streams, streamWord(row.stream)))
        return false;
    if (!m_nodes.isEmpty() && !sameAsAny(m_nodes, row.node))
        return false;
    if (!m_steps.isEmpty() && !m_steps.contains(QString::number(row.step)))
        return false;
    return std::ranges::all_of(m_parts, [&row](const QString& part) {
        return row.text.contains(part, Qt::CaseInsensitive) || row.node.contains(part, Qt::CaseInsensitive);
    });
}

bool LogFilter::isOpen() const
{
    return !hasWords() && m_shown[0] && m_shown[1] && m_shown[2];
}

bool LogFilter::hasWords() const
{
    return !m_parts.isEmpty() || !m_nodes.isEmpty() || !m_steps.isEmpty() || !m_streams.isEmpty();
}

QString streamWord(LogRow::Stream stream)
{
    switch (stream) {
    case LogRow::Stream::Out: return QStringLiteral("out");
    case LogRow::Stream::Err: return QStringLiteral("err");
    case LogRow::Stream::Event: return QStringLiteral("event");
    }
    return {};
}

} // namespace sg::ui
