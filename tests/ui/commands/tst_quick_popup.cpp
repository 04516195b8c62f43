#include "tests/support/qtry.h"
#include "tests/support/window_test.h"
#include "ui/commands/command_list.h"
#include "ui/commands/quick_popup.h"

#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QWindow>

using namespace sg::ui;

namespace {

// Menus, the popup, and what was triggered.
struct Window {
    Window()
    {
        QMenu* run = window.menuBar()->addMenu(QStringLiteral("&Run"));
        add(*run, "&Run", "F5")->setObjectName(QStringLiteral("run.start"));
        QAction* stop = add(*run, "&Stop", "Shift+F5");
        stop->setEnabled(false);
        stop->setToolTip(QStringLiteral("Nothing runs"));
        run->addSeparator();
        QMenu* inner = run->addMenu(QStringLiteral("&More"));
        add(*inner, "Replay from &here…", "Ctrl+R");
        QMenu* thread = window.menuBar()->addMenu(QStringLiteral("&Thread"));
        QObject::connect(thread, &QMenu::aboutToShow, thread, [this, thread] {
            thread->clear();
            add(*thread, "Delete alice", "");
        });
        list = new CommandList(*window.menuBar(), &window);
        list->adopt();
        popup = new QuickPopup(
            *list,
            [] {
                return std::vector<QuickItem>{ { QStringLiteral("node:load"),
                                                 QStringLiteral("load"),
                                                 QStringLiteral("Node"),
                                                 {},
                                                 {},
                                                 {} } };
            },
            window);
        window.resize(900, 600);
        window.show();
        search = popup->findChild<QLineEdit*>(QStringLiteral("quickSearch"));
        view = popup->findChild<QListView*>();
    }

    QAction* add(QMenu& menu, const char* text, const char* keys)
    {
        QAction* action = menu.addAction(QString::fromUtf8(text), &window, [this, text] {
            triggered << QString::fromUtf8(text).remove(QLatin1Char('&'));
        });
        action->setShortcut(QKeySequence(QString::fromUtf8(keys)));
        return action;
    }

    [[nodiscard]] QStringList shown() const
    {
        QStringList titles;
        for (int row = 0; row < view->model()->rowCount(); ++row)
            titles << view->model()->index(row, 0).data().toString();
        return titles;
    }

    QMainWindow window;
    CommandList* list = nullptr;
    QuickPopup* popup = nullptr;
    QLineEdit* search = nullptr;
    QListView* view = nullptr;
    QStringList triggered;
};

} // namespace

class TestQuickPopup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_quick_popup"));
        QSettings().clear();
    }

    void everyCommandHasAnIdThatStays()
    {
        Window window;
        QStringList ids;
        for (const QuickItem& item : window.list->items())
            ids << item.id;
        QCOMPARE(ids,
                 QStringList({ QStringLiteral("run.start"), QStringLiteral("run.stop"),
                               QStringLiteral("run-more.replay-from-here"),
                               QStringLiteral("thread.delete-alice") }));
    }

    void runsWhatIsFoundByTyping()
    {
        Window window;
        window.popup->showCommands();
        QTRY_VERIFY(window.search->hasFocus());
        QTest::keyClicks(window.search, QStringLiteral("rfh"));
        QCOMPARE(window.shown(), QStringList{ QStringLiteral("Replay from here…") });
        QTest::keyClick(window.search, Qt::Key_Return);
        QCOMPARE(window.triggered, QStringList{ QStringLiteral("Replay from here…") });
        QVERIFY(!window.popup->isVisible());
        // what was used last comes first
        window.popup->showCommands();
        QCOMPARE(window.shown().first(), QStringLiteral("Replay from here…"));
    }

    void whatMatchesNothingIsSaid()
    {
        Window window;
        window.popup->showCommands();
        QTRY_VERIFY(window.search->hasFocus());
        const auto* none = window.popup->findChild<QLabel*>(QStringLiteral("quickNone"));
        QVERIFY(none != nullptr && !none->isVisible());
        QTest::keyClicks(window.search, QStringLiteral("qqqzzz"));
        QVERIFY(window.shown().isEmpty());
        QVERIFY(none->isVisible());
        QCOMPARE(none->text(), QStringLiteral("No command matches"));
        window.search->clear();
        QVERIFY(!none->isVisible());
    }

    void whatIsNotPossibleSaysWhyAndDoesNothing()
    {
        Window window;
        window.popup->showCommands();
        QTest::keyClicks(window.search, QStringLiteral("stop"));
        QCOMPARE(window.list->items()[1].whyNot, QStringLiteral("Nothing runs"));
        QTest::keyClick(window.search, Qt::Key_Return);
        QVERIFY(window.triggered.isEmpty());
        QVERIFY(window.popup->isVisible());
        QTest::keyClick(window.search, Qt::Key_Escape);
        QVERIFY(!window.popup->isVisible());
    }

    void goesToPlaces()
    {
        Window window;
        QString chosen;
        connect(window.popup, &QuickPopup::placeChosen, &window.window,
                [&](const QString& id) { chosen = id; });
        window.popup->showPlaces();
        QTest::keyClicks(window.search, QStringLiteral("lo"));
        QTest::keyClick(window.search, Qt::Key_Return);
        QCOMPARE(chosen, QStringLiteral("node:load"));
    }

    void aShortcutIsChangedTakenAndBroughtBack()
    {
        QAction* run = nullptr;
        QAction* replay = nullptr;
        const auto find = [&](Window& window) {
            for (QAction* action : window.window.findChildren<QAction*>()) {
                if (action->objectName() == QLatin1String("run.start"))
                    run = action;
                if (action->objectName() == QLatin1String("run-more.replay-from-here"))
                    replay = action;
            }
        };
        {
            Window window;
            find(window);
            window.popup->showCommands();
            QTest::keyClicks(window.search, QStringLiteral("replay"));
            QTest::keyClick(window.search, Qt::Key_F2);
            QTest::keyClick(window.search, Qt::Key_J, Qt::ControlModifier);
            QCOMPARE(replay->shortcut(), QKeySequence(QStringLiteral("Ctrl+J")));
            QTest::keyClick(window.search, Qt::Key_F2);
            QTest::keyClick(window.search, Qt::Key_F5); // Run has it: asked first
            QCOMPARE(replay->shortcut(), QKeySequence(QStringLiteral("Ctrl+J")));
            QTest::keyClick(window.search, Qt::Key_Return);
            QCOMPARE(replay->shortcut(), QKeySequence(QStringLiteral("F5")));
            QVERIFY(run->shortcut().isEmpty());
        }
        Window again; // the next start
        find(again);
        QCOMPARE(replay->shortcut(), QKeySequence(QStringLiteral("F5")));
        QVERIFY(run->shortcut().isEmpty());
        again.list->resetShortcut(QStringLiteral("run-more.replay-from-here"));
        again.list->resetShortcut(QStringLiteral("run.start"));
        QCOMPARE(replay->shortcut(), QKeySequence(QStringLiteral("Ctrl+R")));
        QCOMPARE(run->shortcut(), QKeySequence(QStringLiteral("F5")));
        QVERIFY(QSettings().allKeys().filter(QStringLiteral("shortcuts/")).isEmpty());
    }

    // As the other things that lie over the window for a moment.
    void aPressOutsideClosesItAndDoesNothingElse()
    {
        Window window;
        auto* before = new QLineEdit(&window.window);
        before->setGeometry(0, 500, 200, 30);
        before->show();
        QVERIFY(QTest::qWaitForWindowActive(&window.window));
        before->setFocus();
        window.popup->showCommands();
        QTRY_VERIFY(window.search->hasFocus());
        QCOMPARE(QAccessible::queryAccessibleInterface(window.popup)->role(), QAccessible::Dialog);
        QTest::mouseClick(window.window.windowHandle(), Qt::LeftButton, {}, QPoint(300, 570));
        QVERIFY(!window.popup->isVisible());
        QVERIFY(before->hasFocus());
        window.popup->showPlaces();
        window.popup->showCommands(); // of the same popup
        QTest::keyClick(window.search, Qt::Key_Escape);
        QVERIFY(!window.popup->isVisible());
        QVERIFY(before->hasFocus());
    }

    void narrowWindowsHoldIt()
    {
        Window window;
        window.window.resize(400, 300);
        window.popup->showCommands();
        QVERIFY(window.window.rect().contains(window.popup->geometry()));
    }
};

SG_WINDOW_TEST(TestQuickPopup)
#include "tst_quick_popup.moc"
