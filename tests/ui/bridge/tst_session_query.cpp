// The bridge tells of sessions that have ended, and starts one anew as it was.

#include "core/base/file.h"
#include "core/history/usage_book.h"
#include "core/sessions/manager/session_manager.h"
#include "core/workbench/workbench.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "ui/bridge/clients.h"
#include "ui/bridge/history/usage_query.h"
#include "ui/bridge/sessions/session_query.h"

#include <QDateTime>
#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;

namespace {

// A graph that needs a package, with a node that has a session of its own and needs two more.
constexpr const char* kGraph = R"({"format": 1, "name": "p", "state": {},
  "sandbox": {"requirements": ["numpy==2.1.0"]},
  "nodes": [{"name": "train", "kind": "python", "code": "nodes/train.py",
             "requirements": ["torch==2.5.0", "attrs==24.2.0"]}],
  "edges": [["__start__", "train"]]})";

class Project {
public:
    Project()
    {
        m_folder.write("p/p.graph.json", kGraph);
        workbench::WorkbenchOptions options;
        options.project = *projects::locateProject(m_folder / "p");
        auto opened = workbench::Workbench::open(std::move(options));
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        m_workbench = std::move(*opened);
    }
    workbench::Workbench& operator*() { return *m_workbench; }
    workbench::Workbench* operator->() { return m_workbench.get(); }

private:
    test::TempDir m_folder;
    std::unique_ptr<workbench::Workbench> m_workbench;
};

QString requirementsOf(Project& project, const std::string& part)
{
    const auto spec = project->sessionSpec(sessions::SessionPart::parse(part));
    if (!spec)
        return QString::fromStdString(spec.error().message);
    QStringList said{ QString::fromStdString(spec->part.text()) };
    for (const std::string& requirement : spec->requirements)
        said << QString::fromStdString(requirement);
    return said.join(QLatin1Char(' '));
}

} // namespace

class TestSessionQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Files that a window stages lie in a folder of this test.
    void initTestCase()
    {
        for (const char* place : { "XDG_RUNTIME_DIR", "XDG_CACHE_HOME" }) {
            const std::filesystem::path folder = m_places / place;
            std::filesystem::create_directories(folder);
            std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
            qputenv(place, QByteArray::fromStdString(folder.string()));
        }
    }

    void aNodesSessionHasItsPackagesAgain()
    {
        Project project;
        QCOMPARE(requirementsOf(project, ""), QStringLiteral(" numpy==2.1.0"));
        QCOMPARE(requirementsOf(project, "node train"),
                 QStringLiteral("node train attrs==24.2.0 numpy==2.1.0 torch==2.5.0"));
        QCOMPARE(requirementsOf(project, "run r1 node train"),
                 QStringLiteral("run r1 node train attrs==24.2.0 numpy==2.1.0 torch==2.5.0"));
        QCOMPARE(requirementsOf(project, "run r1"), QStringLiteral("run r1 numpy==2.1.0"));
    }

    void tellsWhenASessionEnded()
    {
        Project project;
        sessions::SessionRecord record;
        record.info.id = SessionId("s-1");
        record.info.thread = ThreadId("alice");
        record.info.state = sessions::SessionState::Kind::Live;
        record.startedAt = WallTime(std::chrono::milliseconds(1'000'000));
        record.lastUsed = WallTime(std::chrono::milliseconds(2'000'000));
        sessions::SessionRecords& records = *project->sessions().records();
        SG_VERIFY_OK(records.started(record));
        const double before = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
        SG_VERIFY_OK(
            records.setState(SessionId("s-1"), sessions::SessionState::ended("it was idle for 45 min")));
        const std::vector<SessionRow> rows = readSessions(*project);
        QCOMPARE(rows.size(), std::size_t(1));
        QVERIFY(rows[0].endedMs >= before - 1);
        QCOMPARE(rows[0].lastUsedMs, 2'000'000.0);
        QCOMPARE(rows[0].state.text(), std::string("ended: it was idle for 45 min"));
    }

    void theOpenProjectAnswersWhileAnotherCannotBeOpened()
    {
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        Clients clients;
        QSignalSpy sessions(&clients.sessions, &SessionsClient::sessionsChanged);
        QSignalSpy failed(&clients.project, &OpenProject::openFailed);
        clients.project.open(QString::fromStdString((folder / "p").string()));
        QTRY_COMPARE(sessions.count(), 1);
        clients.sessions.refreshSessions();
        clients.project.open(QString::fromStdString((folder / "not there").string()));
        QTRY_COMPARE(failed.count(), 1);
        QTRY_COMPARE(sessions.count(), 2);
        QVERIFY(clients.project.isOpen());
    }

    void anEmptyQuestionEndsTheSearch()
    {
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        Clients clients;
        QSignalSpy opened(&clients.project, &OpenProject::opened);
        clients.project.open(QString::fromStdString((folder / "p").string()));
        QTRY_COMPARE(opened.count(), 1);
        QSignalSpy searched(&clients.search, &SearchClient::searched);
        clients.search.readAhead();
        clients.search.search(QStringLiteral("is:run"));
        clients.search.search({});
        QTRY_VERIFY(clients.project.isAtRest());
        QCOMPARE(searched.count(), 0);
        clients.search.search(QStringLiteral("is:run"));
        clients.search.readAhead(); // does not take its place
        QTRY_COMPARE(searched.count(), 1);
        QVERIFY(searched.front().front().value<SearchRows>().error.what.isEmpty());
    }

    void theNewestUsageIsTold()
    {
        const test::TempDir folder;
        folder.write("p/p.graph.json", kGraph);
        Clients clients;
        QSignalSpy opened(&clients.project, &OpenProject::opened);
        clients.project.open(QString::fromStdString((folder / "p").string()));
        QTRY_COMPARE(opened.count(), 1);
        QSignalSpy told(&clients.search, &SearchClient::usageLoaded);
        for (const char* thread : { "a", "b", "c" })
            clients.search.loadUsage(QString::fromLatin1(thread), {});
        QTRY_VERIFY(clients.project.isAtRest());
        QCOMPARE(told.count(), 1);
        QCOMPARE(told.front().front().value<UsageRows>().thread, QStringLiteral("c"));
    }

    void pricesThatCannotBeReadAreNotWrittenOver()
    {
        Project project;
        const test::TempDir folder;
        history::UsageBook book(project->history(), project->project().checkpoints, folder / "prices.json");
        PriceTable wanted;
        wanted.currency = QStringLiteral("USD");
        wanted.rows = { { QStringLiteral("a"), 1, 2, QStringLiteral("2026-01-31") } };
        wanted.edit = 7;
        const PriceTable kept = writePrices(book, wanted);
        QVERIFY2(kept.error.what.isEmpty(), qPrintable(kept.error.what));
        QCOMPARE(kept.edit, quint64(7));
        QVERIFY(kept.rows == wanted.rows);
        folder.write("prices.json", "{\"models\": {");
        const PriceTable refused = writePrices(book, wanted);
        QVERIFY(refused.isUnreadable && !refused.error.what.isEmpty());
        QCOMPARE(QByteArray::fromStdString(*readFile(folder / "prices.json", 100)),
                 QByteArray("{\"models\": {"));
    }

    void restartsNothingThatIsNotItsOwn()
    {
        Project project;
        QVERIFY(restart(*project, QStringLiteral("s-1")).what.contains(QStringLiteral("s-1")));
    }

private:
    test::TempDir m_places;
};

SG_CORE_TEST(TestSessionQuery)
#include "tst_session_query.moc"
