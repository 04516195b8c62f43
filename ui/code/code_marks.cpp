#include "ui/code/code_marks.h"

#include <QRegularExpression>

#include <algorithm>
#include <string_view>

namespace sg::ui {
namespace {

constexpr std::string_view kBadPython = "bad-python";

} // namespace

std::vector<CodeMark> problemMarks(const std::vector<graph::Problem>& problems, std::size_t node,
                                   const std::string& setting)
{
    static const QRegularExpression lineWord(QStringLiteral("\\bline (\\d{1,7})\\b"));
    const std::string pointer = "/nodes/" + std::to_string(node) + "/" + setting;
    std::vector<CodeMark> marks;
    for (const graph::Problem& problem : problems) {
        if (problem.pointer != pointer || problem.severity == graph::Problem::Severity::Hint
            || problem.code == kBadPython)
            continue;
        CodeMark mark;
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
    for (const graph::Problem& problem : problems) {
        QString message = QString::fromStdString(problem.message);
        if (problem.code != kBadPython || file.isEmpty() || !message.startsWith(before))
            continue;
        static const QRegularExpression place(QStringLiteral("^(\\d{1,7}):(?:\\d+:)? "));
        message.remove(0, before.size());
        CodeMark mark;
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

std::vector<CodeMark> tracebackMarks(const QString& traceback, const QString& file, const QString& message)
{
    if (file.isEmpty())
        return {};
    static const QRegularExpression frame(QStringLiteral("File \"([^\"\\n]*)\", line (\\d{1,7})"));
    int line = 0;
    for (auto each = frame.globalMatch(traceback); each.hasNext();) {
        const QRegularExpressionMatch found = each.next();
        const QString path = found.captured(1);
        if (path == file || path.endsWith(QLatin1Char('/') + file))
            line = found.captured(2).toInt();
    }
    if (line < 1)
        return {};
    return { CodeMark{ line, message, false } };
}

} // namespace sg::ui
