// The page of a window without a project.

#include "tests/support/window_style.h"
#include "tests/ui/start/some_templates.h"
#include "ui/start/recent_list.h"
#include "ui/start/start_page.h"
#include "ui/start/template_card.h"

#include <QAbstractButton>
#include <QDateTime>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace sg::ui;

namespace {

std::vector<TemplateRow> examples()
{
    std::vector<TemplateRow> found;
    for (TemplateRow& row : sg::test::shippedTemplates().templates)
        if (row.isExample)
            found.push_back(std::move(row));
    return found;
}

QList<RecentRow> recent()
{
    const double now = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    return {
        { QStringLiteral("/home/p/penguins"), QStringLiteral("penguins"), RecentRow::Kind::Project, now },
        { QStringLiteral("/home/p/app/checkpoints.sqlite"), QStringLiteral("checkpoints.sqlite"),
          RecentRow::Kind::Database, now - 86400e3 },
        { QStringLiteral("/mnt/archive/review"), QStringLiteral("review"), RecentRow::Kind::ReadOnly, 0 }
    };
}

// Nothing lies over anything else.
bool isLaidOut(const StartPage& page)
{
    QList<QRect> places;
    for (const auto* button : page.findChildren<QAbstractButton*>())
        if (button->isVisibleTo(&page) && button->focusPolicy() == Qt::StrongFocus)
            places << QRect(button->mapTo(&page, QPoint()), button->size());
    for (qsizetype i = 0; i < places.size(); ++i)
        for (qsizetype j = 0; j < i; ++j)
            if (places[i].intersects(places[j]))
                return false;
    return true;
}

QList<QAbstractButton*> rowsOf(const StartPage& page)
{
    QList<QAbstractButton*> rows;
    for (auto* row : page.findChildren<QAbstractButton*>(QStringLiteral("recentProject")))
        if (row->isVisibleTo(&page))
            rows << row;
    return rows;
}

} // namespace

class TestStartPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString theme = sg::test::useTheme();
        StartPage page;
        page.setExamples(examples());
        page.setRecent(recent());
        page.setRuntime(
            { RuntimeRow::State::Preparing, { QStringLiteral("pandas") }, 62, QStringLiteral("pandas 2.2") });
        page.resize(1600, 890);
        page.show();
        QTRY_VERIFY(isLaidOut(page));
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(page, QStringLiteral("start-") + theme)) > 12);
        page.resize(1280, 610);
        QTRY_VERIFY(isLaidOut(page));
        sg::test::pictureOf(page, QStringLiteral("start-small-") + theme);
    }

    void opensAndForgetsWhatWasOpen()
    {
        StartPage page;
        page.resize(1280, 720);
        page.show();
        page.setRecent(recent());
        QSignalSpy opened(&page, &StartPage::recentRequested);
        QSignalSpy removed(&page, &StartPage::recentRemoved);
        QCOMPARE(rowsOf(page).size(), 3);
        rowsOf(page)[1]->click();
        QCOMPARE(opened[0][0].toString(), QStringLiteral("/home/p/app/checkpoints.sqlite"));
        QTest::keyClick(rowsOf(page)[0], Qt::Key_Delete);
        QCOMPARE(removed[0][0].toString(), QStringLiteral("/home/p/penguins"));
        page.setRecent(recent().mid(1)); // while the row is still on the stack
        QCOMPARE(rowsOf(page).size(), 2);
    }

    void aServersDatabaseHasItsTile()
    {
        StartPage page;
        QSignalSpy asked(&page, &StartPage::serverRequested);
        for (auto* tile : page.findChildren<QAbstractButton*>())
            if (tile->accessibleName().startsWith(QStringLiteral("Server")))
                tile->click();
        QCOMPARE(asked.count(), 1);
    }

    void findsAmongThem()
    {
        RecentList list(nullptr);
        list.setRows(recent());
        list.show();
        list.filter(QStringLiteral("read-only"));
        QTRY_COMPARE(list.findChildren<QAbstractButton*>(QStringLiteral("recentProject")).size(), 1);
        list.filter(QStringLiteral("nothing"));
        QTRY_VERIFY(list.findChildren<QAbstractButton*>(QStringLiteral("recentProject")).isEmpty());
    }

    void examplesAreOpenedByTheirPicture()
    {
        StartPage page;
        page.setExamples(examples());
        QSignalSpy wanted(&page, &StartPage::exampleRequested);
        const auto cards = page.findChildren<TemplateCard*>();
        QCOMPARE(cards.size(), 4);
        QCOMPARE(cards[0]->accessibleName(), QStringLiteral("Open sample"));
        cards[1]->click();
        QCOMPARE(wanted[0][0].toString(), cards[1]->row().id);
    }

    void saysWhetherTheSandboxIsReady()
    {
        StartPage page;
        QSignalSpy wanted(&page, &StartPage::prepareRequested);
        auto* prepare = page.findChild<QPushButton*>(QStringLiteral("prepareRuntime"));
        auto* words = page.findChild<QLabel*>(QStringLiteral("runtimeWords"));
        page.setRuntime(
            { RuntimeRow::State::Missing, { QStringLiteral("pandas"), QStringLiteral("numpy") }, 0, {} });
        QVERIFY(prepare->isVisibleTo(&page));
        QVERIFY(words->text().contains(QStringLiteral("2 packages")));
        prepare->click();
        QCOMPARE(wanted.count(), 1);
        page.setRuntime({ RuntimeRow::State::Preparing, {}, 40, QStringLiteral("numpy 1.26") });
        QVERIFY(!prepare->isVisibleTo(&page));
        QCOMPARE(words->text(), QStringLiteral("40 %, numpy 1.26"));
        page.setRuntime({ RuntimeRow::State::Ready, {}, 0, {} });
        QCOMPARE(words->text(), QStringLiteral("Ready"));
    }
};

SG_WINDOW_TEST(TestStartPage)
#include "tst_start_page.moc"
