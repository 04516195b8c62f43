// A database from elsewhere becomes a project; it stays as it was, and nothing is written over.

#include "core/base/file.h"
#include "core/history/database.h"
#include "core/projects/project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using history::Database;

namespace {

void fill(const std::filesystem::path& file)
{
    auto database = *Database::open(file, Database::Access::ReadWrite);
    checkpoint::Checkpoint made;
    made.id = CheckpointId("1ef00000-0000-6000-8000-000000000001");
    made.timestamp = "2026-01-01T00:00:00+00:00";
    made.channelValues.set("n", Value(7));
    if (!database->store().put({ ThreadId("t"), "", made.id }, {}, made, { "loop", 0, {}, {} }))
        qFatal("not stored");
}

} // namespace

class TestDatabaseCopy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCopyIsAProject()
    {
        const test::TempDir folder;
        const auto theirs = folder / "theirs.sqlite";
        fill(theirs);
        const std::string before = *readFile(theirs);
        const auto to = folder / "a \"new\" one";
        const auto copied = projects::copyToProject(theirs, to);
        QVERIFY2(copied, copied ? "" : copied.error().message.c_str());
        QCOMPARE(*readFile(theirs), before);
        const auto paths = projects::locateProject(to);
        QVERIFY2(paths, paths ? "" : paths.error().message.c_str());
        auto database = *Database::open(paths->checkpoints, Database::Access::ReadOnly);
        const auto state = database->history().state(ThreadId("t"));
        QVERIFY(state);
        QCOMPARE(state->values["n"], Value(7));
    }

    void nothingIsWrittenOver()
    {
        const test::TempDir folder;
        fill(folder / "theirs.sqlite");
        std::filesystem::create_directories(folder / "p");
        QVERIFY(writeFileAtomically(folder / "p" / "p.graph.json", "mine"));
        const auto copied = projects::copyToProject(folder / "theirs.sqlite", folder / "p");
        QVERIFY(!copied);
        QCOMPARE(copied.error().code, Errc::Exists);
        QCOMPARE(*readFile(folder / "p" / "p.graph.json"), std::string("mine"));
        QVERIFY(!std::filesystem::exists(folder / "p" / ".sandglass" / "checkpoints.sqlite"));
    }

    void whatIsNoDatabaseIsRefused()
    {
        const test::TempDir folder;
        QVERIFY(writeFileAtomically(folder / "text", "no database at all, but long enough to be looked at"));
        QVERIFY(!projects::copyToProject(folder / "text", folder / "p"));
        QVERIFY(!projects::copyToProject(folder / "missing", folder / "p"));
        QVERIFY(!std::filesystem::exists(folder / "p" / "p.graph.json"));
    }
};

SG_TEST(TestDatabaseCopy)
#include "tst_database_copy.moc"
