// Panels and documents have a row each, which names what is there.

#include "tests/support/window_test.h"
#include "ui/connections/connections_panel.h"
#include "ui/guide/guide_chapters.h"
#include "ui/pools/pools_panel.h"
#include "ui/search/search_panel.h"
#include "ui/shell/document_table.h"
#include "ui/shell/main_window.h"
#include "ui/shell/panel_table.h"

#include <QAction>
#include <QLineEdit>
#include <QSet>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace sg::ui;

namespace {

bool isChapter(const char* name)
{
    return std::ranges::find(guideChapters(), QLatin1String(name), &GuideChapter::name)
        != guideChapters().end();
}

QAction* actionWithText(const QWidget& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>())
        if (action->text() == text)
            return action;
    return nullptr;
}

} // namespace

class TestPanelTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("sandglass-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_panel_table"));
    }

    void everyRowHasItsChapter()
    {
        for (const PanelRow& row : panelTable())
            QVERIFY2(isChapter(row.chapter), row.name);
        for (const DocumentRow& row : documentTable())
            QVERIFY2(isChapter(row.chapter), row.name);
        QVERIFY(!isChapter("no-chapter"));
    }

    void noTwoRowsHaveOneName()
    {
        QSet<QByteArray> names;
        for (const PanelRow& row : panelTable())
            names.insert(row.name);
        for (const DocumentRow& row : documentTable())
            names.insert(row.name);
        QCOMPARE(names.size(), static_cast<qsizetype>(panelTable().size() + documentTable().size()));
    }

    // A page is made when it is first wanted, and stays the same one.
    void pagesAreMadeWhenTheyAreOpened()
    {
        MainWindow window;
        QVERIFY(window.findChild<ConnectionsPanel*>() == nullptr);
        for (int opened = 0; opened < 2; ++opened) {
            window.findChild<QAction*>(QStringLiteral("session.connections"))->trigger();
            window.findChild<QAction*>(QStringLiteral("session.pools"))->trigger();
            QCOMPARE(window.findChildren<ConnectionsPanel*>().size(), 1);
            QCOMPARE(window.findChildren<PoolsPanel*>().size(), 1);
            auto* documents = window.findChild<DocumentArea*>();
            QCOMPARE(documents->current(), (DocumentId{ QStringLiteral("pools"), {} }));
            documents->closeAll();
        }
    }

    void theSearchIsTypedAtOnce()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QAction* find = actionWithText(window, QStringLiteral("&Find runs, checkpoints and lines…"));
        QVERIFY(find != nullptr);
        find->trigger();
        const auto* search = window.findChild<SearchPanel*>();
        QVERIFY(search != nullptr);
        QCOMPARE(search->focusProxy(), search->findChild<QLineEdit*>(QStringLiteral("searchLine")));
    }
};

SG_WINDOW_TEST(TestPanelTable)
#include "tst_panel_table.moc"
