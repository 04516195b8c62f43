#include "tests/support/window_test.h"
#include "ui/commands/command_list.h"
#include "ui/shell/main_window.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStandardPaths>
#include <QTest>
#include <QToolBar>

using namespace sg::ui;

namespace {

// Qt's own: of text fields and the like, and those that would hide what always stands there.
bool belongsToControl(const QAction& action)
{
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
                && !belongsToControl(*action) && !known.contains(action->objectName()))
                missing << action->text() + QStringLiteral(" [") + action->objectName() + QLatin1Char(']');
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral("; "))));
    }

    void noShortcutStandsForTwo()
    {
        MainWindow window;
        CommandList list(*window.menuBar());
        QMap<QString, QString> owners;
        for (const QuickItem& item : list.items()) {
            if (item.key.isEmpty())
                continue;
            QVERIFY2(!owners.contains(item.key),
                     qPrintable(QStringLiteral("%1: %2 and %3").arg(item.key, owners[item.key], item.id)));
            owners.insert(item.key, item.id);
        }
    }
};

SG_WINDOW_TEST(TestMenus)
#include "tst_menus.moc"
