// A project whose threads are in PostgreSQL, where another machine goes on with them.

#include "core/history/database.h"
#include "tests/conformance/checkpoint/store_fixture.h"
#include "tests/support/machine.h"
#include "tests/support/postgres_server.h"
#include "tests/support/qtest_std.h"
#include "tests/support/qtry.h"
#include "tests/support/window_test.h"
#include "ui/bridge/history/history_reader.h"
#include "ui/bridge/open/client.h"
#include "ui/bridge/open/open_project.h"
#include "ui/bridge/search/search_query.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>

using namespace sg;
using namespace sg::ui;
using namespace sg::checkpoint::conformance;
using history::Database;

namespace {

// Opens it as a machine would that keeps its own in that folder.
std::unique_ptr<Database> machine(const QString& data, const std::string& address)
{
    const QByteArray before = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", data.toLocal8Bit());
    auto opened = Database::openShared(address, Database::Access::ReadWrite);
    qputenv("XDG_DATA_HOME", before);
    if (!opened)
        qFatal("%s", opened.error().message.c_str());
    return std::move(*opened);
}

// Reads as a client does.
class Reader : public Client {
public:
    explicit Reader(OpenProject& project)
        : Client(project)
    {
    }
    std::shared_ptr<workbench::Workbench> workbench() const { return access().workbench(); }
};

} // namespace

class TestSharedProject : public QObject {
    Q_OBJECT

    std::unique_ptr<test::PostgresServer> m_server;
    test::TempDir m_folder;
    std::string m_address;
    std::unique_ptr<Database> m_other;

    QString folder(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
    QStringList steps(OpenProject& project)
    {
        QStringList ids;
        auto answer = HistoryReader(*Reader(project).workbench(), QStringLiteral("t")).newest(100);
        if (!answer.error.what.isEmpty())
            return { answer.error.what };
        for (const CheckpointRow& row : answer.value.checkpoints)
            ids << row.id;
        return ids;
    }

private Q_SLOTS:
    void initTestCase()
    {
        SG_NEED("postgres");
        m_server = std::make_unique<test::PostgresServer>();
        m_address = m_server->address("flows");
        qputenv("XDG_DATA_HOME", folder("here").toLocal8Bit());
        m_other = machine(folder("there"), m_address);
        SG_VERIFY_OK(m_other->store().put(refOf("t", "1"), {}, checkpointOf("1"), metadataOf(0)));
    }

    void showsWhatAnotherMachineWrites()
    {
        OpenProject project;
        QSignalSpy opened(&project, &OpenProject::opened);
        QSignalSpy failed(&project, &OpenProject::openFailed);
        project.open(QString::fromStdString(m_address));
        QTRY_VERIFY(opened.count() + failed.count() > 0);
        QVERIFY2(failed.isEmpty(), "it was not opened");
        QVERIFY(project.info().isReadOnly);
        QCOMPARE(project.info().shared, QString::fromStdString(m_address));
        QCOMPARE(project.info().graphName, QStringLiteral("flows"));
        QCOMPARE(steps(project), QStringList{ QStringLiteral("1") });
        QSignalSpy changed(&project, &OpenProject::databaseChanged);
        SG_VERIFY_OK(
            m_other->store().put(refOf("t", "2"), CheckpointId("1"), checkpointOf("2"), metadataOf(1)));
        QTRY_VERIFY(changed.count() > 0);
        QCOMPARE(steps(project), (QStringList{ QStringLiteral("1"), QStringLiteral("2") }));
    }

    void searchesAllThreads()
    {
        SG_VERIFY_OK(m_other->store().put(refOf("u", "1"), {},
                                          checkpointOf("1", { { "word", Value("needle") } }), metadataOf(0)));
        OpenProject project;
        QSignalSpy opened(&project, &OpenProject::opened);
        project.open(QString::fromStdString(m_address));
        QTRY_VERIFY(opened.count() > 0);
        history::Search search(Reader(project).workbench()->history(),
                               Reader(project).workbench()->project().checkpoints);
        const auto vocabulary = search.vocabulary();
        SG_VERIFY_OK(vocabulary);
        QCOMPARE(vocabulary->threads.size(), std::size_t{ 2 });
    }

    // The threads of a project with a graph, which can be run.
    void aProjectsThreadsMayBeThere()
    {
        QVERIFY(QDir().mkpath(folder("project")));
        QFile graph(folder("project/count.graph.json"));
        QVERIFY(graph.open(QFile::WriteOnly));
        graph.write("{\"sandglass\": 1, \"name\": \"count\"}");
        graph.close();
        OpenProject project;
        QSignalSpy opened(&project, &OpenProject::opened);
        QSignalSpy failed(&project, &OpenProject::openFailed);
        project.open(folder("project"), QString::fromStdString(m_address));
        QTRY_VERIFY(opened.count() + failed.count() > 0);
        QVERIFY2(failed.isEmpty(), "it was not opened");
        QVERIFY(!project.info().isReadOnly);
        QCOMPARE(project.info().shared, QString::fromStdString(m_address));
        QVERIFY(steps(project).contains(QStringLiteral("1")));
        QVERIFY(!QFile::exists(folder("project/.sandglass/checkpoints.sqlite")));
    }

    void aServerThatIsAwayIsSaid()
    {
        OpenProject project;
        QSignalSpy failed(&project, &OpenProject::openFailed);
        project.open(QString::fromStdString("postgresql:/" + std::string("/me:word@/flows?host=")
                                            + (m_folder / "none").string()));
        QTRY_VERIFY(failed.count() > 0);
        const auto error = failed.front().front().value<UserError>();
        QVERIFY2(error.what.contains(QLatin1String("connect to postgresql:")), qPrintable(error.what));
        QVERIFY(!error.what.contains(QLatin1String("word")));
    }
};

SG_WINDOW_TEST(TestSharedProject)
#include "tst_shared_project.moc"
