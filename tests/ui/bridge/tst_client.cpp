// Which answers reach who asked: the newest, one at a time, and none of a project that was closed since.
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/window_test.h"
#include "ui/bridge/open/client.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

using namespace sg;
using namespace sg::ui;

namespace {

// Work that waits until it is let go.
struct Gate {
    std::binary_semaphore open{ 0 };
    std::atomic_int begun = 0;
    int pass(int answer)
    {
        ++begun;
        open.acquire();
        open.release();
        return answer;
    }
};

class Asker : public Client {
public:
    explicit Asker(OpenProject& project)
        : Client(project)
    {
        pool.setMaxThreadCount(1);
    }
    ~Asker() override { pool.waitForDone(); }

    void askLatest(const std::shared_ptr<Gate>& gate, int number)
    {
        latest.ask(
            pool, [gate, number] { return gate->pass(number); },
            [this](int answer) { got.push_back(answer); });
    }
    void askTurn(const std::shared_ptr<Gate>& gate, int number)
    {
        turns.ask(
            pool,
            [gate, number](workbench::Workbench&, const std::stop_token&) { return gate->pass(number); },
            [this](int answer) { got.push_back(answer); });
    }
    void askEach(const std::shared_ptr<Gate>& gate, int number, bool always)
    {
        const auto work = [gate, number] { return gate->pass(number); };
        const auto apply = [this](int answer) { got.push_back(answer); };
        if (always)
            askAlways(pool, work, apply);
        else
            ask(pool, work, apply);
    }

    QThreadPool pool;
    Latest latest{ *this };
    Turns turns{ *this };
    std::vector<int> got;
};

// A container engine that takes connections and never answers, until it ends.
class SilentEngine {
public:
    SilentEngine()
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = (m_folder / "engine.sock").string();
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        isReady = bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0
            && listen(m_socket, 50) == 0;
        qputenv("DOCKER_HOST", QByteArray::fromStdString("unix://" + path));
    }
    ~SilentEngine() { end(); }
    SilentEngine(const SilentEngine&) = delete;
    SilentEngine& operator=(const SilentEngine&) = delete;
    void end()
    {
        if (m_socket >= 0)
            close(std::exchange(m_socket, -1)); // which ends the connections that nobody took
    }
    bool isReady = false;

private:
    test::TempDir m_folder;
    int m_socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

struct Opened {
    test::TempDir folder;
    OpenProject project;
    bool isReady = false;

    Opened() { isReady = open("a"); }
    bool open(const char* name)
    {
        const std::filesystem::path place = folder / name;
        std::filesystem::create_directories(place);
        std::ofstream(place / "g.graph.json")
            << R"({"format":1,"name":"g","state":{},"nodes":[],"edges":[]})";
        QSignalSpy opened(&project, &OpenProject::opened);
        project.open(QString::fromStdString(place.string()));
        return opened.wait(20'000);
    }
    bool rests()
    {
        return QTest::qWaitFor([this] { return project.isAtRest(); }, sg::test::kPatienceMs);
    }
};

} // namespace

class TestClient : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Opening asks for an engine; which one answers here, and when, is not what most of these tests are
    // about.
    void init() { qputenv("DOCKER_HOST", "unix:///nonexistent/docker.sock"); }

    // An engine under load, or one that hangs, keeps its socket and says nothing.
    void openingWaitsForNoEngine()
    {
        SilentEngine engine;
        QVERIFY(engine.isReady);
        QElapsedTimer timer;
        timer.start();
        Opened open;
        QVERIFY(open.isReady);
        QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(!open.project.info().sandbox.isKnown);
        QSignalSpy checked(&open.project, &OpenProject::sandboxChecked);
        engine.end();
        QVERIFY(checked.wait(20'000));
        QVERIFY(open.project.info().sandbox.isKnown);
    }

    void theNewestQuestionWins()
    {
        Opened open;
        QVERIFY(open.isReady);
        Asker asker(open.project);
        const auto gate = std::make_shared<Gate>();
        asker.askLatest(gate, 1);
        QTRY_COMPARE(gate->begun.load(), 1); // one thread: the others wait for it
        asker.askLatest(gate, 2);
        asker.askLatest(gate, 3);
        gate->open.release();
        QVERIFY(open.rests());
        QCOMPARE(asker.got, std::vector<int>{ 3 });
        QCOMPARE(gate->begun.load(), 2); // what was left before it began is not worked out
    }

    void aCancelledQuestionIsNotAnswered()
    {
        Opened open;
        QVERIFY(open.isReady);
        Asker asker(open.project);
        const auto gate = std::make_shared<Gate>();
        asker.askLatest(gate, 1);
        QTRY_COMPARE(gate->begun.load(), 1);
        asker.latest.cancel();
        gate->open.release();
        QVERIFY(open.rests());
        QVERIFY(asker.got.empty());
    }

    void oneAtATimeAndThenTheNewest()
    {
        Opened open;
        QVERIFY(open.isReady);
        Asker asker(open.project);
        const auto gate = std::make_shared<Gate>();
        for (int number = 1; number <= 4; ++number)
            asker.askTurn(gate, number);
        QTRY_COMPARE(gate->begun.load(), 1);
        gate->open.release();
        QTRY_COMPARE(asker.got, std::vector<int>{ 4 });
        QCOMPARE(gate->begun.load(), 2); // the first, which was under way, and the newest
        asker.askTurn(gate, 5);
        QTRY_COMPARE(asker.got, (std::vector<int>{ 4, 5 }));
    }

    void anotherProjectDropsAnswersButCountedOnes()
    {
        Opened open;
        QVERIFY(open.isReady);
        Asker asker(open.project);
        const auto gate = std::make_shared<Gate>();
        asker.askEach(gate, 1, false);
        asker.askEach(gate, 2, true);
        asker.askTurn(gate, 3);
        asker.askTurn(gate, 4);
        asker.askLatest(gate, 5);
        QTRY_COMPARE(gate->begun.load(), 1);
        QVERIFY(open.open("b"));
        gate->open.release();
        QVERIFY(open.rests());
        QCOMPARE(asker.got, std::vector<int>{ 2 });
        asker.askTurn(gate, 6); // the line of turns goes on
        QTRY_COMPARE(asker.got, (std::vector<int>{ 2, 6 }));
    }

    void withoutAProjectNothingIsAsked()
    {
        OpenProject project;
        Asker asker(project);
        const auto gate = std::make_shared<Gate>();
        asker.askLatest(gate, 1);
        asker.askTurn(gate, 2);
        asker.askEach(gate, 3, true);
        QVERIFY(project.isAtRest());
        QCOMPARE(gate->begun.load(), 0);
    }

    void whoGoesIsNotAnswered()
    {
        Opened open;
        QVERIFY(open.isReady);
        const auto gate = std::make_shared<Gate>();
        {
            Asker asker(open.project);
            asker.askLatest(gate, 1);
            asker.askTurn(gate, 2);
            QTRY_COMPARE(gate->begun.load(), 1);
            gate->open.release();
        }
        QTest::qWait(50); // nobody is there to be called
        QVERIFY(gate->begun.load() >= 1);
    }
};

SG_WINDOW_TEST(TestClient)
#include "tst_client.moc"
