// Controls under keyboard and pointer, and what they tell assistive technology.

#include "tests/support/window_style.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/error_cover.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/steady_text.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>

using namespace sg::ui;

class TestControls : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    // Flat as it is, a menu would be one with what lies below it.
    void aMenuHasAnEdge_data() { sg::test::themes(); }
    void aMenuHasAnEdge()
    {
        sg::test::useTheme();
        QMenu menu;
        menu.addAction(QStringLiteral("Run"));
        menu.resize(menu.sizeHint());
        const QImage picture = menu.grab().toImage();
        const QColor edge = color(&Tokens::strong);
        for (const QPoint at :
             { QPoint(0, picture.height() / 2), QPoint(picture.width() - 1, picture.height() / 2),
               QPoint(picture.width() / 2, 0), QPoint(picture.width() / 2, picture.height() - 1) })
            QCOMPARE(picture.pixelColor(at), edge);
    }

    void aSegmentIsChosen()
    {
        SegmentedControl control(QStringLiteral("Axis"));
        for (const char* name : { "Step", "Clock", "Folded" })
            control.addSegment(QLatin1String(name), QLatin1String(name));
        control.show();
        QVERIFY(QTest::qWaitForWindowExposed(&control));
        QSignalSpy activated(&control, &SegmentedControl::activated);
        QCOMPARE(control.currentIndex(), 0);
        QTest::mouseClick(control.segment(1), Qt::LeftButton);
        QCOMPARE(control.currentData().toString(), QStringLiteral("Clock"));
        QCOMPARE(activated.size(), 1);
        control.setCurrentIndex(2);
        QCOMPARE(activated.size(), 1);
        control.segment(2)->setFocus();
        QTest::keyClick(control.segment(2), Qt::Key_Left);
        QCOMPARE(control.currentIndex(), 1);
        QCOMPARE(control.height(), 28);
        const auto* segment = QAccessible::queryAccessibleInterface(control.segment(1));
        QCOMPARE(segment->text(QAccessible::Name), QStringLiteral("Clock"));
        QVERIFY(segment->state().checked);
    }

    void togglesAreIndependent()
    {
        SegmentedControl control(QStringLiteral("Streams"), SegmentedControl::Mode::Toggles);
        for (const char* name : { "Out", "Err" })
            control.setOn(control.addSegment(QLatin1String(name)), true);
        control.show();
        QSignalSpy toggled(&control, &SegmentedControl::toggled);
        QTest::mouseClick(control.segment(0), Qt::LeftButton);
        QVERIFY(!control.isOn(0) && control.isOn(1));
        QCOMPARE(toggled.size(), 1);
        QCOMPARE(toggled[0][1].toBool(), false);
        QCOMPARE(control.currentIndex(), -1);
    }

    void aFilterTellsOnceTypingPauses()
    {
        FilterEdit edit(QStringLiteral("Filter"));
        edit.show();
        QSignalSpy changed(&edit, &FilterEdit::filterChanged);
        QTest::keyClicks(&edit, QStringLiteral("err "));
        QCOMPARE(changed.size(), 0);
        QTRY_COMPARE(changed.size(), 1);
        QCOMPARE(changed[0][0].toString(), QStringLiteral("err"));
        QTest::keyClick(&edit, Qt::Key_Escape);
        QCOMPARE(changed.size(), 2);
        QCOMPARE(edit.text(), QString());
        edit.setFilter(QStringLiteral("x"));
        QCOMPARE(changed.size(), 3);
        QCOMPARE(edit.accessibleName(), QStringLiteral("Filter"));
    }

    void aBannerIsThereOnlyWithAMessage()
    {
        QWidget window;
        Banner banner(&window);
        window.resize(600, 40);
        banner.resize(600, 32);
        window.show();
        QVERIFY(!banner.isVisible());
        banner.showMessage(Banner::Kind::Warning, QStringLiteral("**No engine.** Runs use `bubblewrap`."));
        QVERIFY(banner.isVisible());
        QCOMPARE(banner.accessibleName(), QStringLiteral("No engine. Runs use bubblewrap."));
        QSignalSpy clicked(banner.addButton(QStringLiteral("Check again")), &QPushButton::clicked);
        banner.addLink(QStringLiteral("How to install"));
        banner.setClosable(true);
        QSignalSpy closed(&banner, &Banner::closed);
        for (QAbstractButton* button : banner.findChildren<QAbstractButton*>())
            if (button->accessibleName() == QStringLiteral("Hide this message"))
                button->click();
        QCOMPARE(closed.size(), 1);
        QVERIFY(!banner.isVisible());
        banner.clearActions();
        banner.clearActions();
    }

    void anEmptyStateLeavesNoLastWordAlone()
    {
        EmptyState state(
            QLatin1String("link"),
            QStringLiteral("Services elsewhere on which sessions of this project may run appear here."));
        state.resize(700, 300);
        state.show();
        const QLabel* words = nullptr;
        for (const QLabel* each : state.findChildren<QLabel*>())
            if (!each->accessibleName().isEmpty())
                words = each;
        QVERIFY(words != nullptr);
        const int natural = words->fontMetrics().horizontalAdvance(words->accessibleName());
        QVERIFY2(words->width() < natural * 3 / 4, qPrintable(QString::number(words->width())));
        QVERIFY(words->height() < 3 * words->fontMetrics().lineSpacing());
    }

    void anEmptyStateSaysWhatWillBeHere()
    {
        EmptyState state(QLatin1String("inbox"),
                         QStringLiteral("Files saved to `/session/artifacts/` appear here."));
        QPushButton* button = state.setButton(QStringLiteral("Show example code"));
        QCOMPARE(state.setButton(QStringLiteral("Again")), button);
        state.setLink(QStringLiteral("How"));
        state.resize(400, 300);
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(state, QStringLiteral("empty-state"))) > 10);
        QCOMPARE(state.accessibleName(), QStringLiteral("Files saved to /session/artifacts/ appear here."));
    }

    void anErrorCoversItsPanel()
    {
        QWidget panel;
        panel.resize(400, 300);
        auto* button = new QPushButton(QStringLiteral("Old"), &panel);
        ErrorCover cover(panel);
        panel.show();
        QVERIFY(!cover.isVisible());
        cover.showError(QStringLiteral("The log cannot be read."), QStringLiteral("The file is damaged."));
        QCOMPARE(cover.size(), panel.size());
        QVERIFY(cover.geometry().contains(button->geometry()));
        QCOMPARE(cover.accessibleName(), QStringLiteral("The log cannot be read. The file is damaged."));
        panel.resize(500, 200);
        QCOMPARE(cover.size(), panel.size());
        QSignalSpy again(&cover, &ErrorCover::readAgain);
        cover.findChild<QPushButton*>()->click();
        QCOMPARE(again.count(), 1);
        button->setFocus();
        QVERIFY(panel.focusWidget() != button); // nothing is done to what cannot be seen
        cover.hide();
        button->setFocus();
        QVERIFY(panel.focusWidget() == button);
        cover.showError(QStringLiteral("The log cannot be read."), {});
        QVERIFY(panel.focusWidget() != button);
    }

    void wordsThatChangeLeaveTheWindowLaidOut()
    {
        QWidget window;
        auto* row = new QHBoxLayout(&window);
        auto* label = new QLabel(&window);
        row->addWidget(label);
        row->addStretch();
        window.resize(600, 40);
        window.show();
        setSteadyText(*label, QStringLiteral("100 lines"));
        QCoreApplication::sendPostedEvents();
        const QSize size = label->size();
        QVERIFY(size.width() >= label->fontMetrics().horizontalAdvance(label->text()));
        for (int lines = 101; lines < 140; ++lines) {
            setSteadyText(*label, QStringLiteral("%1 lines").arg(lines));
            QCoreApplication::sendPostedEvents();
            QCOMPARE(label->size(), size);
        }
        const QString longer = QStringLiteral("a hundred thousand lines, filtering");
        setSteadyText(*label, longer);
        QCoreApplication::sendPostedEvents();
        QVERIFY(label->width() >= label->fontMetrics().horizontalAdvance(longer));
        setSteadyText(*label, {});
        QCoreApplication::sendPostedEvents();
        QVERIFY(label->width() < size.width());
    }

    void aLabelShortensItself()
    {
        ElidedLabel label(QStringLiteral("a rather long name of a checkpoint\nwith a second line"));
        label.resize(80, 20);
        label.show();
        QVERIFY(QTest::qWaitForWindowExposed(&label));
        QVERIFY(label.text().endsWith(QChar(0x2026)));
        QVERIFY(label.toolTip().contains(QStringLiteral("checkpoint with")));
        label.resize(900, 20);
        QCOMPARE(label.text(), label.fullText());
        QVERIFY(label.toolTip().isEmpty());
    }

    void aBadgeCounts()
    {
        QWidget window;
        Badge badge(Badge::Kind::Failed, &window);
        window.show();
        QVERIFY(!badge.isVisible());
        badge.setCount(3);
        QVERIFY(badge.isVisible());
        const int narrow = badge.sizeHint().width();
        badge.setCount(5000);
        QCOMPARE(badge.accessibleName(), QStringLiteral("999+"));
        QVERIFY(badge.sizeHint().width() > narrow);
        badge.setCount(0);
        QVERIFY(!badge.isVisible());
    }

    void scrollBarsReachBothEnds()
    {
        QScrollBar bar(Qt::Vertical);
        bar.setRange(0, 1000000);
        bar.setPageStep(10);
        bar.resize(12, 200);
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        QTest::mousePress(&bar, Qt::LeftButton, {}, QPoint(6, 10));
        QTest::mouseMove(&bar, QPoint(6, 300));
        QTest::mouseRelease(&bar, Qt::LeftButton, {}, QPoint(6, 300));
        QCOMPARE(bar.value(), bar.maximum());
    }

    void tabsHaveRoomForBoldText()
    {
        QTabBar bar;
        bar.addTab(QStringLiteral("Artifacts and messages"));
        bar.addTab(QStringLiteral("Log"));
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        QFont bold = bar.font();
        bold.setWeight(QFont::DemiBold);
        QVERIFY(bar.tabRect(0).width() >= QFontMetrics(bold).horizontalAdvance(bar.tabText(0)) + 20);
        QCOMPARE(bar.tabRect(0).height(), 30);
    }
};

SG_WINDOW_TEST(TestControls)
#include "tst_controls.moc"
