// The window itself shows a session's text that is not saved, and how long it lives.

#include "tests/support/window_test.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/world/files_panel.h"

#include <QDateTime>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>

using namespace sg::ui;

namespace {

SessionText text()
{
    SessionText made;
    made.thread = QStringLiteral("main");
    made.path = QStringLiteral("run.sh");
    made.text = QStringLiteral("one");
    made.hash = QStringLiteral("h");
    made.isLive = true;
    return made;
}

// A window in whose files panel something was typed.
struct Typed {
    Typed()
    {
        window.show();
        files().setText(text());
        edit().setPlainText(QStringLiteral("two"));
        edit().document()->setModified(true);
    }
    FilesPanel& files() { return *window.findChild<FilesPanel*>(); }
    QPlainTextEdit& edit() { return *files().findChild<QPlainTextEdit*>(QStringLiteral("sessionFileText")); }
    void answer(QMessageBox::StandardButton button)
    {
        auto* question = window.findChild<QMessageBox*>();
        QVERIFY(question != nullptr);
        question->button(button)->click();
    }
    MainWindow window;
};

SessionRow session(const char* id, const char* state, const char* part, double leftMs)
{
    SessionRow row;
    row.session = QString::fromLatin1(id);
    row.thread = QStringLiteral("main");
    row.state = sg::sessions::SessionState::parse(state);
    row.part = sg::sessions::SessionPart::parse(part);
    if (leftMs > 0)
        row.expiresMs = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) + leftMs;
    return row;
}

} // namespace

class TestUnsavedText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("unsaved-text"));
    }

    void theWindowAsksBeforeItCloses()
    {
        Typed typed;
        QVERIFY(typed.window.isWindowModified());
        QVERIFY(!typed.window.close());
        QVERIFY(typed.window.isVisible());
        typed.answer(QMessageBox::Discard);
        QVERIFY(!typed.window.isVisible());
        QVERIFY(!typed.files().isModified());
    }

    void itClosesOnceTheTextIsSaved()
    {
        Typed typed;
        QSignalSpy saves(&typed.files(), &FilesPanel::saveRequested);
        QVERIFY(!typed.window.close());
        typed.answer(QMessageBox::Save);
        QTRY_COMPARE(saves.count(), 1);
        QVERIFY(typed.window.isVisible());
        typed.files().setSaved(text(), { QStringLiteral("no sandbox runs"), {} }, false);
        QVERIFY(typed.window.isVisible()); // it would be lost
        QVERIFY(typed.window.isWindowModified());
        QVERIFY(!typed.window.close());
        typed.answer(QMessageBox::Save);
        QTRY_COMPARE(saves.count(), 2);
        typed.files().setSaved(text(), {}, false);
        QVERIFY(!typed.window.isVisible());
    }

    void theStatusBarTellsOfTheThreadsOwnSession()
    {
        QStatusBar bar;
        StatusLine line(&bar);
        const auto* words = bar.findChild<QLabel*>(QStringLiteral("statusSession"));
        const QString main = QStringLiteral("main");
        QCOMPARE(words->text(), QStringLiteral("No session"));
        line.setSessions({ session("s-1", "ended: user", "", 0), session("s-2", "idle", "node a", 0) }, main);
        QCOMPARE(words->text(), QStringLiteral("No session"));
        line.setSessions({ session("s-2", "busy", "node a", 0), session("s-3", "idle", "", 754'900) }, main);
        QCOMPARE(words->text(), QStringLiteral("Session s-3, idle, 12 min left"));
        line.setSessions({ session("s-3", "idle", "", 62'000) }, main);
        QVERIFY2(words->text().endsWith(QStringLiteral("0:01:02 left")), qPrintable(words->text()));
        QTRY_VERIFY_WITH_TIMEOUT(words->text().endsWith(QStringLiteral("0:01:00 left")), 3500);
        line.setSessions({ session("s-3", "idle", "", 0) }, main);
        QCOMPARE(words->text(), QStringLiteral("Session s-3, idle"));
    }
};

SG_WINDOW_TEST(TestUnsavedText)
#include "tst_unsaved_text.moc"
