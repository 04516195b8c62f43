// Two windows with the same graph, and what a crash leaves: each has a journal of its own.

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/projects/edit_journal.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

using namespace sg;
using projects::EditJournal;

namespace {

struct Project {
    test::TempDir folder;
    projects::ProjectPaths paths;

    Project()
    {
        paths.folder = folder / "";
        paths.data = folder / ".sandglass";
        paths.graph = folder.write("a.graph.json", "{}");
    }
};

} // namespace

class TestEditJournal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoWindowsKeepEditsApart()
    {
        const Project project;
        std::optional<EditJournal> first(std::in_place, project.paths);
        QVERIFY(!first->isShared());
        EditJournal second(project.paths);
        QVERIFY(second.isShared());
        SG_VERIFY_OK(first->keep("mine", "file"));
        SG_VERIFY_OK(second.keep("yours", "file"));
        QCOMPARE(first->read().text, std::string("mine"));
        QCOMPARE(second.read().text, std::string("yours"));
        SG_VERIFY_OK(second.keep({}, {})); // saved
        QCOMPARE(first->read().text, std::string("mine"));
        QCOMPARE(second.read().text, std::string());
    }

    void aLivingOnesEditsAreOfferedToNobody()
    {
        const Project project;
        std::optional<EditJournal> first(std::in_place, project.paths);
        SG_VERIFY_OK(first->keep("mine", "file"));
        QCOMPARE(EditJournal(project.paths).read().text, std::string());
        first.reset(); // as in a crash: it was not taken back
        const EditJournal next(project.paths);
        QVERIFY(!next.isShared());
        QCOMPARE(next.read().text, std::string("mine"));
        QCOMPARE(next.read().base, projects::textHash("file"));
    }

    // Both windows crashed: one after the other gets what it had.
    void everyCrashedOneIsOffered()
    {
        const Project project;
        {
            EditJournal first(project.paths);
            EditJournal second(project.paths);
            SG_VERIFY_OK(first.keep("mine", "file"));
            SG_VERIFY_OK(second.keep("yours", "file"));
        }
        const EditJournal first(project.paths);
        const EditJournal second(project.paths);
        QCOMPARE(first.read().text, std::string("mine"));
        QCOMPARE(second.read().text, std::string("yours"));
    }

    void endsWithItsProcess()
    {
        const Project project;
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            EditJournal journal(project.paths);
            const bool isKept = journal.keep("mine", "file") && journal.keepDraft("nodes/a.py", "typed");
            const char byte = isKept ? 'y' : 'n';
            [[maybe_unused]] const ssize_t written = ::write(ready[1], &byte, 1);
            ::alarm(60); // where the test failed before it ends this one
            ::pause();
            ::_exit(0);
        }
        char byte = 0;
        QCOMPARE(::read(ready[0], &byte, 1), ssize_t(1));
        QCOMPARE(byte, 'y');
        {
            EditJournal other(project.paths);
            QVERIFY(other.isShared());
            QCOMPARE(other.draft("nodes/a.py"), std::string());
            SG_VERIFY_OK(other.keepDraft("nodes/a.py", "otherwise"));
            SG_VERIFY_OK(other.keepDraft("nodes/a.py", {})); // saved
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const EditJournal next(project.paths);
        QVERIFY(!next.isShared());
        QCOMPARE(next.read().text, std::string("mine"));
        QCOMPARE(next.draft("nodes/a.py"), std::string("typed"));
    }

    void codeIsKeptApartToo()
    {
        const Project project;
        {
            EditJournal first(project.paths);
            EditJournal second(project.paths);
            SG_VERIFY_OK(first.keepDraft("nodes/a.py", "mine"));
            SG_VERIFY_OK(second.keepDraft("nodes/a.py", "yours"));
            SG_VERIFY_OK(second.keepDraft("nodes/b.py", "also yours"));
            QCOMPARE(first.draft("nodes/a.py"), std::string("mine"));
            QCOMPARE(first.draft("nodes/b.py"), std::string());
            QCOMPARE(second.draft("nodes/a.py"), std::string("yours"));
        }
        // Code alone is offered as well, and what is saved or thrown away leaves nothing behind.
        EditJournal first(project.paths);
        QCOMPARE(first.draft("nodes/a.py"), std::string("mine"));
        SG_VERIFY_OK(first.keepDraft("nodes/a.py", {}));
        EditJournal second(project.paths);
        QCOMPARE(second.draft("nodes/a.py"), std::string("yours"));
        QCOMPARE(second.draft("nodes/b.py"), std::string("also yours"));
        SG_VERIFY_OK(second.keepDraft("nodes/a.py", {}));
        SG_VERIFY_OK(second.keepDraft("nodes/b.py", {}));
        QCOMPARE(EditJournal(project.paths).draft("nodes/b.py"), std::string());
        for (const auto& entry : std::filesystem::directory_iterator(project.paths.data / "journal"))
            QCOMPARE(entry.path().filename().string(), std::string("a.graph.json.lock"));
    }

    void readsWhatOlderVersionsLeft()
    {
        const Project project;
        std::filesystem::create_directories(project.paths.data / "journal");
        SG_VERIFY_OK(writeFileAtomically(project.paths.data / "journal" / "a.graph.json", "{\n}\n"));
        const EditJournal journal(project.paths);
        QCOMPARE(journal.read().text, std::string("{\n}\n"));
        QVERIFY(journal.read().base.empty());
    }

    void codeOfOlderVersionsIsOfferedUntilItIsDecidedOn()
    {
        const Project project;
        const std::string name = "code-" + sha256Hex("nodes/a.py").substr(0, 24);
        std::filesystem::create_directories(project.paths.data / "journal");
        SG_VERIFY_OK(writeFileAtomically(project.paths.data / "journal" / name, "typed"));
        EditJournal journal(project.paths);
        QCOMPARE(journal.draft("nodes/a.py"), std::string("typed"));
        SG_VERIFY_OK(journal.keepDraft("nodes/a.py", {}));
        QCOMPARE(journal.draft("nodes/a.py"), std::string());
    }

    void aFolderThatCannotBeWrittenIsToldWhenItMatters()
    {
        Project project;
        project.paths.data = project.paths.graph / "no folder";
        EditJournal journal(project.paths);
        QVERIFY(!journal.isShared());
        QVERIFY(!journal.keep("mine", "file"));
        SG_VERIFY_OK(journal.keep({}, {}));
    }
};

SG_TEST(TestEditJournal)
#include "tst_edit_journal.moc"
