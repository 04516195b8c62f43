#include "tests/support/test_main.h"
#include "ui/selection/selection.h"

#include <QSignalSpy>
#include <QTest>

using namespace sg::ui;

class TestSelection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsOnlyWhatChanged()
    {
        Selection selection;
        QSignalSpy checkpoints(&selection, &Selection::checkpointChanged);
        QSignalSpy nodes(&selection, &Selection::nodeChanged);
        selection.setCheckpoint(QStringLiteral("c1"));
        selection.setCheckpoint(QStringLiteral("c1"));
        selection.setNode(QStringLiteral("a"));
        QCOMPARE(checkpoints.size(), 1);
        QCOMPARE(nodes.size(), 1);
        QVERIFY(!selection.isAtHead());
        selection.returnToHead();
        QVERIFY(selection.isAtHead());
        QCOMPARE(checkpoints.size(), 2);
    }

    void anotherThreadStartsAtItsHead()
    {
        Selection selection;
        selection.setThread(QStringLiteral("alice"));
        selection.setCheckpoint(QStringLiteral("c1"));
        selection.setNode(QStringLiteral("a"));
        selection.setBase(QStringLiteral("c0"));
        QString seen = QStringLiteral("nothing");
        connect(&selection, &Selection::threadChanged, this,
                [&] { seen = selection.checkpoint() + selection.base(); });
        QSignalSpy bases(&selection, &Selection::baseChanged);
        selection.setThread(QStringLiteral("bob"));
        QCOMPARE(seen, QString()); // no part of the thread before
        QCOMPARE(selection.node(), QStringLiteral("a"));
        QCOMPARE(bases.size(), 1);
    }

    void aListenerMaySelect()
    {
        Selection selection;
        selection.setThread(QStringLiteral("alice"));
        selection.setCheckpoint(QStringLiteral("c1"));
        connect(&selection, &Selection::threadChanged, &selection,
                [&] { selection.setCheckpoint(QStringLiteral("b7")); });
        QStringList checkpoints;
        connect(&selection, &Selection::checkpointChanged, this,
                [&](const QString& id) { checkpoints << id; });
        selection.setThread(QStringLiteral("bob"));
        QCOMPARE(selection.checkpoint(), QStringLiteral("b7"));
        QCOMPARE(checkpoints, QStringList{ QStringLiteral("b7") });
    }

    // A moment lies behind a checkpoint; whatever else is chosen ends it.
    void aMomentBelongsToItsCheckpoint()
    {
        Selection selection;
        QStringList told;
        connect(&selection, &Selection::checkpointChanged, this,
                [&](const QString& id) { told << QStringLiteral("at ") + id; });
        connect(&selection, &Selection::momentChanged, this, [&](double time) {
            told << (std::isnan(time) ? QStringLiteral("none") : QString::number(time));
        });
        selection.setThread(QStringLiteral("alice"));
        selection.setMoment(QStringLiteral("c1"), 1200);
        selection.setMoment(QStringLiteral("c1"), 1300);
        selection.setMoment(QStringLiteral("c1"), 1300);
        selection.setCheckpoint(QStringLiteral("c1"));
        QVERIFY(std::isnan(selection.moment()));
        selection.setMoment(QStringLiteral("c2"), 1500);
        selection.returnToHead();
        selection.setMoment(QStringLiteral("c2"), 1600);
        selection.setThread(QStringLiteral("bob"));
        QVERIFY(std::isnan(selection.moment()) && selection.isAtHead());
        QCOMPARE(told.join(QLatin1Char(' ')),
                 QStringLiteral("at c1 1200 1300 none at c2 1500 at  none at c2 1600 at  none"));
    }

    void clearForgetsEverything()
    {
        Selection selection;
        selection.setThread(QStringLiteral("alice"));
        selection.setNode(QStringLiteral("a"));
        selection.clear();
        QVERIFY(selection.thread().isEmpty() && selection.node().isEmpty());
    }
};

SG_CORE_TEST(TestSelection)
#include <cmath>

#include "tst_selection.moc"
