#include "core/sessions/records/session_folder_view.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace sg;
using namespace sg::sessions;

class TestSessionFolderView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAFolderOfLangGraphSandbox()
    {
        const test::TempDir folder;
        folder.write("session_metadata.json", "{\"session_id\": \"conv\", \"execution_count\": 2}");
        folder.write("session.log",
                     "{\"timestamp\": \"t0\", \"event\": \"session_started\"}\n"
                     "not json\n\n"
                     "{\"timestamp\": \"t1\", \"event\": \"code_execution\", \"code\": \"1\"}\n");
        folder.write("python_state.json", "{\"variables\": {\"x\": {\"type\": \"int\", \"value\": \"1\"}}}");
        folder.write("artifacts/b.txt", "22");
        folder.write("artifacts/sub/a.txt", "1");
        const auto view = viewSessionFolder(folder.path(), {});
        SG_VERIFY_OK(view);
        QCOMPARE(view->metadata.stringOr("session_id", ""), std::string("conv"));
        QCOMPARE(view->logLines, std::int64_t(3));
        QCOMPARE(view->log.size(), std::size_t(3));
        QCOMPARE(view->log[1].stringOr("problem", ""), std::string("Invalid JSON in log"));
        QCOMPARE(view->state["variables"]["x"].stringOr("type", ""), std::string("int"));
        QCOMPARE(view->artifacts.size(), std::size_t(2));
        QCOMPARE(view->artifacts[1].path, std::string("sub/a.txt"));
        QVERIFY(view->problems.empty());
        const auto last = viewSessionFolder(folder.path(), { 1, false, false });
        QCOMPARE(last->log.size(), std::size_t(1));
        QCOMPARE(last->log[0].stringOr("timestamp", ""), std::string("t1"));
        QVERIFY(last->state.isNull() && last->artifacts.empty());
    }

    void saysThatThereAreMoreFilesThanItLists()
    {
        const test::TempDir folder;
        for (int i = 0; i < 10'000; ++i)
            folder.write("artifacts/" + std::to_string(i), "");
        auto view = viewSessionFolder(folder.path(), {});
        SG_VERIFY_OK(view);
        QCOMPARE(view->artifacts.size(), std::size_t(10'000));
        QVERIFY(view->problems.empty());
        folder.write("artifacts/one more", "");
        view = viewSessionFolder(folder.path(), {});
        SG_VERIFY_OK(view);
        QCOMPARE(view->artifacts.size(), std::size_t(10'000));
        QCOMPARE(view->problems.size(), std::size_t(1));
        SG_VERIFY_CONTAINS(view->problems.front(), "10000");
    }

    void toleratesWhatIsMissing()
    {
        const test::TempDir folder;
        const auto view = viewSessionFolder(folder.path(), {});
        SG_VERIFY_OK(view);
        QVERIFY(view->metadata.isNull() && view->log.empty() && view->problems.empty());
        const auto none = viewSessionFolder(folder / "none", {});
        QVERIFY(!none && none.error().code == Errc::NotFound);
    }

    void opensNothingThroughALink()
    {
        const test::TempDir folder;
        const test::TempDir outside;
        outside.write("secret", "{\"token\": 1}");
        std::filesystem::create_symlink(outside / "secret", folder / "session_metadata.json");
        std::filesystem::create_symlink(outside / "secret", folder / "session.log");
        QCOMPARE(::mkfifo((folder / "python_state.json").c_str(), 0600), 0);
        std::filesystem::create_directory_symlink(outside.path(), folder / "artifacts");
        const auto view = viewSessionFolder(folder.path(), {});
        SG_VERIFY_OK(view);
        QVERIFY(view->metadata.isNull() && view->log.empty() && view->state.isNull()
                && view->artifacts.empty());
        QCOMPARE(view->problems.size(), std::size_t(3));
    }

    void readsTheEndOfALongLog()
    {
        const test::TempDir folder;
        std::string log;
        for (int i = 0; i < 120'000; ++i)
            log += "{\"event\": \"code_execution\", \"n\": " + std::to_string(i) + ", \"code\": \""
                + std::string(60, 'x') + "\"}\n";
        folder.write("session.log", log);
        const auto view = viewSessionFolder(folder.path(), { 2, true, true });
        SG_VERIFY_OK(view);
        QCOMPARE(view->log.size(), std::size_t(2));
        QCOMPARE(view->log[1].intOr("n", 0), std::int64_t(119'999));
    }
};

SG_TEST(TestSessionFolderView)
#include "tst_session_folder_view.moc"
