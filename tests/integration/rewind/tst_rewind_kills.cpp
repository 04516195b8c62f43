#include "core/sandbox/runtime_folder.h"
#include "tests/integration/rewind/killed_run.h"
#include "tests/integration/rewind/own_snapshots.h"
#include "tests/support/test_main.h"

#include <optional>
#include <random>
#include <set>

using namespace sg;
using namespace sg::test;
using engine::RunInput;
using engine::RunResult;

// The workbench, the interpreter, the supervisor, a sleeping copy, the whole sandbox or the way to the engine
// is killed at a random moment, some runs once more while they are resumed; then the file is opened anew and
// the run goes on to its end. A checkpoint has the snapshot of just its state, or none, and nothing that ran
// is left behind. SANDGLASS_KILLS says how often (6; 5 on Docker; 500 with SG_FULL), SANDGLASS_KILLS_SEED at
// which moments.
class TestRewindKills final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anothersSnapshotIsNoticed();
    void aCheckpointHasItsOwnSnapshotOrNone();
};

namespace {

// In turn, so that few kills have several of them.
enum class Victim { Workbench, Supervisor, Interpreter, Sandbox, Copy, WorkbenchAndSupervisor, Engine };
constexpr const char* kVictims[] = { "workbench", "supervisor", "interpreter",
                                     "sandbox",   "copy",       "workbench and supervisor",
                                     "engine" };

int number(const char* name, int otherwise)
{
    const int given = qEnvironmentVariableIntValue(name);
    return given > 0 ? given : otherwise;
}

class Trial {
public:
    Trial(RewindProject& place, int index, std::mt19937& random)
        : m_place(place)
        , m_folder(place.folder().path())
        , m_project((*projects::locateProject(m_folder)).id)
        , m_thread("t" + std::to_string(index))
        , m_random(random)
        , m_run(m_folder, m_project, testBackend())
        , m_resumed(m_folder, m_project, testBackend())
        , m_victim(static_cast<Victim>(index % (testBackend() == "docker" ? 7 : 6)))
    {
    }

    void go(Verdicts& verdicts)
    {
        kill();
        if (!m_run.awaitEnd())
            return verdicts.addWrong(told() + ": the run does not end");
        if (pick(0, 2) == 0 && !killResumed())
            return verdicts.addWrong(told() + ": the resumed run does not end");
        checkStored(m_folder, m_thread, verdicts);
        m_place.reopen();
        if (const std::string problem = goOn(); !problem.empty())
            verdicts.addWrong(told() + ": " + problem + "\n" + m_run.output());
        const std::size_t before = verdicts.wrong.size();
        Visit(*m_place.workbench, m_thread, m_folder).all(verdicts);
        if (pick(0, 2) == 0) { // once more by what was written out when the session ended
            m_place.reopen();
            Visit(*m_place.workbench, m_thread, m_folder).all(verdicts);
        }
        m_place.workbench.reset();
        for (std::size_t i = before; i < verdicts.wrong.size(); ++i)
            verdicts.wrong[i] = told() + ": " + verdicts.wrong[i];
        if (const std::string left = leftBehind(); !left.empty())
            verdicts.addWrong(told() + " left behind " + left);
    }

    [[nodiscard]] std::string told() const
    {
        return m_thread.value + " (" + m_struck + ", " + m_moment + ")";
    }
    [[nodiscard]] const char* struck() const { return m_struck; }
    [[nodiscard]] std::set<qint64> processes() const { return { m_run.pid(), m_resumed.pid() }; }

private:
    int pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(m_random); }

    void kill()
    {
        const bool isEarly = pick(0, 4) == 0;
        const int wait = isEarly ? pick(30, 700) : pick(0, 450);
        const int which = pick(0, 1 << 20);
        if (m_victim == Victim::Engine)
            m_relay.emplace();
        const bool isRelayed = m_relay && m_relay->isUsable();
        const QStringList verb = command(QStringLiteral("run"))
            + QStringList{ QStringLiteral("--input"), QStringLiteral("{\"slow\": true}") };
        if (!m_run.start(verb, isRelayed ? m_relay->address() : QString()))
            return;
        m_moment = (isEarly ? "early, " : "") + std::to_string(wait) + " ms";
        if (!isEarly && !m_run.awaitStep())
            return;
        if (!isEarly)
            m_run.look();
        if (m_run.waitForEnd(wait))
            return;
        if (isEarly)
            m_run.look();
        else
            m_run.lookAgain();
        // A program that is not there yet, or no more, cannot be killed.
        if (strike(static_cast<std::size_t>(which)))
            m_struck = kVictims[static_cast<int>(m_victim)];
        else if (m_run.self().kill())
            m_struck = kVictims[static_cast<int>(Victim::Workbench)];
    }

    [[nodiscard]] QStringList command(const QString& verb) const
    {
        return { verb, QStringLiteral("own.graph.json"), QStringLiteral("--thread"),
                 QString::fromStdString(m_thread.value) };
    }

    // While it takes the session up, or brings it back.
    bool killResumed()
    {
        const int wait = pick(20, 500);
        m_moment += ", resumed and killed after " + std::to_string(wait) + " ms";
        if (!m_resumed.start(command(QStringLiteral("resume"))))
            return false;
        if (!m_resumed.waitForEnd(wait)) {
            m_resumed.look();
            m_resumed.self().kill();
        }
        return m_resumed.awaitEnd();
    }

    bool strike(std::size_t which)
    {
        const auto others = m_run.others();
        switch (m_victim) {
        case Victim::Workbench: return m_run.self().kill();
        case Victim::Interpreter: return m_run.interpreter().kill();
        case Victim::Supervisor: return m_run.supervisor().kill();
        case Victim::Copy: return !others.empty() && others[which % others.size()].kill();
        case Victim::Sandbox: return m_run.killSandbox();
        case Victim::WorkbenchAndSupervisor: {
            const bool isKilled = m_run.self().kill();
            return m_run.supervisor().kill() || isKilled;
        }
        case Victim::Engine: m_relay->end(); return true;
        }
        return false;
    }

    RunResult run(RunInput input)
    {
        runs::RunRequest request;
        request.thread = m_thread;
        request.input = std::move(input);
        auto started = m_place.workbench->runs().start(request);
        if (started)
            return m_place.workbench->runs().wait(*started);
        RunResult refused;
        refused.status = RunStatus::Failed;
        refused.error = started.error().message;
        return refused;
    }

    std::string goOn()
    {
        const auto rows = m_place.workbench->history().checkpoints(m_thread);
        if (!rows)
            return rows.error().message;
        const RunResult result =
            run(rows->empty() ? RunInput::input(Value::map({ { "slow", false } })) : RunInput::goOn());
        if (result.status != RunStatus::Done)
            return "does not go on: " + result.errorType + ": " + result.error;
        return result.values["step"] == Value(6) ? "" : "ended at step " + toJson(result.values["step"]);
    }

    // Names the processes of it that still run once its session has ended.
    std::string leftBehind()
    {
        std::string left;
        const auto isGone = [&] {
            left.clear();
            for (const KilledRun* run : { &m_run, &m_resumed })
                for (const SeenProcess& each : run->seen())
                    if (each.lives())
                        left += "process " + std::to_string(each.pid) + " ";
            if (testBackend() == "docker")
                for (const QString& container : containersOf(m_project, Containers::Running))
                    left += "container " + container.toStdString() + " ";
            return left.empty();
        };
        return waitFor(isGone, std::chrono::seconds(20)) ? "" : left;
    }

    RewindProject& m_place;
    const std::filesystem::path m_folder;
    const std::string m_project;
    const ThreadId m_thread;
    std::mt19937& m_random;
    KilledRun m_run;
    KilledRun m_resumed;
    const Victim m_victim;
    std::optional<EngineRelay> m_relay;
    std::string m_moment;
    const char* m_struck = "nothing";
};

// Remains that killed programs could not remove go when the next one asks the engine: containers that never
// ran, folders of sockets.
std::string leftAtTheEnd(RewindProject& place, const std::set<qint64>& killed)
{
    place.reopen();
    if (const std::string why = place.whyUnusable(); !why.empty())
        return why;
    place.workbench.reset();
    std::string left;
    const auto isGone = [&] {
        left.clear();
        std::error_code error;
        for (std::filesystem::directory_iterator entry(sandbox::runtimeFolderPath(), error), end;
             !error && entry != end; entry.increment(error)) {
            const std::string name = entry->path().filename();
            const auto owner = sandbox::parseOwnerMark(name.substr(0, name.rfind('-')));
            if (owner && killed.contains(owner->pid))
                left += entry->path().string() + " ";
        }
        if (testBackend() == "docker")
            for (const QString& container :
                 containersOf((*projects::locateProject(place.folder().path())).id, Containers::All))
                left += "container " + container.toStdString() + " ";
        return left.empty();
    };
    return waitFor(isGone, std::chrono::seconds(20)) ? "" : left;
}

} // namespace

// The next test rests on this.
void TestRewindKills::anothersSnapshotIsNoticed()
{
    SG_PROJECT(place, "own");
    const ThreadId thread("t");
    QCOMPARE(place.run(RunInput::input(Value::map())).error, std::string());
    const std::filesystem::path folder = place.folder().path();
    const auto count = [&] {
        Verdicts verdicts;
        checkStored(folder, thread, verdicts);
        const std::size_t stored = verdicts.wrong.size();
        Visit(*place.workbench, thread, folder).all(verdicts);
        return std::pair(stored, verdicts.wrong.size() - stored);
    };
    QCOMPARE(count(), std::pair(std::size_t(0), std::size_t(0)));
    const checkpoint::CheckpointRef second{ thread, "", place.atStep(2) };
    const checkpoint::CheckpointRef third{ thread, "", place.atStep(3) };
    {
        auto database = history::Database::open(folder / ".sandglass/checkpoints.sqlite",
                                                history::Database::Access::ReadWrite);
        SG_VERIFY_OK(database);
        checkpoint::SnapshotLog& log = *(*database)->store().snapshotLog();
        auto bindings = log.bindingsAt(third, false);
        SG_VERIFY_OK(bindings);
        QCOMPARE(bindings->size(), std::size_t(1));
        bindings->front().checkpoint = second;
        SG_VERIFY_OK(log.bind(bindings->front()));
    }
    QCOMPARE(count(), std::pair(std::size_t(1), std::size_t(1)));
    place.reopen(); // and by what was written out
    QCOMPARE(count(), std::pair(std::size_t(1), std::size_t(1)));
}

void TestRewindKills::aCheckpointHasItsOwnSnapshotOrNone()
{
    SG_PROJECT(place, "own");
    place.workbench.reset();
    const int usual = testBackend() == "docker" ? 5 : 6;
    const int count = number("SANDGLASS_KILLS", qEnvironmentVariableIntValue("SG_FULL") > 0 ? 500 : usual);
    const int seed = number("SANDGLASS_KILLS_SEED", 20'240'607);
    qInfo("%d kills with SANDGLASS_KILLS_SEED=%d", count, seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    Verdicts verdicts;
    std::map<std::string, int> victims;
    std::set<qint64> processes;
    for (int i = 0; i < count; ++i) {
        Trial trial(place, i, random);
        const std::size_t before = verdicts.wrong.size();
        trial.go(verdicts);
        ++victims[trial.struck()];
        processes.merge(trial.processes());
        for (std::size_t wrong = before; wrong < verdicts.wrong.size(); ++wrong)
            qInfo("%s", verdicts.wrong[wrong].c_str());
    }
    std::string killed;
    for (const auto& [name, times] : victims)
        killed += (killed.empty() ? "" : ", ") + name + " " + std::to_string(times);
    qInfo("%d kills (%s): %s", count, killed.c_str(), verdicts.text().c_str());
    QVERIFY2(verdicts.wrong.empty(), verdicts.wrong.empty() ? "" : verdicts.wrong.front().c_str());
    QVERIFY(verdicts.count["checkpoint: exact"] > 0);
    QCOMPARE(leftAtTheEnd(place, processes), std::string());
}

SG_CORE_TEST(TestRewindKills)
#include "tst_rewind_kills.moc"
