#pragma once

#include "core/sandbox/owner_process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/wait_for.h"

#include <QDir>
#include <QFile>
#include <QMap>
#include <QMultiMap>
#include <QProcess>
#include <QRegularExpression>
#include <QThread>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

// A run by the command line in a process of its own, and what of it can be killed.
namespace sg::test {

inline QByteArray docker(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral("docker"), arguments);
    return process.waitForFinished(60'000) ? process.readAllStandardOutput() : QByteArray();
}

enum class Containers { Running, All };
inline QStringList containersOf(const std::string& project, Containers which)
{
    const QString label = QStringLiteral("label=io.sandglass.project=") + QString::fromStdString(project);
    return QString::fromUtf8(docker({ QStringLiteral("ps"),
                                      which == Containers::All ? QStringLiteral("-aq") : QStringLiteral("-q"),
                                      QStringLiteral("--filter"), label }))
        .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

// A process of this machine, told from a later one of that number.
struct SeenProcess {
    qint64 pid = 0;
    std::uint64_t start = 0;
    qint64 inner = 0; // its number in the innermost pid namespace
    qint64 parent = 0;

    bool kill() const // false where it has ended
    {
        return pid > 1 && lives() && ::kill(static_cast<pid_t>(pid), SIGKILL) == 0;
    }
    [[nodiscard]] bool lives() const
    {
        return start != 0 && sandbox::processStartTicks(static_cast<pid_t>(pid)) == start;
    }
};

inline QByteArray statusField(const QByteArray& status, const char* field)
{
    const qsizetype at = status.indexOf(QByteArray("\n") + field + ":");
    return at < 0 ? QByteArray() : status.mid(at).trimmed().split('\n').front().split(':').value(1).trimmed();
}

// The process and all beneath it, parents first.
inline std::vector<SeenProcess> processesFrom(qint64 root)
{
    QMultiMap<qint64, SeenProcess> children;
    std::vector<SeenProcess> found;
    const QStringList entries = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString& name : entries) {
        SeenProcess each;
        each.pid = name.toLongLong();
        QFile file(QStringLiteral("/proc/%1/status").arg(each.pid));
        if (each.pid == 0 || !file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray status = file.readAll();
        each.start = sandbox::processStartTicks(static_cast<pid_t>(each.pid));
        each.parent = statusField(status, "PPid").toLongLong();
        each.inner = statusField(status, "NSpid").split('\t').back().toLongLong();
        children.insert(each.parent, each);
        if (each.pid == root)
            found.push_back(each);
    }
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const SeenProcess& child : children.values(found[i].pid))
            found.push_back(child);
    return found;
}

// Between a run and its engine, until it is ended: then the engine is gone for that run alone.
class EngineRelay {
public:
    EngineRelay()
    {
        const QString address =
            qEnvironmentVariable("DOCKER_HOST", QStringLiteral("unix:///run/docker.sock"));
        if (!address.startsWith(QLatin1String("unix://")))
            return;
        m_process.start(QStringLiteral("python3"),
                        { QStringLiteral("-c"), QString::fromLatin1(kProgram), address.mid(7), path() });
        m_isUsable = m_process.waitForStarted() && waitFor([this] { return QFile::exists(path()); });
    }
    ~EngineRelay() { end(); }
    EngineRelay(const EngineRelay&) = delete;
    EngineRelay& operator=(const EngineRelay&) = delete;

    [[nodiscard]] bool isUsable() const { return m_isUsable; }
    [[nodiscard]] QString address() const { return QStringLiteral("unix://") + path(); }
    void end()
    {
        m_process.kill();
        m_process.waitForFinished(10'000);
    }

private:
    [[nodiscard]] QString path() const { return QString::fromStdString((m_folder / "engine.sock").string()); }
    static constexpr const char* kProgram = R"(
import os, socket, sys, threading
def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
def serve(client):
    engine = socket.socket(socket.AF_UNIX)
    engine.connect(sys.argv[1])
    for ends in ((client, engine), (engine, client)):
        threading.Thread(target=pump, args=ends, daemon=True).start()
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[2] + ".new")
listener.listen(16)
os.rename(sys.argv[2] + ".new", sys.argv[2])
while True:
    serve(listener.accept()[0])
)";
    TempDir m_folder;
    QProcess m_process;
    bool m_isUsable = false;
};

class KilledRun {
public:
    KilledRun(const std::filesystem::path& folder, std::string project, std::string backend)
        : m_folder(QString::fromStdString(folder.string()))
        , m_project(std::move(project))
        , m_backend(std::move(backend))
    {
    }
    ~KilledRun()
    {
        m_process.kill(); // where a failure left it
        m_process.waitForFinished(10'000);
    }
    KilledRun(const KilledRun&) = delete;
    KilledRun& operator=(const KilledRun&) = delete;

    // "run" or "resume" with what follows it.
    [[nodiscard]] bool start(const QStringList& verb, const QString& engine = {})
    {
        m_process.setWorkingDirectory(m_folder);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        if (!engine.isEmpty()) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("DOCKER_HOST"), engine);
            m_process.setProcessEnvironment(environment);
        }
        m_process.start(QStringLiteral(SG_BIN_DIR "/sandglass"),
                        verb + QStringList{ QStringLiteral("--backend"), QString::fromStdString(m_backend) });
        const bool isStarted = m_process.waitForStarted();
        m_pid = m_process.processId();
        return isStarted;
    }
    [[nodiscard]] qint64 pid() const { return m_pid; }

    // Until a node has told its process; false where the run ended before.
    [[nodiscard]] bool awaitStep()
    {
        static const QRegularExpression told(QStringLiteral("begun (\\d+)"));
        while (m_process.state() == QProcess::Running) {
            m_process.waitForReadyRead(1'000);
            m_output += m_process.readAll();
            if (const auto match = told.match(QString::fromUtf8(m_output)); match.hasMatch()) {
                m_interpreter = match.captured(1).toLongLong();
                return true;
            }
        }
        return false;
    }

    // All that runs of it now: itself first, then what is in its sandbox.
    void look()
    {
        m_self = processesFrom(m_process.processId());
        m_inside = m_self;
        m_container.clear();
        if (m_backend != "docker")
            return;
        const QStringList found = containersOf(m_project, Containers::All);
        m_inside.clear();
        if (found.isEmpty())
            return;
        m_container = found.front();
        const qint64 first = docker({ QStringLiteral("inspect"), QStringLiteral("-f"),
                                      QStringLiteral("{{.State.Pid}}"), m_container })
                                 .trimmed()
                                 .toLongLong();
        m_inside = first > 1 ? processesFrom(first) : std::vector<SeenProcess>();
    }
    // The same a moment later.
    void lookAgain()
    {
        const qint64 root = m_inside.empty() ? 0 : m_inside.front().pid;
        m_inside = root > 1 ? processesFrom(root) : std::vector<SeenProcess>();
    }

    [[nodiscard]] SeenProcess self() const { return m_self.empty() ? SeenProcess() : m_self.front(); }
    [[nodiscard]] SeenProcess supervisor() const { return inside(1); }
    [[nodiscard]] SeenProcess interpreter() const { return inside(m_interpreter); }
    // Copies of the interpreter that sleep, and what new ones are forked from.
    [[nodiscard]] std::vector<SeenProcess> others() const
    {
        std::vector<SeenProcess> found;
        for (const SeenProcess& each : m_inside)
            if (each.parent == supervisor().pid && each.inner != m_interpreter)
                found.push_back(each);
        return found;
    }
    bool killSandbox() const
    {
        if (m_backend == "docker")
            return !m_container.isEmpty() && !docker({ QStringLiteral("kill"), m_container }).isEmpty();
        for (const SeenProcess& each : m_self)
            if (each.pid == supervisor().parent)
                return each.kill();
        return false;
    }
    [[nodiscard]] bool awaitEnd()
    {
        return m_process.state() == QProcess::NotRunning || m_process.waitForFinished(120'000);
    }
    [[nodiscard]] bool waitForEnd(int ms) { return m_process.waitForFinished(ms); }
    [[nodiscard]] std::string output()
    {
        m_output += m_process.readAll();
        return m_output.toStdString();
    }
    [[nodiscard]] std::vector<SeenProcess> seen() const
    {
        std::vector<SeenProcess> all = m_self;
        all.insert(all.end(), m_inside.begin(), m_inside.end());
        return all;
    }

private:
    [[nodiscard]] SeenProcess inside(qint64 inner) const
    {
        for (const SeenProcess& each : m_inside)
            if (each.inner == inner && each.inner != each.pid)
                return each;
        return {};
    }

    const QString m_folder;
    const std::string m_project;
    const std::string m_backend;
    QProcess m_process;
    qint64 m_pid = 0;
    QByteArray m_output;
    qint64 m_interpreter = 0; // as it is called in its sandbox
    QString m_container;
    std::vector<SeenProcess> m_self;
    std::vector<SeenProcess> m_inside;
};

} // namespace sg::test
