// A terminal without a shell: what bytes become on its screen, keys as bytes, and the panel's states.

#include "tests/support/window_style.h"
#include "ui/bridge/sessions/terminal_line.h"
#include "ui/terminal/terminal_colours.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/terminal/terminal_view.h"
#include "ui/widgets/banner.h"

#include <QAccessible>
#include <QClipboard>
#include <QDateTime>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>

#include <algorithm>
#include <thread>

using namespace sg::ui;

namespace {

SessionRow session(const char* id, const char* state, const char* thread = "alice")
{
    SessionRow row;
    row.session = QString::fromLatin1(id);
    row.state = sg::sessions::SessionState::parse(state);
    row.thread = QString::fromLatin1(thread);
    row.backend = QStringLiteral("bubblewrap");
    return row;
}

QString seen(const TerminalScreen& screen)
{
    QStringList rows;
    for (int row = 0; row < screen.historyRows() + screen.grid().height(); ++row)
        rows << screen.text(row);
    while (!rows.isEmpty() && rows.back().isEmpty())
        rows.removeLast();
    return rows.join(QLatin1Char('|'));
}

} // namespace

class TestTerminal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void understandsWhatIsWritten_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* bytes, const char* expected) {
            QTest::newRow(name) << QByteArray(bytes) << QString::fromUtf8(expected);
        };
        row("lines", "one\r\ntwo", "one|two");
        row("written over", "10 %\r20 %", "20 %");
        row("moved", "abc\x1b[1;1Hx", "xbc");
        row("erased", "abc\x1b[2K\rd", "d");
        row("wraps at its width", "0123456789abc", "0123456789|abc");
        row("wide letters", "\xe6\xbc\xa2\xe5\xad\x97!", "漢字!");
        row("a name without an end", "\x1b]0;evil\x1b[1;1Hok", "ok");
        row("a name for the window is nothing here", "\x1b]0;evil\x07ok", "ok");
        row("a question is answered, not shown", "\x1b[cok", "ok");
        row("rows that left the screen", "1\r\n2\r\n3\r\n4\r\n5", "1|2|3|4|5");
        row("scrolls between two rows", "1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\nx", "1|3|x|4");
        row("inserts and takes out", "abcd\x1b[1;2H\x1b[2@\x1b[1;6H\x1b[P", "a  bc");
        row("repeats", "ab\x1b[3b", "abbbb");
        row("a full screen comes and goes", "shell\x1b[?1049h\x1b[2Jeditor\x1b[?1049l", "shell");
        row("drawn lines", "\x1b(0lqk\x1b(B!", "┌─┐!");
        row("letters that combine", "e\xcc\x81!", "e\xcc\x81!");
        row("cut letters", "\xe6\xbc", "");
        row("not UTF-8", "a\xff\xfe", "a��");
    }
    void understandsWhatIsWritten()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, expected);
        TerminalScreen whole({ 10, 4 });
        whole.feed(bytes);
        QCOMPARE(seen(whole), expected);
        TerminalScreen pieces({ 10, 4 });
        for (const char byte : bytes)
            pieces.feed(QByteArray(1, byte));
        QCOMPARE(seen(pieces), expected);
    }

    void keepsLooks()
    {
        TerminalScreen screen({ 40, 4 });
        screen.feed("a \x1b[1;31mred\x1b[0m \x1b[38;5;196mcube\x1b[38;2;1;2;3mown\x1b[7mback\x1b[0m z");
        const TerminalRow row = screen.row(0);
        QStringList texts;
        for (const CellRun& run : row)
            texts << run.text;
        QCOMPARE(texts,
                 QStringList({ QStringLiteral("a "), QStringLiteral("red"), QStringLiteral(" "),
                               QStringLiteral("cube"), QStringLiteral("own"), QStringLiteral("back"),
                               QStringLiteral(" z") }));
        QVERIFY(row[1].look.isBold);
        QCOMPARE(row[1].look.ink.value, 1U);
        QCOMPARE(inkOf(row[3].look), 0xFFFF0000);
        QCOMPARE(inkOf(row[4].look), 0xFF010203);
        QCOMPARE(groundOf(row[5].look), 0xFF010203);
    }

    void everyFirstColourCanBeRead_data() { sg::test::themes(); }
    void everyFirstColourCanBeRead()
    {
        sg::test::useTheme();
        for (std::uint32_t index = 0; index < 16; ++index) {
            CellLook look;
            look.ink = { CellLook::Colour::Kind::Indexed, index };
            const double contrast = contrastRatio(inkOf(look), groundOf(look));
            QVERIFY2(contrast >= 4.5, qPrintable(QStringLiteral("%1: %2").arg(index).arg(contrast)));
        }
    }

    void keepsSoManyRows()
    {
        TerminalScreen screen({ 20, 5 });
        for (int i = 0; i < TerminalScreen::kMostHistory + 500; ++i)
            screen.feed(QByteArray::number(i) + "\r\n");
        QCOMPARE(screen.historyRows(), TerminalScreen::kMostHistory);
        QCOMPARE(screen.droppedRows(), std::int64_t{ 496 });
        QCOMPARE(screen.text(0), QStringLiteral("496"));
    }

    void survivesAnyBytes()
    {
        QRandomGenerator random(7);
        const QByteArray finals = "@ABCDEFGHIJKLMPSTXZ`abcdefghijklmnpqrstu'}~";
        const QByteArray marks = "?>!$ ";
        TerminalScreen screen({ 33, 9 });
        for (int i = 0; i < 30'000; ++i) {
            QByteArray bytes;
            const int kind = random.bounded(6);
            if (kind == 0)
                bytes = QByteArray(1, static_cast<char>(random.bounded(256)));
            else if (kind == 1)
                bytes = "\x1b" + QByteArray(1, "78DEHMNOPZcn=>#(*"[random.bounded(17)]);
            else if (kind == 2)
                bytes = QStringLiteral("a漢e\u0301😀").mid(random.bounded(3)).toUtf8().left(random.bounded(9));
            else
                bytes = "\x1b[" + (random.bounded(4) == 0 ? marks.mid(random.bounded(5), 1) : QByteArray())
                    + QByteArray::number(random.bounded(8) == 0 ? 2'147'483'647 : random.bounded(60)) + ';'
                    + QByteArray::number(random.bounded(60))
                    + finals.mid(random.bounded(int(finals.size())), 1);
            if (random.bounded(40) == 0)
                bytes += random.bounded(2) == 0 ? "\x1b[?1049h" : "\x1b[?1049l";
            screen.feed(bytes);
            if (i % 50 == 0)
                screen.resize({ 1 + random.bounded(120), 1 + random.bounded(50) });
            QVERIFY(screen.cursorColumn() >= 0 && screen.cursorColumn() < screen.grid().width());
            const int row = screen.cursorRow() - screen.historyRows();
            QVERIFY(row >= 0 && row < screen.grid().height());
            static_cast<void>(screen.text(screen.historyRows() + random.bounded(screen.grid().height())));
        }
        QVERIFY(screen.historyRows() <= TerminalScreen::kMostHistory);
    }

    void keysReachTheShell_data()
    {
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, int key, int modifiers, const char* text,
                            const QByteArray& expected) {
            QTest::newRow(name) << key << modifiers << QString::fromUtf8(text) << expected;
        };
        row("letter", Qt::Key_A, Qt::NoModifier, "a", "a");
        row("capital", Qt::Key_A, Qt::ShiftModifier, "A", "A");
        row("umlaut", Qt::Key_Adiaeresis, Qt::NoModifier, "ä", "\xc3\xa4");
        row("stop", Qt::Key_C, Qt::ControlModifier, "\x03", "\x03");
        row("end", Qt::Key_D, Qt::ControlModifier, "\x04", "\x04");
        row("enter", Qt::Key_Return, Qt::NoModifier, "\r", "\r");
        row("tab", Qt::Key_Tab, Qt::NoModifier, "\t", "\t");
        row("up", Qt::Key_Up, Qt::NoModifier, "", "\x1b[A");
        row("alt", Qt::Key_B, Qt::AltModifier, "b",
            "\x1b"
            "b");
        row("f5", Qt::Key_F5, Qt::NoModifier, "", "\x1b[15~");
        row("the window's", Qt::Key_P, int(Qt::ControlModifier | Qt::ShiftModifier), "", "");
    }
    void keysReachTheShell()
    {
        QFETCH(const int, key);
        QFETCH(const int, modifiers);
        QFETCH(const QString, text);
        QFETCH(const QByteArray, expected);
        TerminalView view;
        view.resize(600, 300);
        view.show();
        const auto line = TerminalLine::make({});
        view.attach(line);
        static_cast<void>(line->nextWish({}));
        QKeyEvent event(QEvent::KeyPress, key, Qt::KeyboardModifiers(modifiers), text);
        QCoreApplication::sendEvent(&view, &event);
        line->resize({ 1, 1 }); // something to wait for where no key arrives
        const auto wish = line->nextWish({});
        QVERIFY(wish);
        QCOMPARE(wish->typed, expected);
    }

    void aPasteCannotRunItself()
    {
        TerminalView view;
        view.resize(600, 300);
        view.show();
        const auto line = TerminalLine::make({});
        view.attach(line);
        line->print("\x1b[?2004h"); // the shell can tell a paste from typing
        QTRY_VERIFY(!line->holdsMore());
        QApplication::clipboard()->setText(QStringLiteral("one\x1b[201~\ntwo\x03"));
        view.paste();
        static_cast<void>(line->grid());
        const auto wish = line->nextWish({});
        QVERIFY(wish);
        QCOMPARE(wish->typed, QByteArray("\x1b[200~one[201~\rtwo\x1b[201~"));
    }

    // As the log and the meters do.
    void standsAtAMomentOfThePast()
    {
        TerminalView view;
        view.resize(600, 300);
        view.show();
        const auto line = TerminalLine::make({});
        view.attach(line);
        line->print("one\r\ntwo\r\n");
        QTRY_VERIFY(!line->holdsMore() && view.screen().cursorRow() == 2);
        const auto between = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
        QTest::qWait(5); // the clock counts milliseconds
        line->print(QByteArray("y\r\n").repeated(200));
        QTRY_VERIFY(!line->holdsMore() && view.screen().cursorRow() == 202);
        QScrollBar* bar = view.verticalScrollBar();
        QTRY_COMPARE(bar->value(), bar->maximum());
        const int rows = view.screen().grid().height();
        QCOMPARE(view.seenRowsBeforeMoment(), rows);
        const QImage present = sg::test::pictureOf(view, QStringLiteral("terminal-present"));
        view.setMoment(between);
        QCOMPARE(bar->value(), 0);
        QCOMPARE(view.seenRowsBeforeMoment(), 3);
        QVERIFY(sg::test::pictureOf(view, QStringLiteral("terminal-then")) != present);
        view.setMoment(between - 60'000);
        QCOMPARE(view.seenRowsBeforeMoment(), 0);
        line->print("more\r\n"); // what comes meanwhile does not take the moment away
        QTRY_VERIFY(!line->holdsMore());
        QCOMPARE(bar->value(), 0);
        view.setMoment(kUnknown);
        QCOMPARE(bar->value(), bar->maximum());
        QCOMPARE(view.seenRowsBeforeMoment(), rows);
    }

    void aShellThatNeverStopsIsKeptWaiting_data()
    {
        QTest::addColumn<QByteArray>("piece");
        QTest::newRow("lines") << QByteArray("y\r\n").repeated(8000);
        QTest::newRow("whole screens") << QByteArray("\x1b[J").repeated(8000);
        QTest::newRow("scrolled") << QByteArray("\x1b[9999S").repeated(4000);
    }
    void aShellThatNeverStopsIsKeptWaiting()
    {
        QFETCH(const QByteArray, piece);
        TerminalView view;
        view.resize(800, 400);
        view.show();
        const auto line = TerminalLine::make({});
        view.attach(line);
        qint64 printed = 0;
        std::jthread shell([&](const std::stop_token& stop) {
            while (!stop.stop_requested() && line->print(piece))
                printed += piece.size();
        });
        QElapsedTimer clock;
        clock.start();
        std::vector<qint64> gaps;
        while (clock.elapsed() < 1500) {
            QElapsedTimer gap;
            gap.start();
            QCoreApplication::processEvents(QEventLoop::AllEvents);
            gaps.push_back(gap.elapsed());
            QTest::qWait(1);
        }
        QElapsedTimer closing;
        closing.start();
        view.end(); // while it goes on printing
        QVERIFY2(closing.elapsed() < 2000, qPrintable(QString::number(closing.elapsed())));
        shell.request_stop();
        shell.join();
        std::ranges::sort(gaps);
        QVERIFY(printed > 0);
        const qint64 p95 = gaps[gaps.size() * 95 / 100];
        qInfo("printed %lld bytes in 1.5 s; events p95 %lld ms", printed, p95);
        QVERIFY2(p95 <= 250, qPrintable(QString::number(p95))); // far above what an idle machine shows
    }

    void copiesWhatIsMarked()
    {
        TerminalScreen screen({ 20, 3 });
        screen.feed("a\xe6\xbc\xa2 e\xcc\x81 end");
        QCOMPARE(screen.text(0, 0, 1), QStringLiteral("a"));
        QCOMPARE(screen.text(0, 6, 9), QStringLiteral("end"));
        QCOMPARE(screen.text(0, 1, 3), QStringLiteral("漢"));
    }

    void holdsItsPlaceWhileMoreIsPrinted()
    {
        TerminalView view;
        view.resize(600, 300);
        view.show();
        const auto line = TerminalLine::make({});
        view.attach(line);
        for (int i = 0; i < 200; ++i)
            line->print(QByteArray::number(i) + "\r\n");
        QTRY_VERIFY(view.verticalScrollBar()->maximum() > 100);
        QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
        view.verticalScrollBar()->setValue(50);
        line->print("more\r\n");
        QTRY_VERIFY(!line->holdsMore());
        QCOMPARE(view.verticalScrollBar()->value(), 50);
    }

    void assistiveProgramsReadIt()
    {
        TerminalPanel panel;
        auto* view = panel.findChild<TerminalView*>();
        const auto line = TerminalLine::make({});
        view->attach(line);
        line->print("hello there");
        QTRY_VERIFY(view->seenText().contains(QLatin1String("hello")));
        QAccessibleInterface* found = QAccessible::queryAccessibleInterface(view);
        QVERIFY(found != nullptr && found->textInterface() != nullptr);
        QCOMPARE(found->textInterface()->text(0, 11), QStringLiteral("hello there"));
    }

    void aPasteThatHasNoRoomIsNamed()
    {
        TerminalPanel panel;
        panel.resize(900, 280);
        panel.show();
        std::shared_ptr<TerminalLine> line;
        connect(&panel, &TerminalPanel::openRequested, &panel,
                [&](const QString&, const std::shared_ptr<TerminalLine>& made) { line = made; });
        panel.setThread(QStringLiteral("alice"));
        panel.setSessions({ session("s-2", "busy") });
        panel.open();
        QVERIFY(line != nullptr);
        line->type(QByteArray(3 << 20, 'x'));
        auto* banner = panel.findChild<Banner*>();
        QVERIFY(banner != nullptr && banner->isHidden());
        line->type(QByteArray(2 << 20, 'y'));
        QVERIFY(!banner->isHidden());
        QString said;
        for (const QLabel* label : banner->findChildren<QLabel*>())
            said += label->text();
        QVERIFY2(said.contains(QLatin1String("2 MiB")) || said.contains(QLatin1String("2.00 MiB")),
                 qPrintable(said));
        const auto wish = line->nextWish({});
        QVERIFY(wish);
        QCOMPARE(wish->typed.size(), 3 << 20); // none of it is cut in two
    }

    void panelOpensAndTellsItsEnd_data() { sg::test::themes(); }
    void panelOpensAndTellsItsEnd()
    {
        const QString theme = sg::test::useTheme();
        TerminalPanel panel;
        panel.resize(900, 280);
        panel.show();
        auto* pages = panel.findChild<QStackedWidget*>();
        std::shared_ptr<TerminalLine> line;
        QString opened;
        connect(&panel, &TerminalPanel::openRequested, &panel,
                [&](const QString& id, const std::shared_ptr<TerminalLine>& made) {
                    opened = id;
                    line = made;
                });
        panel.setThread(QStringLiteral("alice"));
        panel.open();
        QVERIFY(opened.isEmpty()); // there is no session
        const QImage none = sg::test::pictureOf(panel, QStringLiteral("terminal-none-") + theme);
        panel.setSessions(
            { session("s-0", "ended: idle"), session("s-1", "idle", "bob"), session("s-2", "busy") });
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("terminal-ready-") + theme) != none);
        panel.open();
        QCOMPARE(opened, QStringLiteral("s-2"));
        QCOMPARE(pages->currentIndex(), 1);
        line->print("\x1b[1;32mbuild\x1b[0m ok  \x1b[31mwarn\x1b[0m \x1b[44m blue \x1b[0m\r\n~ $ ");
        auto* view = panel.findChild<TerminalView*>();
        QTRY_VERIFY(view->seenText().contains(QLatin1String("build")));
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("terminal-shell-") + theme) != none);
        line->end(QStringLiteral("The shell has ended (exit 3)."));
        auto* banner = panel.findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        QVERIFY(line->isClosed());
        QVERIFY(view->seenText().contains(QLatin1String("build"))); // what it said stays
        sg::test::pictureOf(panel, QStringLiteral("terminal-ended-") + theme);
        panel.open();
        QVERIFY(!banner->isVisible());
        panel.clear();
        QVERIFY(line->isClosed());
        QCOMPARE(pages->currentIndex(), 0);
    }
};

SG_WINDOW_TEST(TestTerminal)
#include "tst_terminal.moc"
