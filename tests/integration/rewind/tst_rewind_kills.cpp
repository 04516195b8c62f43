#include "core/workbench/database.h"
#include "core/workbench/snapshots.h"
#include "tests/integration/rewind/rewind_project.h"

#include <QProcess>

#include <csignal>
#include <random>

using namespace sg;
using namespace sg::test;

// The workbench, the supervisor, the interpreter or a sleeping copy is killed at a random moment: a
// checkpoint has the snapshot of just its state, or none. SANDGLASS_KILLS says how often (12); hundreds take
// longer than QtTest waits: QTEST_FUNCTION_TIMEOUT (ms).
class TestRewindKills final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCheckpointHasItsOwnSnapshotOrNone();
};

namespace {

QList<qint64> descendants(qint64 root)
{
    QMultiMap<qint64, qint64> children;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString& name : entries) {
        bool isNumber = false;
        const qint64 pid = name.toLongLong(&isNumber);
        QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
        if (!isNumber || !stat.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = stat.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (fields.size() > 2)
            children.insert(fields[1].toLongLong(), pid);
    }
    QList<qint64> found{ root };
    for (qsizetype i = 0; i < found.size(); ++i)
        found += children.values(found[i]);
    return found;
}

QByteArray docker(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral("docker"), arguments);
    return process.waitForFinished(60'000) ? process.readAllStandardOutput() : QByteArray();
}

QStringList containers(const std::filesystem::path& folder)
{
    const auto project = workbench::locateProject(folder);
    const QString label = QStringLiteral("label=io.sandglass.project=")
        + QString::fromStdString(project ? project->id : "none");
    return QString::fromUtf8(
               docker({ QStringLiteral("ps"), QStringLiteral("-aq"), QStringLiteral("--filter"), label }))
        .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

// What runs in a container is no child of its program.
QList<qint64> inContainers(const std::filesystem::path& folder)
{
    QList<qint64> found;
    for (const QString& container : containers(folder)) {
        const QList<QByteArray> lines =
            docker({ QStringLiteral("top"), container, QStringLiteral("-eo"), QStringLiteral("pid") })
                .split('\n');
        for (const QByteArray& line : lines)
            if (const qint64 pid = line.trimmed().toLongLong(); pid > 1)
                found.push_back(pid);
    }
    return found;
}

// How many files of steps there were when the checkpoint's last step ended, as its state says. The state's
// own count does not tell: it begins anew with an interpreter that was started anew.
std::int64_t filesOf(const Value& state)
{
    const Value* seen = state.find("seen");
    if (seen == nullptr || !seen->isList() || seen->asList().empty())
        return 0;
    const std::string& last = seen->asList().back().asString();
    std::int64_t count = 0;
    for (std::size_t at = last.find("step-"); at != std::string::npos; at = last.find("step-", at + 1))
        ++count;
    return count;
}

// Each step leaves a file, and tells in the state which there are.
std::string problemOf(const std::filesystem::path& folder, int& checked)
{
    auto database = workbench::Database::open(folder / ".sandglass/checkpoints.sqlite",
                                              workbench::Database::Access::ReadOnly);
    if (!database)
        return {}; // killed before it was there
    workbench::Snapshots snapshots(*(*database)->store().snapshotLog(), folder / ".sandglass/snapshots");
    auto blobs = artifacts::BlobStore::open(folder / ".sandglass/snapshots");
    const auto marks = snapshots.marks(ThreadId("t"));
    if (!marks || !blobs)
        return "cannot be read: " + (marks ? blobs.error().message : marks.error().message);
    for (const workbench::CheckpointMark& each : *marks) {
        if (each.mark.partial || each.mark.files < 0)
            continue;
        const auto state = (*database)->history().state(ThreadId("t"), "", each.checkpoint.id);
        if (!state)
            continue; // its checkpoint was not stored: nobody will ask for it
        const auto snapshot = snapshots.at(each.checkpoint);
        if (!snapshot)
            return snapshot.error().message;
        std::int64_t steps = 0;
        for (const auto& [path, entry] : *snapshot->files) {
            steps += path.starts_with("step-") ? 1 : 0;
            if (entry.size > 0)
                if (auto read = blobs->read(entry.content, [](std::string_view) { return Result<void>(); });
                    !read)
                    return read.error().message;
        }
        const std::int64_t wanted = filesOf(state->values);
        if (steps != wanted)
            return "a state of " + std::to_string(wanted) + " steps has the files of "
                + std::to_string(steps);
        ++checked;
    }
    return {};
}

} // namespace

void TestRewindKills::aCheckpointHasItsOwnSnapshotOrNone()
{
    RewindProject place("train");
    if (const std::string why = place.whyUnusable(); !why.empty())
        QSKIP(why.c_str());
    place.workbench.reset();
    const std::filesystem::path folder = place.folder().path();
    const int count = std::max(1,
                               qEnvironmentVariableIntValue("SANDGLASS_KILLS") > 0
                                   ? qEnvironmentVariableIntValue("SANDGLASS_KILLS")
                                   : 12);
    std::mt19937 random(20'240'607);
    int checked = 0;
    for (int i = 0; i < count; ++i) {
        std::filesystem::remove_all(folder / ".sandglass");
        QProcess run;
        run.setWorkingDirectory(QString::fromStdString(folder.string()));
        run.start(QStringLiteral(SG_BIN_DIR "/sandglass"),
                  { QStringLiteral("run"), QStringLiteral("train.graph.json"), QStringLiteral("--thread"),
                    QStringLiteral("t"), QStringLiteral("--backend"), QString::fromStdString(testBackend()),
                    QStringLiteral("--input"), QStringLiteral("{\"rate\": 1}") });
        QVERIFY(run.waitForStarted());
        const int wait = std::uniform_int_distribution<int>(50, 900)(random);
        if (!run.waitForFinished(wait)) {
            const QList<qint64> victims =
                testBackend() == "docker" ? inContainers(folder) : descendants(run.processId());
            const bool isSelf = std::uniform_int_distribution<int>(0, 1)(random) == 0;
            const auto which = std::uniform_int_distribution<qsizetype>(
                0, std::max<qsizetype>(1, victims.size()) - 1)(random);
            ::kill(static_cast<pid_t>(isSelf || victims.isEmpty() ? run.processId() : victims[which]),
                   SIGKILL);
        }
        QVERIFY(run.state() == QProcess::NotRunning || run.waitForFinished(60'000));
        const std::string problem = problemOf(folder, checked);
        QVERIFY2(problem.empty(), ("kill " + std::to_string(i) + ": " + problem).c_str());
    }
    if (testBackend() == "docker")
        for (const QString& container : containers(folder))
            docker({ QStringLiteral("rm"), QStringLiteral("-f"), container });
    qInfo("%d checkpoints with their snapshots after %d kills", checked, count);
    QVERIFY(checked > 0);
}

QTEST_GUILESS_MAIN(TestRewindKills)
#include "tst_rewind_kills.moc"
