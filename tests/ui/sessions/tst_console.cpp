// Cells of the console: whose session they go to, what stays of them while another is looked at.

#include "tests/support/window_style.h"
#include "ui/sessions/console_view.h"
#include "ui/sessions/session_bar.h"
#include "ui/sessions/session_panel.h"
#include "ui/sessions/session_table.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace sg::ui;

namespace {

ConsolePlace at(const char* thread)
{
    return { QString::fromLatin1(thread), QStringLiteral("Writes to session s-1"), {} };
}

LogRow line(const char* text)
{
    return { 0, 0, {}, LogRow::Stream::Out, QString::fromLatin1(text), LogRow::Source::Cell };
}

SessionRow session(const char* id, const char* thread, const char* state, const char* part = "")
{
    SessionRow row;
    row.session = QString::fromLatin1(id);
    row.thread = QString::fromLatin1(thread);
    row.state = sg::sessions::SessionState::parse(state);
    row.part = sg::sessions::SessionPart::parse(part);
    row.startedMs = 1;
    return row;
}

CodeInput& inputOf(QWidget& widget)
{
    return *widget.findChild<CodeInput*>();
}

QString outputOf(QWidget& widget)
{
    return widget.findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"))->toPlainText();
}

QString placeOf(QWidget& widget)
{
    return widget.findChild<QLabel*>(QStringLiteral("consolePlace"))->text();
}

void enter(QWidget& widget, const char* code)
{
    inputOf(widget).setPlainText(QString::fromLatin1(code));
    inputOf(widget).moveCursor(QTextCursor::End);
    QTest::keyClick(&inputOf(widget), Qt::Key_Return);
}

} // namespace

class TestConsole : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void runsCellsAndRemembersThem()
    {
        ConsoleView console;
        console.resize(600, 200);
        console.show();
        console.setPlace(at("alice"));
        QSignalSpy entered(&console, &ConsoleView::cellEntered);
        auto* input = console.findChild<CodeInput*>();
        QTest::keyClicks(input, QStringLiteral("x = (1,"));
        QTest::keyClick(input, Qt::Key_Return); // not whole yet
        QCOMPARE(entered.count(), 0);
        QTest::keyClicks(input, QStringLiteral("2)"));
        QTest::keyClick(input, Qt::Key_Return);
        QCOMPARE(entered.count(), 1);
        console.print(QStringLiteral("alice"), { line("printed") });
        console.end(QStringLiteral("alice"), { true, QStringLiteral("(1, 2)"), {}, 0.1, 0, false });
        const QString output =
            console.findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"))->toPlainText();
        QVERIFY2(output.endsWith(QStringLiteral("printed\n(1, 2)")), qPrintable(output));
        QTest::keyClick(input, Qt::Key_Up);
        QCOMPARE(input->toPlainText(), QStringLiteral("x = (1,\n2)"));
        input->setPlainText(QStringLiteral("pri"));
        input->moveCursor(QTextCursor::End);
        QSignalSpy wanted(&console, &ConsoleView::completionWanted);
        QTest::keyClick(input, Qt::Key_Tab);
        QCOMPARE(wanted.count(), 1);
        console.showCompletion({ QStringLiteral("pri"), 3, 0, 3, { QStringLiteral("print") } });
        QCOMPARE(input->toPlainText(), QStringLiteral("print"));
    }

    void tellsTheMomentOfLinesThatCameInOnePiece()
    {
        ConsoleView console;
        console.resize(600, 200);
        console.show();
        console.print({}, std::vector<LogRow>(20'000, line("one two")));
        auto* output = console.findChild<QPlainTextEdit*>(QStringLiteral("consoleOutput"));
        QCOMPARE(output->blockCount(), 10'000);
        QSignalSpy asked(&console, &ConsoleView::momentRequested);
        output->moveCursor(QTextCursor::Start);
        QTest::keyClick(output, Qt::Key_Return);
        output->moveCursor(QTextCursor::End);
        QTest::keyClick(output, Qt::Key_Return);
        QCOMPARE(asked.count(), 2);
        output->moveCursor(QTextCursor::StartOfLine);
        QTest::mouseDClick(output->viewport(), Qt::LeftButton, {},
                           output->cursorRect().center() + QPoint(5, 0));
        QCOMPARE(asked.count(), 3);
        QCOMPARE(output->textCursor().selectedText(), QStringLiteral("one"));
    }

    void aCellGoesOnWhileAnotherThreadIsShown()
    {
        ConsoleView console;
        console.resize(600, 200);
        console.show();
        console.setPlace(at("alice"));
        enter(console, "sleep(60)");
        QVERIFY(inputOf(console).isReadOnly());
        console.setPlace(at("bob"));
        QVERIFY(!inputOf(console).isReadOnly());
        QCOMPARE(outputOf(console), QString());
        inputOf(console).setPlainText(QStringLiteral("half"));
        console.print(QStringLiteral("alice"), { line("meanwhile") });
        QCOMPARE(outputOf(console), QString());
        console.setPlace(at("alice"));
        QCOMPARE(outputOf(console), QStringLiteral(">>> sleep(60)\nmeanwhile"));
        QVERIFY(inputOf(console).isReadOnly());
        QVERIFY(console.findChild<QPushButton*>(QStringLiteral("consoleStop"))->isVisible());
        console.setPlace(at("bob"));
        QCOMPARE(inputOf(console).toPlainText(), QStringLiteral("half"));
        console.end(QStringLiteral("alice"), { true, QStringLiteral("None"), {}, 0.1, 0, false });
        console.setPlace(at("alice"));
        QVERIFY(!inputOf(console).isReadOnly());
        QVERIFY(outputOf(console).endsWith(QStringLiteral("meanwhile\nNone")));
    }

    void nothingStaysOfAnotherProject()
    {
        SessionPanel panel;
        panel.resize(900, 600);
        panel.show();
        panel.findChild<SessionBar*>()->setView(SessionBar::View::Console);
        panel.setThread(QStringLiteral("main"));
        panel.setSessions({ session("s-1", "main", "idle") });
        enter(panel, "x = 1"); // its end is never told
        QVERIFY(inputOf(panel).isReadOnly());
        inputOf(panel).setPlainText(QStringLiteral("secret"));
        panel.clear();
        panel.setThread(QStringLiteral("main"));
        panel.setSessions({ session("s-2", "main", "idle") });
        QCOMPARE(outputOf(panel), QString());
        QVERIFY(!inputOf(panel).isReadOnly());
        QCOMPARE(inputOf(panel).toPlainText(), QString());
        QTest::keyClick(&inputOf(panel), Qt::Key_Up);
        QCOMPARE(inputOf(panel).toPlainText(), QString());
    }

    void cellsGoToTheSessionThatIsNamed()
    {
        SessionPanel panel;
        panel.resize(1100, 600);
        panel.show();
        panel.findChild<SessionBar*>()->setView(SessionBar::View::Console);
        panel.setThread(QStringLiteral("alice"));
        panel.setSessions({ session("s-1", "alice", "idle"), session("s-2", "bob", "idle"),
                            session("s-3", "alice", "idle", "node train"),
                            session("s-4", "alice", "ended: user"), session("s-5", "carol", "ended: user"),
                            session("s-6", "dave", "in use by another program") });
        auto* table = panel.findChild<SessionTable*>();
        QSignalSpy cells(&panel, &SessionPanel::cellEntered);
        enter(panel, "1");
        QCOMPARE(cells.takeFirst().front().toString(), QStringLiteral("alice"));
        panel.endCell(QStringLiteral("alice"), {});
        table->setFocus();
        table->select(QStringLiteral("s-2"));
        QCOMPARE(placeOf(panel), QStringLiteral("Writes to session s-2"));
        enter(panel, "2");
        QCOMPARE(cells.takeFirst().front().toString(), QStringLiteral("bob"));
        QSignalSpy stops(&panel, &SessionPanel::cellStopRequested);
        panel.findChild<QPushButton*>(QStringLiteral("consoleStop"))->click();
        QCOMPARE(stops.takeFirst().front().toString(), QStringLiteral("bob"));
        for (const char* other : { "s-3", "s-4", "s-6" }) {
            table->select(QString::fromLatin1(other));
            QVERIFY2(inputOf(panel).isHidden(), other);
            QVERIFY2(placeOf(panel).endsWith(QLatin1Char('.')), qPrintable(placeOf(panel)));
        }
        QVERIFY(placeOf(panel).startsWith(QStringLiteral("Another program")));
        table->select(QStringLiteral("s-5"));
        QVERIFY(!inputOf(panel).isHidden());
        QCOMPARE(placeOf(panel), QStringLiteral("A cell starts a session for thread carol"));
    }
};

SG_WINDOW_TEST(TestConsole)
#include "tst_console.moc"
