// A graph's requirements are installed once in real sandboxes, from wheels made here, and imported by cells,
// by sessions that were started ahead and by interpreters that took another's place.

#include "tests/integration/sessions/layer_world.h"
#include "tests/support/local_server.h"
#include "tests/support/qtry.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <stop_token>
#include <thread>

using namespace sg;
using namespace sg::test;
namespace fs = std::filesystem;

class TestSessionLayers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void importsWhatIsRequired_data() { backends(); }
    void importsWhatIsRequired()
    {
        SG_USE_BACKEND();
        LayerWorld with(world);
        with.wheel("demo_a", "1.0", "demo_b>=1");
        with.wheel("demo_b", "1.5");
        auto session = world.session("first");
        QVERIFY2(session, (world.problem + with.heard()).c_str());
        CellResult result = run(*session, "import demo_a, demo_b\n(demo_b.VERSION, demo_a.twice(21))");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"], Value("('1.5', 42)"));
        QCOMPARE(session->info().packages, (std::vector<std::string>{ "demo_a==1.0", "demo_b==1.5" }));
        QVERIFY2(has(with.heard(), "installing demo-a==1.0")
                     && has(with.heard(), "requirements installed in"),
                 with.heard().c_str());

        // No standard module is hidden, nothing can be changed, and the session has no network.
        result = run(*session,
                     "import sys\nlayer = sys.path.index('/opt/sandglass/layer')\n"
                     "assert layer > max(i for i, p in enumerate(sys.path) if p.endswith('lib-dynload'))");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        Printed printed;
        result =
            run(*session,
                "import os\ntry:\n    open('/opt/sandglass/layer/x', 'w')\n    print('written')\n"
                "except OSError as e:\n    print('refused')\nprint(len(open('/proc/net/route').readlines()))",
                Millis(30'000), &printed);
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(printed.out, std::string("refused\n1\n"));

        // An interpreter that takes the place of one that died finds it, too.
        result = run(*session, "import os; os.kill(os.getpid(), 9)");
        QVERIFY(result.status == CellStatus::Died);
        result = run(*session, "import demo_a; demo_a.twice(2)");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());

        // A second session shares it; nothing is installed again.
        with.said.clear();
        auto second = world.session("second");
        QVERIFY2(second, world.problem.c_str());
        QCOMPARE(second->info().layer, session->info().layer);
        QCOMPARE(with.heard(), std::string());
        QVERIFY(run(*second, "import demo_b").status == CellStatus::Ok);
        QVERIFY(with.layers.folder().remove(session->info().layer, false).error().code == Errc::Busy);
    }

    void sessionsStartedAheadHaveIt_data() { backends(); }
    void sessionsStartedAheadHaveIt()
    {
        SG_USE_BACKEND();
        LayerWorld with(world);
        with.wheel("demo_a", "1.0");
        world.spec.preload = { "demo_a" };
        world.manager->startAhead(world.spec, { 1, false });
        QTRY_VERIFY(world.manager->readyAhead() == 1);
        const auto session = world.session("ahead");
        QVERIFY2(session, world.problem.c_str());
        const CellResult result = run(*session, "import sys\n'demo_a' in sys.modules");
        QVERIFY2(result.status == CellStatus::Ok, summary(result).c_str());
        QCOMPARE(result.value["text/plain"], Value("True"));
        QVERIFY(!session->info().layer.empty());
    }

    // Versions that were resolved once come back, whatever is offered by then.
    void comesBackAsItWasResolved()
    {
        SG_NEED("bubblewrap");
        World world("bubblewrap");
        LayerWorld with(world);
        world.spec.requirements = { "demo-a" };
        with.wheel("demo_a", "1.0");
        const std::string id = [&] {
            const auto session = world.session("before");
            return session ? session->info().layer : std::string();
        }();
        QVERIFY2(!id.empty(), (world.problem + with.heard()).c_str());
        with.wheel("demo_a", "2.0");
        world.manager = nullptr; // nobody holds it any more
        World again("bubblewrap");
        again.layers = [&](const sessions::LayerWish& wish) { return with.layers.layerFor(wish); };
        again.spec.requirements = world.spec.requirements;
        QVERIFY(with.layers.folder().remove(id, false));
        auto session = again.session("again");
        QVERIFY2(session, again.problem.c_str());
        QCOMPARE(session->info().packages, std::vector<std::string>{ "demo_a==1.0" });
        session->end();
        session = nullptr;
        again.manager = nullptr;
        QVERIFY(with.layers.folder().remove(id, true));
        World anew("bubblewrap");
        anew.layers = again.layers;
        anew.spec.requirements = world.spec.requirements;
        session = anew.session("anew");
        QVERIFY2(session, anew.problem.c_str());
        QCOMPARE(session->info().packages, std::vector<std::string>{ "demo_a==2.0" });
    }

    void saysWhyNothingWasInstalled_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<std::string>("what");
        QTest::addColumn<std::string>("why");
        QTest::addColumn<std::string>("next");
        for (const char* backend : { "bubblewrap", "docker" }) {
            const auto row = [&](const char* what, const char* why, const char* next) {
                QTest::addRow("%s, %s", what, backend)
                    << QByteArray(backend) << std::string(what) << std::string(why) << std::string(next);
            };
            row("offline", "No matching distribution found for demo-a==1.0", "run once without --offline");
            row("no wheel in the folder", "No matching distribution", "put the wheels there");
            row("index out of reach", "Connection refused", "PIP_INDEX_URL");
            row("versions that conflict", "conflicting dependencies", "Loosen the versions");
        }
    }
    void saysWhyNothingWasInstalled()
    {
        SG_USE_BACKEND();
        QFETCH(const std::string, what);
        QFETCH(const std::string, why);
        QFETCH(const std::string, next);
        LayerWorld with(world);
        world.spec.offline = what == "offline";
        if (what == "index out of reach")
            with.environment = { { "PIP_CONFIG_FILE", "/dev/null" },
                                 { "PIP_INDEX_URL", "http://127.0.0.1:1/simple" },
                                 { "PIP_RETRIES", "0" } };
        if (what == "versions that conflict") {
            with.wheel("demo_a", "1.0", "demo_b>=2");
            with.wheel("demo_b", "1.0");
            with.wheel("demo_b", "2.0");
            world.spec.requirements = { "demo-a==1.0", "demo-b==1.0" };
        }
        const auto session = world.session("failing");
        QVERIFY(!session);
        QVERIFY2(has(world.problem, "install demo-a==1.0"), world.problem.c_str());
        QVERIFY2(has(world.problem, why), world.problem.c_str());
        QVERIFY2(has(world.problem, next), world.problem.c_str());
        for (const auto& entry : fs::directory_iterator(with.layers.folder().root()))
            QVERIFY2(entry.path().extension() == ".lock", entry.path().c_str()); // nothing is left
    }

    void stopsWhenItIsToldTo()
    {
        SG_NEED("bubblewrap");
        World world("bubblewrap");
        LayerWorld with(world);
        const LocalServer silent(""); // pip waits for it
        with.environment = { { "PIP_CONFIG_FILE", "/dev/null" },
                             { "PIP_INDEX_URL",
                               "http://127.0.0.1:" + std::to_string(silent.port()) + "/simple" } };
        std::stop_source stop;
        const std::jthread asker([&](const std::stop_token& over) {
            while (silent.requests() == 0 && !over.stop_requested())
                std::this_thread::sleep_for(Millis(10));
            stop.request_stop();
        });
        const auto session = world.manager->acquire(ThreadId("stopped"), world.spec, stop.get_token());
        QVERIFY(!session);
        QVERIFY2(has(session.error().message, "was stopped"), session.error().message.c_str());
    }
};

SG_CORE_TEST(TestSessionLayers)
#include "tst_session_layers.moc"
