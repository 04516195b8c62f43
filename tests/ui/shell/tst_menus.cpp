#include "tests/support/window_test.h"
#include "ui/commands/command_list.h"
#include "ui/documents/document_area.h"
#include "ui/shell/main_window.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStandardPaths>
#include <QTest>
#include <QToolBar>

using namespace sg::ui;

namespace {

bool isHeardInOneWidget(const QAction& action)
{
    return action.shortcutContext() == Qt::WidgetShortcut
        || action.shortcutContext() == Qt::WidgetWithChildrenShortcut;
}

bool isOfMenuBar(const QObject* menu)
{
    while (menu != nullptr && qobject_cast<const QMenuBar*>(menu) == nullptr)
        menu = menu->parent();
    return menu != nullptr;
}

// Qt's own: of text fields and the like, and those that would hide what always stands there. And what a panel
// does to what is selected in it: that stands in its context menu and on its bar, and is heard there alone.
bool belongsToControl(const QAction& action)
{
    if (!action.shortcut().isEmpty() && isHeardInOneWidget(action))
        return true;
    for (const QObject* shown : action.associatedObjects()) {
        const auto* widget = qobject_cast<const QWidget*>(shown);
        const bool isMenu = qobject_cast<const QMenu*>(shown) != nullptr;
        if (widget != nullptr
            && ((isMenu && !isOfMenuBar(shown)) || widget->contextMenuPolicy() == Qt::ActionsContextMenu))
            return true;
    }
    for (const QObject* owner = action.parent(); owner != nullptr; owner = owner->parent())
        if (qobject_cast<const QLineEdit*>(owner) || qobject_cast<const QComboBox*>(owner))
            return true;
    return qobject_cast<const QDockWidget*>(action.parent())
        || qobject_cast<const QToolBar*>(action.parent());
}

} // namespace

// The menus hold every command, each under one id, and no two have the same shortcut.
class TestMenus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_menus"));
    }

    void holdEveryAction()
    {
        MainWindow window;
        CommandList list(*window.menuBar());
        QSet<QString> known;
        for (const QuickItem& item : list.items()) {
            QVERIFY2(!known.contains(item.id),
                     qPrintable(item.id + QStringLiteral(" stands for two commands")));
            known.insert(item.id);
        }
        QVERIFY(known.size() > 40);
        QStringList missing;
        for (const QAction* action : window.findChildren<QAction*>())
            if (!action->isSeparator() && action->menu() == nullptr && !action->text().isEmpty()
                && !belongsToControl(*action) && !known.contains(action->objectName())
                && !action->property("sgListedElsewhere").toBool())
                missing << action->text() + QStringLiteral(" [") + action->objectName() + QLatin1Char(']');
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral("; "))));
    }

    // Macros, and shortcuts that users chose, name them.
    void idsStay()
    {
        MainWindow window;
        CommandList list(*window.menuBar());
        QSet<QString> known;
        for (const QuickItem& item : list.items())
            known.insert(item.id);
        QFile file(QStringLiteral(SG_SOURCE_DIR "/tests/data/commands/ids.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QSet<QString> kept;
        for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')))
            if (!line.isEmpty() && !line.startsWith(QLatin1Char('#')))
                kept.insert(line);
        QStringList missing;
        const QSet<QString> gone = QSet<QString>(kept) -= known;
        for (const QString& id : gone)
            if (!list.knows(id))
                missing << id;
        missing.sort();
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char(' '))));
        QStringList fresh = known.subtract(kept).values();
        fresh.sort();
        if (!fresh.isEmpty())
            qInfo("to be added to ids.txt: %s", qPrintable(fresh.join(QLatin1Char(' '))));
        QVERIFY(list.knows(QStringLiteral("macro.record")));
        QVERIFY(!list.knows(QStringLiteral("macro.fly")));
        QCOMPARE(list.whyNot(QStringLiteral("macro.record")), QString());
        QVERIFY(!list.whyNot(QStringLiteral("macro.stop")).isEmpty());
    }

    // A page that two menus open is one command.
    void thePaletteHasNoPageTwice()
    {
        MainWindow window;
        CommandList list(*window.menuBar());
        QStringList titles;
        for (const QuickItem& item : list.items())
            titles << item.title;
        for (const char* page : { "Connections", "Pools" })
            QCOMPARE(titles.count(QLatin1String(page)), qsizetype{ 1 });
        for (const char* id : { "window.connections", "window.pools", "session.pools" })
            QVERIFY2(list.knows(QLatin1String(id)), id); // macros name them
        const auto* documents = window.findChild<DocumentArea*>();
        QVERIFY(list.give(QStringLiteral("window.pools")));
        QCOMPARE(documents->current().kind, QStringLiteral("pools"));
    }

    // The smallest screen shows all of it, without arrows that scroll it.
    void theWindowMenuFitsASmallScreen()
    {
        MainWindow window;
        const QMenu* menu = nullptr;
        for (const QAction* action : window.menuBar()->actions())
            if (action->text() == QStringLiteral("&Window"))
                menu = action->menu();
        QVERIFY(menu != nullptr);
        QVERIFY2(menu->sizeHint().height() <= 720, qPrintable(QString::number(menu->sizeHint().height())));
        for (const QAction* action : menu->actions())
            if (const QMenu* inner = action->menu())
                QVERIFY2(inner->sizeHint().height() <= 720, qPrintable(inner->title()));
    }

    void noShortcutStandsForTwo()
    {
        MainWindow window;
        CommandList list(*window.menuBar());
        QMap<QString, QString> owners;
        // Two that are heard in the canvas and in the code alone do not meet.
        const auto isLocal = [&window](const QString& id) {
            const auto* action = window.findChild<const QAction*>(id);
            return action != nullptr && isHeardInOneWidget(*action);
        };
        for (const QuickItem& item : list.items()) {
            if (item.key.isEmpty() || isLocal(item.id))
                continue;
            QVERIFY2(
                !owners.contains(item.key),
                qPrintable(QStringLiteral("%1: %2 and %3").arg(item.key, owners.value(item.key), item.id)));
            owners.insert(item.key, item.id);
        }
        // Where one is heard in a widget and the other everywhere, Qt asks neither.
        for (const QuickItem& item : list.items())
            QVERIFY2(
                !isLocal(item.id) || !owners.contains(item.key),
                qPrintable(QStringLiteral("%1: %2 and %3").arg(item.key, item.id, owners.value(item.key))));
    }
};

SG_WINDOW_TEST(TestMenus)
#include "tst_menus.moc"
