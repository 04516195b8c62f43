#include "ui/code/code_marks.h"

#include <QRegularExpression>

#include <algorithm>
#include <string_view>

namespace sg::ui {
namespace {

constexpr std::string_view kBadPython = "bad-python";
constexpr std::string_view kUndeclared = "undeclared-channel";

// The number of the line that equals `source` and is nearest to `line`; 0 if there is none.
int placeOf(QStringView source, int line, const QString& text)
{
    if (source.isEmpty())
        return line; // the traceback has no source
    const QList<QStringView> lines = QStringView(text).split(QLatin1Char('\n'));
    const int count = static_cast<int>(lines.size());
    const auto isAt = [&](int at) { return at >= 1 && at <= count && lines[at - 1].trimmed() == source; };
    const int from = std::min(line, count); // printed tracebacks may name any line
    for (int away = 0; away < count; ++away)
        for (const int at : { from - away, from + away })
            if (isAt(at))
                return at;
    return 0;
}

} // namespace

std::vector<CodeMark> problemMarks(const std::vector<graph::Problem>& problems, std::size_t node,
                                   const std::string& setting)
{
    static const QRegularExpression lineWord(QStringLiteral("\\bline (\\d{1,7})\\b"));
    const std::string pointer = "/nodes/" + std::to_string(node) + "/" + setting;
    std::vector<CodeMark> marks;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const graph::Problem& problem = problems[i];
        if (problem.pointer != pointer || problem.severity == graph::Problem::Severity::Hint
            || problem.code == kBadPython)
            continue;
        CodeMark mark;
        mark.problem = static_cast<int>(i);
        mark.message = QString::fromStdString(problem.message);
        mark.isWarning = problem.severity == graph::Problem::Severity::Warning;
        if (const auto found = lineWord.match(mark.message); found.hasMatch())
            mark.line = std::max(1, found.captured(1).toInt());
        marks.push_back(mark);
    }
    return marks;
}

std::vector<CodeMark> pythonMarks(const std::vector<graph::Problem>& problems, const QString& file)
{
    const QString before = file + QLatin1Char(':');
    std::vector<CodeMark> marks;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const graph::Problem& problem = problems[i];
        QString message = QString::fromStdString(problem.message);
        if ((problem.code != kBadPython && problem.code != kUndeclared) || file.isEmpty()
            || !message.startsWith(before))
            continue;
        static const QRegularExpression place(QStringLiteral("^(\\d{1,7}):(?:\\d+:)? "));
        message.remove(0, before.size());
        CodeMark mark;
        mark.problem = static_cast<int>(i);
        mark.isWarning = problem.severity == graph::Problem::Severity::Warning;
        if (const auto found = place.match(message); found.hasMatch()) {
            mark.line = std::max(1, found.captured(1).toInt());
            message.remove(0, found.capturedLength());
        }
        mark.message = message.trimmed();
        marks.push_back(mark);
    }
    return marks;
}

std::vector<CodeMark> tracebackMarks(const QString& traceback, const QString& file, const QString& message,
                                     const QString& text)
{
    if (file.isEmpty())
        return {};
    // A frame is followed by its line of code, if Python could read that.
    static const QRegularExpression frame(
        QStringLiteral("File \"([^\"\\n]*)\", line (\\d{1,7})[^\\n]*(?:\\n[ \\t]+(?!File \")(\\S[^\\n]*))?"));
    int line = 0;
    QString source;
    for (auto each = frame.globalMatch(traceback); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        const QString path = found.captured(1);
        if (path == file || path.endsWith(QLatin1Char('/') + file)) {
            line = found.captured(2).toInt();
            source = found.captured(3).trimmed();
        }
    }
    line = placeOf(source, line, text);
    if (line < 1)
        return {};
    return { CodeMark{ .line = line, .message = message } };
}

} // namespace sg::ui
