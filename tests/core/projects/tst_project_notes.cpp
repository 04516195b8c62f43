// Labels and bookmarks: kept, changed, and never written over what is not theirs.

#include "core/base/file.h"
#include "core/projects/project_notes.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

using namespace sg;
using projects::NotesByThread;
using projects::ProjectNotes;

class TestProjectNotes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areKept()
    {
        const test::TempDir folder;
        const auto file = folder / "data" / "notes.json";
        {
            ProjectNotes notes(file);
            QVERIFY(notes.read()->empty());
            QVERIFY(!std::filesystem::exists(file)); // reading makes nothing
            QVERIFY(notes.setLabel(ThreadId("alice"), "first try"));
            QVERIFY(notes.setBookmark(ThreadId("alice"), CheckpointId("c1"), "before the fix"));
            QVERIFY(notes.setBookmark(ThreadId("bob"), CheckpointId("c2"), ""));
        }
        auto read = ProjectNotes(file).read();
        QVERIFY(read);
        QCOMPARE(read->at(ThreadId("alice")).label, std::string("first try"));
        QCOMPARE(read->at(ThreadId("alice")).bookmarks.at(CheckpointId("c1")), std::string("before the fix"));
        QCOMPARE(read->at(ThreadId("bob")).bookmarks.size(), std::size_t(1));
    }

    void goAgain()
    {
        const test::TempDir folder;
        ProjectNotes notes(folder / "notes.json");
        QVERIFY(notes.setLabel(ThreadId("a"), "x"));
        QVERIFY(notes.setBookmark(ThreadId("a"), CheckpointId("c"), "y"));
        QVERIFY(notes.setBookmark(ThreadId("a"), CheckpointId("c"), std::nullopt)
                    ->at(ThreadId("a"))
                    .bookmarks.empty());
        QVERIFY(notes.setLabel(ThreadId("a"), "")->empty());
        QVERIFY(notes.setLabel(ThreadId("b"), "z"));
        QVERIFY(notes.forget(ThreadId("b"))->empty());
    }

    void leaveAnotherFileAlone_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("not notes");
        QTest::newRow("newer") << QByteArray("{\"format\":2}");
        QTest::newRow("nothing") << QByteArray();
    }
    void leaveAnotherFileAlone()
    {
        QFETCH(QByteArray, text);
        const test::TempDir folder;
        const auto file = folder / "notes.json";
        QVERIFY(writeFileAtomically(file, text.toStdString()));
        ProjectNotes notes(file);
        QVERIFY(!notes.read());
        const auto changed = notes.setLabel(ThreadId("a"), "x");
        QVERIFY(!changed);
        QVERIFY(changed.error().message.find("Move it away") != std::string::npos);
        QCOMPARE(*readFile(file), text.toStdString());
    }

    void watchesAreKeptBesideTheThreads()
    {
        const test::TempDir folder;
        projects::ProjectNotes notes(folder / "notes.json");
        QVERIFY(notes.watches()->empty());
        SG_VERIFY_OK(notes.setLabel(ThreadId("alice"), "first"));
        SG_VERIFY_OK(notes.setWatches({ ".n", ".messages | length" }));
        SG_VERIFY_OK(notes.setLabel(ThreadId("bob"), "second"));
        projects::ProjectNotes again(folder / "notes.json");
        QCOMPARE(*again.watches(), (std::vector<std::string>{ ".n", ".messages | length" }));
        QCOMPARE(again.read()->size(), std::size_t(2));
        SG_VERIFY_OK(again.setWatches({}));
        QVERIFY(again.watches()->empty());
        QCOMPARE(again.read()->size(), std::size_t(2));
    }
};

SG_TEST(TestProjectNotes)
#include "tst_project_notes.moc"
