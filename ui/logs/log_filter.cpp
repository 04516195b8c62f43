#include "ui/logs/log_filter.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sg::ui {

namespace {

// Limits backtracking to a few milliseconds for each line; beyond that the line does not match.
constexpr const char* kMostTries = "(*LIMIT_MATCH=1000000)";

bool isExpression(const QString& word)
{
    return word.size() > 2 && word.startsWith(QLatin1Char('/')) && word.endsWith(QLatin1Char('/'));
}

// Splits at blanks, except within quotes and slashes; slashes are kept.
QStringList wordsOf(const QString& text)
{
    QStringList words;
    QString word;
    bool isQuoted = false;
    bool isExpressed = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar sign = text[i];
        if (isExpressed) {
            word += sign;
            if (sign == QLatin1Char('\\') && i + 1 < text.size())
                word += text[++i];
            isExpressed = sign != QLatin1Char('/');
        } else if (sign == QLatin1Char('"')) {
            isQuoted = !isQuoted;
        } else if (sign.isSpace() && !isQuoted) {
            if (!word.isEmpty())
                words << word;
            word.clear();
        } else {
            isExpressed = sign == QLatin1Char('/') && word.isEmpty() && !isQuoted
                && text.indexOf(QLatin1Char('/'), i + 1) > i + 1;
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

// 16 characters at once, in a vector of the compiler.
using Letters = unsigned char __attribute__((vector_size(16)));
static_assert(sizeof(Letters) == LogPattern::kReadPast);

constexpr char kCaseBit = 0x20; // differs between small and large ASCII letters

Letters lettersAt(const char* text)
{
    Letters letters;
    std::memcpy(&letters, text, sizeof letters);
    return letters;
}

Letters sixteen(char letter)
{
    return Letters{} + static_cast<unsigned char>(letter | kCaseBit);
}

bool isFolded(const char* text, const std::string& folded)
{
    return std::equal(folded.begin(), folded.end(), text, [](char small, char letter) {
        return small == (letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter | kCaseBit) : letter);
    });
}

} // namespace

LogPattern::LogPattern(const QString& word)
    : m_isRegular(isExpression(word))
{
    if (!m_isRegular) {
        m_part = QStringMatcher(word, Qt::CaseInsensitive);
        QString folded = word; // letter by letter, as QStringMatcher does
        for (QChar& letter : folded)
            letter = letter.toCaseFolded();
        if (std::ranges::all_of(folded, [](QChar letter) { return letter.unicode() < 128; }))
            m_folded = folded.toStdString();
        return;
    }
    m_expression = QRegularExpression(QLatin1String(kMostTries) + word.mid(1, word.size() - 2),
                                      QRegularExpression::CaseInsensitiveOption);
    m_expression.optimize();
}

qsizetype LogPattern::indexIn(const QString& text, qsizetype from, qsizetype& length) const
{
    if (!m_isRegular) {
        length = m_part.pattern().size();
        return m_part.indexIn(text, from);
    }
    if (!m_expression.isValid())
        return -1;
    const QRegularExpressionMatch match = m_expression.match(text, from);
    length = match.capturedLength();
    return match.hasMatch() ? match.capturedStart() : -1;
}

bool LogPattern::isIn(const QString& text) const
{
    return m_isRegular ? m_expression.isValid() && m_expression.match(text).hasMatch()
                       : m_part.indexIn(text) >= 0;
}

// Compares fully only where both the first and the last character match, ignoring case.
bool LogPattern::isInAscii(const char* text, std::size_t size) const
{
    if (m_part.pattern().isEmpty())
        return true;
    if (m_folded.empty() || m_folded.size() > size)
        return false;
    const Letters first = sixteen(m_folded.front());
    const Letters last = sixteen(m_folded.back());
    const Letters caseBits = Letters{} + static_cast<unsigned char>(kCaseBit);
    const std::size_t places = size - m_folded.size() + 1;
    for (std::size_t begin = 0; begin < places; begin += sizeof(Letters)) {
        const auto firsts = (lettersAt(text + begin) | caseBits) == first;
        const auto lasts = (lettersAt(text + begin + m_folded.size() - 1) | caseBits) == last;
        const auto both = firsts & lasts;
        std::uint64_t halves[2];
        std::memcpy(halves, &both, sizeof halves);
        if ((halves[0] | halves[1]) == 0)
            continue;
        const std::size_t end = std::min(sizeof(Letters), places - begin);
        for (std::size_t i = 0; i < end; ++i)
            if (both[i] != 0 && isFolded(text + begin + i, m_folded))
                return true;
    }
    return false;
}

QString LogPattern::problem() const
{
    return m_isRegular && !m_expression.isValid() ? m_expression.errorString() : QString();
}

LogFilter LogFilter::parse(const QString& text)
{
    LogFilter filter;
    for (const QString& word : wordsOf(text)) {
        const QString field = word.section(QLatin1Char(':'), 0, 0).toLower();
        const QString value = word.section(QLatin1Char(':'), 1);
        QStringList* fields = field == QLatin1String("node") ? &filter.m_nodes
            : field == QLatin1String("step")                 ? &filter.m_steps
            : field == QLatin1String("stream")               ? &filter.m_streams
            : field == QLatin1String("source")               ? &filter.m_sources
                                                             : nullptr;
        if (!word.contains(QLatin1Char(':')) || !fields || isExpression(word))
            filter.m_patterns.emplace_back(word);
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

bool LogFilter::showsAudit() const
{
    return m_showsAudit || sameAsAny(m_sources, sourceWord(LogRow::Source::Audit));
}

bool LogFilter::matchesFields(const LogRow& row) const
{
    if (row.source == LogRow::Source::Audit && !showsAudit())
        return false;
    if (!isShown(row.stream))
        return false;
    if (!m_streams.isEmpty() && !sameAsAny(m_streams, streamWord(row.stream)))
        return false;
    if (!m_nodes.isEmpty() && !sameAsAny(m_nodes, row.node))
        return false;
    if (!m_steps.isEmpty() && (row.step == LogRow::kNoStep || !m_steps.contains(QString::number(row.step))))
        return false;
    return m_sources.isEmpty() || sameAsAny(m_sources, sourceWord(row.source));
}

bool LogFilter::isOpen() const
{
    return !hasWords() && m_showsAudit && m_shown[0] && m_shown[1] && m_shown[2];
}

bool LogFilter::hasWords() const
{
    return !m_patterns.empty() || !m_nodes.isEmpty() || !m_steps.isEmpty() || !m_streams.isEmpty()
        || !m_sources.isEmpty();
}

bool LogFilter::isRegular() const
{
    return std::ranges::any_of(m_patterns, &LogPattern::isRegular);
}

QString LogFilter::problem() const
{
    for (const LogPattern& pattern : m_patterns)
        if (!pattern.problem().isEmpty())
            return pattern.problem();
    return {};
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

QString sourceWord(LogRow::Source source)
{
    switch (source) {
    case LogRow::Source::Node: return QStringLiteral("node");
    case LogRow::Source::Cell: return QStringLiteral("cell");
    case LogRow::Source::Runner: return QStringLiteral("runner");
    case LogRow::Source::Engine: return QStringLiteral("engine");
    case LogRow::Source::Egress: return QStringLiteral("egress");
    case LogRow::Source::Audit: return QStringLiteral("audit");
    }
    return {};
}

} // namespace sg::ui
