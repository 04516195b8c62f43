// States and parts of sessions: types in the program, words in its files and its JSON.

#include "core/sessions/session_part.h"
#include "core/sessions/session_sharing.h"
#include "core/sessions/session_state.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::sessions;

class TestSessionWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void statesAreReadAsTheyAreWritten_data()
    {
        QTest::addColumn<std::string>("words");
        QTest::addColumn<int>("kind");
        using Kind = SessionState::Kind;
        const std::pair<const char*, Kind> kWords[] = {
            { "starting", Kind::Starting },
            { "waiting", Kind::Waiting },
            { "idle", Kind::Idle },
            { "busy", Kind::Busy },
            { "paused", Kind::Paused },
            { "live", Kind::Live },
            { "released", Kind::Released },
            { "kept", Kind::Kept },
            { "in use by another program", Kind::InUse },
            { "in use by pid 7", Kind::InUse },
            { "left by a program that is gone", Kind::LeftBehind },
            { "ended", Kind::Ended },
            { "ended: it was idle for 45 min", Kind::Ended },
            { "", Kind::Other },
            { "asleep", Kind::Other }, // of a later version
        };
        for (const auto& [words, kind] : kWords)
            QTest::newRow(words) << std::string(words) << static_cast<int>(kind);
    }
    void statesAreReadAsTheyAreWritten()
    {
        QFETCH(std::string, words);
        QFETCH(int, kind);
        const SessionState state = SessionState::parse(words);
        QCOMPARE(static_cast<int>(state.kind()), kind);
        QCOMPARE(state.text(), words);
        QCOMPARE(state.hasEnded(), words.starts_with("ended"));
        const SessionState made(state.kind());
        if (made.text() == words)
            QVERIFY(made == state);
    }

    void anEndSaysItsCause_data()
    {
        QTest::addColumn<std::string>("why");
        QTest::addColumn<int>("end");
        using End = SessionState::End;
        const std::pair<const char*, End> kWhys[] = {
            { "its program (pid 12) is gone, and a bubblewrap session ends with it", End::ProgramGone },
            { "it made room for thread bob", End::MadeRoom },
            { "it ran out of memory", End::Broken },
            { "its sandbox was removed, or died with its engine", End::Broken },
            { "the connection was lost", End::Broken },
            { "it was idle for 45 min", End::Other },
            { "the session was ended", End::Asked },
        };
        for (const auto& [why, end] : kWhys)
            QTest::newRow(why) << std::string(why) << static_cast<int>(end);
    }
    void anEndSaysItsCause()
    {
        QFETCH(std::string, why);
        QFETCH(int, end);
        const SessionState state = SessionState::ended(why);
        QCOMPARE(state.text(), "ended: " + why);
        QCOMPARE(std::string(state.why()), why);
        QCOMPARE(static_cast<int>(state.end()), end);
    }

    void partsAreReadAsTheyAreWritten_data()
    {
        QTest::addColumn<std::string>("words");
        QTest::addColumn<std::string>("node");
        QTest::addColumn<bool>("isOfR");
        QTest::addColumn<bool>("isOfARun");
        QTest::newRow("the thread's") << std::string() << std::string() << false << false;
        QTest::newRow("a node's") << std::string("node a b") << std::string("a b") << false << false;
        QTest::newRow("a run's") << std::string("run r") << std::string() << true << true;
        QTest::newRow("another run's") << std::string("run r2") << std::string() << false << true;
        QTest::newRow("a node's in a run") << std::string("run r node a") << std::string("a") << true << true;
        QTest::newRow("any run's") << std::string("run") << std::string() << false << true;
        QTest::newRow("a node's in any run")
            << std::string("run node a") << std::string("a") << false << true;
    }
    void partsAreReadAsTheyAreWritten()
    {
        QFETCH(std::string, words);
        QFETCH(std::string, node);
        QFETCH(bool, isOfR);
        QFETCH(bool, isOfARun);
        const SessionPart part = SessionPart::parse(words);
        QCOMPARE(part.text(), words);
        QCOMPARE(part.isThreads(), words.empty());
        QCOMPARE(part.node().value, node);
        QCOMPARE(part.isOf(RunId("r")), isOfR);
        QCOMPARE(part.isOfARun(), isOfARun);
    }

    void whoSharesASessionHasOnePart()
    {
        SessionSharing sharing;
        sharing.ownNodes = { "a" };
        QVERIFY(sharing.part(NodeId("b"), RunId("r")).isThreads());
        QVERIFY(sharing.part(NodeId("a"), RunId("r")) == SessionPart::ofNode(NodeId("a")));
        QVERIFY(sharing.partOfAnyRun(NodeId("a")) == SessionPart::ofNode(NodeId("a")));
        sharing.scope = SessionScope::Run;
        QCOMPARE(sharing.part(NodeId("b"), RunId("r")).text(), std::string("run r"));
        QCOMPARE(sharing.part(NodeId("a"), RunId("r")).text(), std::string("run r node a"));
        QCOMPARE(sharing.partOfAnyRun(NodeId("b")).text(), std::string("run"));
        QCOMPARE(sharing.partOfAnyRun(NodeId("a")).text(), std::string("run node a"));
    }
};

SG_TEST(TestSessionWords)
#include "tst_session_words.moc"
