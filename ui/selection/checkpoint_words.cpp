#include "ui/selection/checkpoint_words.h"

#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kNamed = 3; // of many nodes
constexpr int kErrorLength = 200;
constexpr double kToldQueue = 0.01; // seconds: less is the work of starting
constexpr double kMostAnswer = 0.1; // seconds: what takes longer after an answer does work of its own

bool isAnswer(const TaskRow& row)
{
    return row.wasAsked && row.seconds < kMostAnswer && row.triedMs < row.startedMs;
}

QString origin(const CheckpointRow& row)
{
    if (!row.after.isEmpty() && row.after != QStringList(QStringLiteral("__start__")))
        return QObject::tr("after %1").arg(nodeList(row.after));
    if (row.source == checkpoint::Source::Input)
        return QObject::tr("input");
    if (row.source == checkpoint::Source::Update)
        return QObject::tr("state updated");
    if (row.source == checkpoint::Source::Fork)
        return QObject::tr("forked");
    return QObject::tr("start");
}

} // namespace

QString stepText(int step)
{
    return step < 0 ? QChar(0x2212) + QString::number(-static_cast<qint64>(step)) : QString::number(step);
}

QString stepName(int step)
{
    return QObject::tr("step %1").arg(stepText(step));
}

QString taskName(const QString& node)
{
    const QLatin1String handler("__error_handler__");
    return node.startsWith(handler) ? QObject::tr("on error of %1").arg(node.mid(handler.size())) : node;
}

QString nodeList(const QStringList& nodes)
{
    if (nodes.size() <= kNamed)
        return nodes.join(QStringLiteral(", "));
    return QObject::tr("%1 and %2 more")
        .arg(nodes.mid(0, kNamed - 1).join(QStringLiteral(", ")))
        .arg(nodes.size() - kNamed + 1);
}

QString checkpointLabel(const CheckpointRow& row)
{
    return row.next.isEmpty() ? QObject::tr("%1 → end").arg(origin(row))
                              : QObject::tr("%1 → next %2").arg(origin(row), nodeList(row.next));
}

QString checkpointTip(const CheckpointRow& row)
{
    QString tip = checkpointLabel(row) + QStringLiteral(", ") + stepName(row.step);
    if (!std::isnan(row.timeMs))
        tip += QStringLiteral(", ") + formatClock(row.timeMs);
    const QString sandbox = sandboxWords(row);
    return sandbox.isEmpty() ? tip : tip + QLatin1Char('\n') + sandbox;
}

QString sandboxWords(const CheckpointRow& row)
{
    QString words;
    switch (row.sandbox) {
    case SandboxMark::Exact: words = QObject::tr("Sandbox: kept exactly, with every name"); break;
    case SandboxMark::Restored: words = QObject::tr("Sandbox: can be restored"); break;
    case SandboxMark::None: words = QObject::tr("Sandbox: not kept"); break;
    case SandboxMark::Unused: break;
    }
    if (!words.isEmpty() && !row.sandboxNote.isEmpty())
        words += QStringLiteral(". ") + row.sandboxNote;
    return words;
}

QString taskTip(const TaskRow& row, double nowMs, double markMs)
{
    QString tip = QObject::tr("%1: %2, step %3")
                      .arg(taskName(row.node), stateWord(stateOf(row.outcome)), stepText(row.step));
    const double seconds = taskSeconds(row, nowMs);
    if (!std::isnan(seconds))
        tip += QStringLiteral(", ") + formatDuration(seconds);
    if (row.attempts > 1)
        tip += QStringLiteral(", ") + QObject::tr("attempt %1").arg(row.attempts);
    if (row.triedMs < row.startedMs && !row.wasAsked)
        tip += QStringLiteral(", ")
            + QObject::tr("first tried %1 before").arg(formatDuration((row.startedMs - row.triedMs) / 1000));
    const double begun = row.triedMs < row.startedMs ? row.triedMs : row.startedMs;
    if (const double queue = (begun - markMs) / 1000; queue >= kToldQueue)
        tip += QStringLiteral(", ") + QObject::tr("waited %1 to start").arg(formatDuration(queue));
    if (!row.error.isEmpty())
        tip += QLatin1Char('\n') + row.error.left(kErrorLength);
    return tip;
}

QString checkpointSpoken(const CheckpointRow& row, int lastStep)
{
    const QString next =
        row.next.isEmpty() ? QObject::tr("end") : QObject::tr("next %1").arg(nodeList(row.next));
    return QObject::tr("Step %1 of %2, %3, %4")
        .arg(stepText(row.step), stepText(lastStep), origin(row), next);
}

double taskStart(const TaskRow& row)
{
    return isAnswer(row) ? row.triedMs : row.startedMs;
}

double taskSeconds(const TaskRow& row, double nowMs)
{
    if (!std::isnan(row.seconds))
        return row.seconds + (isAnswer(row) ? (row.startedMs - row.triedMs) / 1000 : 0);
    const bool running = stateOf(row.outcome) == StateKind::Running;
    return running && !std::isnan(row.startedMs) ? std::max(0.0, (nowMs - row.startedMs) / 1000) : kUnknown;
}

} // namespace sg::ui
