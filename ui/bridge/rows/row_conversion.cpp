#include "ui/bridge/rows/row_conversion.h"

#include "core/base/printable.h"

#include <QDateTime>

#include <chrono>

namespace sg::ui {
namespace {

constexpr int kMostMissingNamed = 5; // in one line
constexpr int kLongestName = 40;

} // namespace

QString text(const std::string& utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

std::string utf8(const QString& text)
{
    const QByteArray bytes = text.toUtf8();
    return { bytes.constData(), static_cast<std::size_t>(bytes.size()) };
}

double milliseconds(const std::string& iso)
{
    const QDateTime time = QDateTime::fromString(text(iso), Qt::ISODateWithMs);
    return time.isValid() ? static_cast<double>(time.toMSecsSinceEpoch()) : kUnknown;
}

double milliseconds(WallTime time)
{
    return static_cast<double>(
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

QStringList nodeNames(const std::vector<NodeId>& nodes)
{
    QStringList names;
    for (const NodeId& node : nodes)
        names << text(node.value);
    return names;
}

UserError userError(const Error& error)
{
    return { text(printableText(error.message)), {} };
}

ThreadRow threadRow(const history::ThreadRow& row)
{
    return { text(row.thread.value), row.checkpoints, milliseconds(row.updatedAt), row.status,
             text(printableText(row.problem)) };
}

CheckpointRow checkpointRow(const history::CheckpointRow& row)
{
    CheckpointRow made;
    made.id = text(row.id.value);
    made.parent = row.parent ? text(row.parent->value) : QString();
    made.step = static_cast<int>(row.step);
    made.source = row.source;
    made.after = nodeNames(row.after);
    made.next = nodeNames(row.next);
    made.timeMs = milliseconds(row.createdAt);
    made.problem = text(printableText(row.problem));
    return made;
}

namespace {

// Example: "7 names are missing: conn, gen, lock, w1 and 3 more"
QString missingWords(const rewind::SnapshotMark& mark)
{
    QStringList names;
    for (const std::string& name : mark.missingNames) {
        if (names.size() == kMostMissingNamed)
            break;
        const QString shown = text(printableText(name));
        names << (shown.size() > kLongestName ? shown.left(kLongestName) + QChar(0x2026) : shown);
    }
    const QString count = mark.missing == 1 ? QObject::tr("1 name is missing")
                                            : QObject::tr("%1 names are missing").arg(mark.missing);
    if (names.isEmpty())
        return count;
    const std::int64_t more = mark.missing - names.size();
    return more > 0 ? QObject::tr("%1: %2 and %3 more")
                          .arg(count, names.join(QStringLiteral(", ")), QString::number(more))
                    : QObject::tr("%1: %2").arg(count, names.join(QStringLiteral(", ")));
}

} // namespace

void showMark(const rewind::SnapshotMark& mark, bool isAsleep, CheckpointRow& row)
{
    using Kind = rewind::SnapshotMark::Kind;
    if (mark.kind == Kind::Fresh)
        return; // the session was not used yet
    const bool isFilesOnly =
        mark.kind == Kind::FilesOnly || (mark.kind == Kind::Live && !isAsleep && mark.files >= 0);
    const SandboxMark sandbox = isAsleep           ? SandboxMark::Exact
        : mark.kind == Kind::Stored || isFilesOnly ? SandboxMark::Restored
                                                   : SandboxMark::None;
    if (row.sandbox == SandboxMark::Unused || row.sandbox == SandboxMark::Exact
        || sandbox == SandboxMark::None)
        row.sandbox = sandbox;
    QStringList notes;
    if (isFilesOnly)
        notes << QObject::tr("Its files alone: every name is gone");
    else if (mark.missing > 0 && !isAsleep)
        notes << missingWords(mark);
    if (sandbox == SandboxMark::None && mark.note.empty())
        notes << QObject::tr("Its copy was removed, or never made");
    if (!mark.note.empty()) {
        const QString note = text(printableText(mark.note));
        notes << note.left(1).toUpper() + note.mid(1);
    }
    if (notes.isEmpty())
        return;
    if (!mark.part.isThreads())
        notes.front() =
            QObject::tr("Session of %1: %2").arg(text(printableText(mark.part.text())), notes.front());
    if (!row.sandboxNote.isEmpty())
        notes.prepend(row.sandboxNote);
    row.sandboxNote = notes.join(QStringLiteral(". "));
}

TaskRow taskRow(const history::TaskRow& row)
{
    TaskRow made;
    made.checkpoint = text(row.checkpoint.value);
    made.task = text(row.task.value);
    made.node = text(row.node.value);
    made.step = static_cast<int>(row.step);
    made.outcome = row.outcome;
    made.startedMs = milliseconds(row.startedAt);
    made.seconds = row.seconds < 0 ? kUnknown : row.seconds;
    made.attempts = static_cast<int>(row.attempts);
    made.error = text(printableText(row.error));
    made.detail = text(printableText(row.detail));
    if (!row.triedAt.empty())
        made.triedMs = milliseconds(row.triedAt);
    made.wasAsked = row.asked > 0;
    return made;
}

SessionRow sessionRow(const sessions::SessionInfo& info)
{
    SessionRow made;
    made.session = text(info.id.value);
    made.thread = text(info.thread.value);
    made.backend = text(info.backend);
    made.isolation = text(info.isolation);
    made.weakLimits = !info.limitsEnforced;
    made.state = info.state;
    made.storage = info.storage;
    made.datasets = info.datasets;
    made.cpuLimit = info.limits.cpus;
    made.memoryLimit = static_cast<double>(info.limits.memoryBytes);
    made.startedMs = milliseconds(info.createdAt);
    made.part = info.part;
    made.expiresMs = milliseconds(info.expiresAt);
    made.lastUsedMs = milliseconds(info.lastUsedAt);
    made.cells = info.cells;
    made.pidsLimit = static_cast<int>(info.limits.pids);
    made.diskLimit = static_cast<double>(info.limits.tmpfsBytes);
    made.sandbox = text(info.sandboxName);
    return made;
}

SampleRow sampleRow(const sandbox::ResourceSample& sample)
{
    SampleRow made;
    made.timeMs = milliseconds(sample.time);
    made.cpuPercent = sample.cpuPercent;
    made.memoryBytes = static_cast<double>(sample.memoryBytes);
    made.memoryLimit = static_cast<double>(sample.memoryLimit);
    made.pids = static_cast<int>(sample.pids);
    made.pidsLimit = static_cast<int>(sample.pidsLimit);
    made.diskBytes = static_cast<double>(sample.diskBytes);
    made.diskLimit = static_cast<double>(sample.diskLimit);
    made.oomKills = sample.oomKills; // stored samples do not tell whether 0 is known
    made.throttledMs = static_cast<double>(sample.throttled.count());
    return made;
}

SessionNoteRow sessionNoteRow(const sessions::SessionNote& note)
{
    return { milliseconds(note.time), printableText(note.event.text()), text(printableText(note.text)) };
}

ArtifactRow artifactRow(const artifacts::Artifact& artifact, const std::filesystem::path& blob)
{
    ArtifactRow made;
    made.id = text(artifact.id.value);
    made.name = text(printableText(artifact.name));
    made.path = text(printableText(artifact.path));
    made.mime = text(artifact.mime);
    made.sha256 = text(artifact.sha256);
    made.size = static_cast<qint64>(artifact.size);
    made.node = text(artifact.origin.node.value);
    made.step = static_cast<int>(artifact.origin.step);
    made.thread = text(artifact.origin.thread.value);
    made.createdMs = milliseconds(artifact.createdAt);
    made.blob = text(blob.string());
    made.run = text(artifact.origin.run.value);
    made.session = text(artifact.origin.session.value);
    made.checkpoint = text(artifact.origin.checkpoint.value);
    return made;
}

} // namespace sg::ui
