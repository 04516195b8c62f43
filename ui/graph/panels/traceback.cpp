#include "ui/graph/panels/traceback.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

QString traceWords(const char* text, int count = -1)
{
    return QCoreApplication::translate("Traceback", text, nullptr, count);
}

// Tells whether the file is one of packages, of Python itself or of the sandbox's runner.
bool isLibraryFile(const QString& file)
{
    static const QStringList kPlaces{ QStringLiteral("/site-packages/"), QStringLiteral("/dist-packages/"),
                                      QStringLiteral("/lib/python"),     QStringLiteral("/lib64/python"),
                                      QStringLiteral("sandbox_runner"),  QStringLiteral("sandglass_runner") };
    return file.startsWith(QLatin1String("<frozen"))
        || std::ranges::any_of(kPlaces, [&file](const QString& place) { return file.contains(place); });
}

// "/usr/lib/python3/dist-packages/numpy/core/fromnumeric.py" → "numpy/core/fromnumeric.py"
QString inPackage(const QString& file)
{
    for (const QLatin1String place : { QLatin1String("-packages/"), QLatin1String("/lib/") })
        if (const auto at = file.lastIndexOf(place); at >= 0)
            return file.mid(at + place.size());
    return file;
}

} // namespace

Traceback tracebackOf(const QString& text)
{
    static const QRegularExpression kFrame(
        QStringLiteral("^\\s*File \"(?<file>[^\"]*)\", line (?<line>\\d{1,9})(?:, in (?<name>.*))?$"));
    Traceback made;
    QStringList message;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("Traceback (most recent call last)"))) {
            made.frames.clear();
            message.clear();
            continue;
        }
        if (const auto found = kFrame.match(line); found.hasMatch()) {
            const QString file = found.captured(QStringLiteral("file"));
            made.frames.push_back({ file,
                                    found.captured(QStringLiteral("line")).toInt(),
                                    found.captured(QStringLiteral("name")),
                                    {},
                                    isLibraryFile(file) });
            message.clear();
        } else if (!line.startsWith(QLatin1Char(' '))) {
            if (!made.frames.empty() && !line.trimmed().isEmpty())
                message << line;
        } else if (!made.frames.empty() && message.isEmpty() && made.frames.back().code.isEmpty()
                   && line.trimmed().remove(QLatin1Char('^')).remove(QLatin1Char('~')).size() > 0) {
            made.frames.back().code = line.trimmed();
        }
    }
    made.message = message.join(QLatin1Char('\n'));
    return made;
}

QString librarySummary(const std::vector<TraceFrame>& frames)
{
    std::vector<std::pair<QString, int>> packages; // in the order of the calls
    for (const TraceFrame& frame : frames) {
        const QString package =
            inPackage(frame.file).section(QLatin1Char('/'), 0, 0).remove(QLatin1String(".py"));
        const auto known = std::ranges::find(packages, package, &std::pair<QString, int>::first);
        if (known == packages.end())
            packages.emplace_back(package, 1);
        else
            ++known->second;
    }
    QStringList counts;
    for (const auto& [package, count] : packages)
        counts << (packages.size() == 1 ? package : QStringLiteral("%1 %2").arg(package).arg(count));
    const QString head = frames.size() == 1 ? traceWords("1 library frame")
                                            : traceWords("%1 library frames").arg(frames.size());
    return traceWords("%1  %2; the last is %3:%4")
        .arg(head, counts.join(QStringLiteral(", ")), inPackage(frames.back().file))
        .arg(frames.back().line);
}

} // namespace sg::ui
