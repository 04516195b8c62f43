// A text of a session: what was typed is not lost, and what lies there already is not silently replaced.

#include "tests/support/window_style.h"
#include "ui/world/file_tree.h"
#include "ui/world/files_panel.h"

#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QUrl>

using namespace sg::ui;

namespace {

WorldFileRow file(const char* path, WorldChange change)
{
    WorldFileRow row;
    row.path = QString::fromLatin1(path);
    row.size = 100;
    row.change = change;
    return row;
}

SessionText textOf(const char* text)
{
    SessionText made;
    made.thread = QStringLiteral("main");
    made.path = QStringLiteral("run.sh");
    made.text = QString::fromLatin1(text);
    made.hash = QStringLiteral("h-") + made.text;
    made.isLive = true;
    return made;
}

struct Panel {
    Panel()
    {
        panel.resize(900, 300);
        panel.show();
        world.thread = QStringLiteral("main");
        world.checkpoint = QStringLiteral("c1");
        world.wasUsed = true;
        world.mark = SandboxMark::Exact;
        world.files = { file("data/old.csv", WorldChange::Same), file("new.csv", WorldChange::Added),
                        file("gone.csv", WorldChange::Removed), file("run.sh", WorldChange::Same) };
        panel.setWorld(world);
    }
    QPushButton* button(const char* words)
    {
        QPushButton* newest = nullptr; // those of earlier messages go later
        for (QPushButton* each : panel.findChildren<QPushButton*>())
            if (each->text() == QLatin1String(words))
                newest = each;
        return newest;
    }
    QPlainTextEdit& edit() { return *panel.findChild<QPlainTextEdit*>(QStringLiteral("sessionFileText")); }
    QString rows()
    {
        QStringList said;
        const auto* tree = panel.findChild<FileTree*>();
        for (QModelIndex index = tree->model()->index(0, 0); index.isValid(); index = tree->indexBelow(index))
            said << index.data(Qt::AccessibleTextRole).toString().replace(QChar::Nbsp, QLatin1Char(' '));
        return said.join(QLatin1Char('|'));
    }
    bool says(const char* words)
    {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (!label->isHidden() && (label->text() + label->toolTip()).contains(QLatin1String(words)))
                return true;
        return false;
    }
    FilesPanel panel;
    WorldView world;
};

} // namespace

class TestSessionText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void loadsAgainWhatAnotherHasChanged()
    {
        Panel p;
        p.panel.setText(textOf("one"));
        QTest::keyClicks(&p.edit(), QStringLiteral("x"));
        p.panel.saveText();
        p.panel.setSaved(textOf("one"), { QStringLiteral("changed meanwhile"), {} }, true);
        QSignalSpy reloads(&p.panel, &FilesPanel::reloadRequested);
        p.button("Load it again")->click();
        QCOMPARE(reloads.count(), 1);
        QCOMPARE(reloads.front().front().value<SessionText>().thread, QStringLiteral("main"));
        QVERIFY(p.edit().isReadOnly()); // what is typed now were lost
        SessionText other = textOf("other");
        other.path = QStringLiteral("other.sh");
        p.panel.setText(other); // asked for before
        QCOMPARE(p.edit().toPlainText(), QStringLiteral("xone"));
        p.panel.setText(textOf("two"));
        QCOMPARE(p.edit().toPlainText(), QStringLiteral("two"));
        QVERIFY(!p.edit().isReadOnly());
        QVERIFY(!p.panel.isModified());
        QVERIFY(p.button("Load it again") == nullptr || !p.button("Load it again")->isVisible());
    }

    void whatCannotBeLoadedAgainIsKept()
    {
        Panel p;
        p.panel.setText(textOf("one"));
        QTest::keyClicks(&p.edit(), QStringLiteral("x"));
        p.panel.saveText();
        p.panel.setSaved(textOf("one"), { QStringLiteral("removed meanwhile"), {} }, true);
        p.button("Load it again")->click();
        SessionText gone = textOf("");
        gone.problem = QStringLiteral("no such file");
        p.panel.setText(gone);
        QCOMPARE(p.edit().toPlainText(), QStringLiteral("xone"));
        QVERIFY(!p.edit().isReadOnly());
        QVERIFY(p.panel.isModified());
        QSignalSpy saves(&p.panel, &FilesPanel::saveRequested);
        p.button("Write over it")->click();
        QCOMPARE(saves.count(), 1);
        QVERIFY(saves.front().front().value<SessionText>().hash.isEmpty());
    }

    void savesByItsKeyAndOnce()
    {
        Panel p;
        QSignalSpy saves(&p.panel, &FilesPanel::saveRequested);
        QSignalSpy ended(&p.panel, &FilesPanel::textSaved);
        p.panel.setText(textOf("one"));
        p.panel.saveText();
        QCOMPARE(ended.takeFirst().front().toBool(), true); // there was nothing to save
        QSignalSpy modified(&p.panel, &FilesPanel::modifiedChanged);
        QTest::keyClicks(&p.edit(), QStringLiteral("x"));
        QVERIFY(p.panel.isModified());
        QCOMPARE(modified.count(), 1);
        QTest::keyClick(&p.edit(), Qt::Key_S, Qt::ControlModifier);
        QTest::keyClick(&p.edit(), Qt::Key_S, Qt::ControlModifier); // while the first is under way
        QCOMPARE(saves.count(), 1);
        QCOMPARE(p.edit().toPlainText(), QStringLiteral("xone"));
        p.panel.setSaved(textOf("xone"), {}, false);
        QCOMPARE(ended.takeFirst().front().toBool(), true);
        QVERIFY(!p.panel.isModified());
        QTest::keyClicks(&p.edit(), QStringLiteral("y"));
        p.panel.saveText();
        p.panel.setSaved(textOf("xone"), { QStringLiteral("no sandbox runs"), {} }, false);
        QCOMPARE(ended.takeFirst().front().toBool(), false);
        QVERIFY(p.panel.isModified());
        p.panel.closeText();
        QVERIFY(!p.panel.isModified());
        QVERIFY(!p.edit().isVisible());
    }

    void saysWhatAnUploadReplaces()
    {
        Panel p;
        QMimeData data;
        QList<QUrl> urls;
        for (const char* name : { "run.sh", "fresh.csv", "new.csv", "gone.csv" })
            urls << QUrl::fromLocalFile(QStringLiteral("/tmp/") + QLatin1String(name));
        data.setUrls(urls);
        const QPoint empty(20, 280);
        QDragEnterEvent enter(empty, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&p.panel, &enter);
        QDragMoveEvent move(empty, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&p.panel, &move);
        QVERIFY(p.says("2 files there are replaced"));
        p.world.checkpoint = QStringLiteral("c2"); // a step ends while the hand holds the files still
        p.panel.setWorld(p.world);
        QVERIFY(p.says("2 files there are replaced"));
        QDragLeaveEvent leave;
        QApplication::sendEvent(&p.panel, &leave);
        QVERIFY(!p.says("are replaced"));
        QApplication::sendEvent(&p.panel, &enter);
        QDropEvent drop(empty, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&p.panel, &drop);
        p.panel.setPut({ QStringLiteral("/session/run.sh"), QStringLiteral("/session/fresh.csv"),
                         QStringLiteral("/session/new.csv"), QStringLiteral("/session/gone.csv") },
                       {});
        const QString rows = p.rows();
        QVERIFY2(rows.contains(QStringLiteral("run.sh, 0 B, changed")), qPrintable(rows));
        QVERIFY2(rows.contains(QStringLiteral("fresh.csv, 0 B, added")), qPrintable(rows));
        QVERIFY2(rows.contains(QStringLiteral("new.csv, 0 B, added")), qPrintable(rows)); // since the step
        QVERIFY2(rows.contains(QStringLiteral("gone.csv, 0 B, changed")), qPrintable(rows));
        QVERIFY(p.says("2 of them over older ones"));
        data.setUrls({ urls.front() });
        QDropEvent again(empty, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&p.panel, &enter);
        QApplication::sendEvent(&p.panel, &again);
        p.panel.setPut({ QStringLiteral("/session/run.sh") }, {});
        QVERIFY(p.says("Replaced /session/run.sh"));
    }
};

SG_WINDOW_TEST(TestSessionText)
#include "tst_session_text.moc"
