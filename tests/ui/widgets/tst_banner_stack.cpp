// Messages over a view: each has an owner, the most urgent is shown, and none takes another's place.
#include "tests/support/window_test.h"
#include "ui/widgets/banner_stack.h"

#include <QCoreApplication>
#include <QFrame>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

using namespace sg::ui;
using Owner = BannerStack::Owner;

namespace {

struct Shown {
    QWidget window;
    QWidget view{ &window };
    BannerStack stack{ &window };

    Shown()
    {
        window.resize(900, 500);
        view.setGeometry(100, 50, 700, 400);
        stack.lieOver(&view);
        window.show();
    }
    // Returns the first banner's words.
    [[nodiscard]] QString first() const
    {
        const auto* banner = stack.findChild<Banner*>(QString(), Qt::FindDirectChildrenOnly);
        return banner->isVisible() ? banner->accessibleName() : QString();
    }
    [[nodiscard]] QStringList all() const
    {
        QCoreApplication::processEvents();
        QStringList words;
        for (const Banner* banner : stack.findChildren<Banner*>())
            if (banner->isVisible())
                words << banner->accessibleName();
        return words;
    }
    // A layout shows what came to it with the next events.
    [[nodiscard]] QPushButton* button(const QString& words) const
    {
        QCoreApplication::processEvents();
        for (QPushButton* each : stack.findChildren<QPushButton*>())
            if (each->text() == words && each->isVisible())
                return each;
        return nullptr;
    }
};

BannerMessage message(const char* text)
{
    return { .text = QLatin1String(text) };
}

} // namespace

class TestBannerStack : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anOwnerReplacesAndClearsItsOwnAlone()
    {
        Shown shown;
        shown.stack.tell(Owner::File, message("The graph cannot run"));
        shown.stack.tell(Owner::Sandbox, message("No sandbox"));
        shown.stack.tell(Owner::Sandbox, message("Preparing"));
        QCOMPARE(shown.first(), QStringLiteral("The graph cannot run"));
        shown.stack.withdraw(Owner::File);
        QCOMPARE(shown.first(), QStringLiteral("Preparing"));
        shown.stack.withdraw(Owner::Run); // which said nothing
        QCOMPARE(shown.first(), QStringLiteral("Preparing"));
        shown.stack.withdraw(Owner::Sandbox);
        QVERIFY(!shown.stack.isVisible());
    }

    void theOthersAreACountAndOpen()
    {
        Shown shown;
        shown.stack.tell(Owner::Done, message("Exported"));
        QVERIFY(shown.button(QStringLiteral("1 more")) == nullptr);
        shown.stack.tell(Owner::Run, message("Node plan failed"));
        shown.stack.tell(Owner::Sandbox, message("No sandbox"));
        QCOMPARE(shown.all(), QStringList{ QStringLiteral("Node plan failed") });
        shown.button(QStringLiteral("2 more"))->click();
        QCOMPARE(shown.all(),
                 (QStringList{ QStringLiteral("Node plan failed"), QStringLiteral("No sandbox"),
                               QStringLiteral("Exported") }));
        shown.stack.withdraw(Owner::Run);
        QCOMPARE(shown.all(), (QStringList{ QStringLiteral("No sandbox"), QStringLiteral("Exported") }));
    }

    void aQuestionStaysUntilItIsAnswered()
    {
        Shown shown;
        int kept = 0;
        shown.stack.tell(
            Owner::Conflict,
            { .text = QStringLiteral("Changed by another program"),
              .isQuestion = true,
              .actions = { { .text = QStringLiteral("Keep mine"), .run = [&kept] { ++kept; } } } });
        shown.stack.tell(Owner::Run, message("Node plan failed"));
        shown.stack.tell(Owner::Action, message("Not written"));
        QCOMPARE(shown.first(), QStringLiteral("Changed by another program"));
        for (const auto* button : shown.stack.findChildren<QAbstractButton*>())
            QVERIFY(button->accessibleName() != QStringLiteral("Hide this message") || !button->isVisible());
        shown.button(QStringLiteral("Keep mine"))->click();
        QCOMPARE(kept, 1);
        QCOMPARE(shown.first(), QStringLiteral("Node plan failed"));
    }

    void anActionMayKeepItsMessageOrTellAnother()
    {
        Shown shown;
        shown.stack.tell(
            Owner::File,
            { .text = QStringLiteral("The graph cannot run"),
              .actions = { { .text = QStringLiteral("Show problems"), .run = [] {}, .withdraws = false },
                           { .text = QStringLiteral("Reload"),
                             .run = [&] { shown.stack.tell(Owner::File, message("Anew")); } } } });
        shown.button(QStringLiteral("Show problems"))->click();
        QCOMPARE(shown.first(), QStringLiteral("The graph cannot run"));
        shown.button(QStringLiteral("Reload"))->click();
        QCOMPARE(shown.first(), QStringLiteral("Anew"));
    }

    void itLiesOverTheViewAndFollowsIt()
    {
        Shown shown;
        shown.stack.tell(Owner::Run, message("Node plan failed"));
        const QRect view = shown.view.geometry();
        QTRY_VERIFY(view.contains(shown.stack.geometry()));
        QCOMPARE(shown.view.geometry(), QRect(100, 50, 700, 400)); // it is not moved
        shown.view.setGeometry(0, 200, 400, 250);
        QTRY_VERIFY(shown.view.geometry().contains(shown.stack.geometry()));
    }

    void aCardLiesBelowTheMessages()
    {
        Shown shown;
        auto* card = new QPushButton(QStringLiteral("Publish this?"));
        card->hide();
        shown.stack.carry(card);
        QVERIFY(!shown.stack.isVisible());
        card->show();
        QVERIFY(shown.stack.isVisible());
        shown.stack.tell(Owner::Run, message("Node plan failed"));
        const auto* banner = shown.stack.findChild<Banner*>(QString(), Qt::FindDirectChildrenOnly);
        QTRY_VERIFY(card->y() >= banner->geometry().bottom());
        QCOMPARE(shown.view.geometry(), QRect(100, 50, 700, 400));
        QTRY_VERIFY(shown.view.geometry().contains(shown.stack.geometry()));
        shown.stack.withdraw(Owner::Run);
        QVERIFY(shown.stack.isVisible());
        card->hide();
        QVERIFY(!shown.stack.isVisible());
    }

    void besideTheListOfOthersTheViewIsWithinReach()
    {
        Shown shown;
        shown.view.setGeometry(0, 0, 900, 400);
        shown.stack.tell(Owner::Run, message("Node plan failed"));
        shown.stack.tell(Owner::Sandbox, message("No sandbox"));
        shown.button(QStringLiteral("1 more"))->click();
        const auto* others = shown.stack.findChild<QFrame*>(QStringLiteral("otherMessages"));
        QTRY_VERIFY(others->isVisible() && others->x() > 100);
        QVERIFY(!shown.stack.mask().contains(QPoint(20, others->geometry().center().y())));
    }

    void itSaysHowMuchOfTheViewIsCovered()
    {
        Shown shown;
        QSignalSpy covers(&shown.stack, &BannerStack::covers);
        const auto covered = [&covers] { return covers.isEmpty() ? -1 : covers.last().at(1).toInt(); };
        shown.stack.tell(Owner::Run, message("Node plan failed"));
        shown.stack.tell(Owner::Sandbox, message("No sandbox"));
        const auto bottom = [&shown] { return shown.stack.geometry().bottom() + 1 - shown.view.y(); };
        QTRY_VERIFY(bottom() > 30);
        QTRY_COMPARE(covered(), bottom());
        const int closed = bottom();
        shown.button(QStringLiteral("1 more"))->click();
        QTRY_VERIFY(bottom() > closed); // for a moment
        QCOMPARE(covered(), closed);
        shown.stack.withdrawAll();
        QCOMPARE(covered(), 0);
    }

    void aStripOnTheSameEdgeIsLeftInSight()
    {
        Shown shown;
        QWidget strip(&shown.window);
        strip.setGeometry(100, 50, 700, 32);
        shown.stack.lieBelow(&strip);
        shown.stack.tell(Owner::Run, message("Node plan failed"));
        strip.hide();
        QTRY_COMPARE(shown.stack.y(), 60);
        strip.show();
        QTRY_COMPARE(shown.stack.y(), 92);
        strip.setGeometry(100, 300, 700, 32); // elsewhere, as while another view is shown
        strip.setGeometry(100, 500, 700, 32);
        QTRY_COMPARE(shown.stack.y(), 60);
    }
};

SG_WINDOW_TEST(TestBannerStack)
#include "tst_banner_stack.moc"
