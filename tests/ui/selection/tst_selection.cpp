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
        selection.setSession(QStringLiteral("s-1"));
        selection.setArtifact(QStringLiteral("x"));
        QString seen = QStringLiteral("nothing");
        connect(&selection, &Selection::threadChanged, this,
                [&] { seen = selection.checkpoint() + selection.session() + selection.artifact(); });
        QSignalSpy sessions(&selection, &Selection::sessionChanged);
        selection.setThread(QStringLiteral("bob"));
        QCOMPARE(seen, QString()); // no part of the thread before
        QCOMPARE(selection.node(), QStringLiteral("a"));
        QCOMPARE(sessions.size(), 1);
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
#include "tst_selection.moc"
