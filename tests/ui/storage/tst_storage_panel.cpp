// The panel shows what takes room, and prunes only what was predicted, only while that holds, only after a
// question.

#include "tests/support/window_style.h"
#include "ui/storage/storage_model.h"
#include "ui/storage/storage_panel.h"
#include "ui/widgets/banner.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

using namespace sg::ui;

namespace {

QString words(const char* text)
{
    return QString::fromLatin1(text);
}

StorageView view()
{
    StorageView made;
    made.databaseBytes = 2'400'000;
    made.artifactBytes = 9'100'000;
    made.threads = { { words("alice"), 1'900'000, 120 }, { words("bob"), 400'000, 12 } };
    made.channels = { { words("messages"), 1'100'000, 90 } };
    made.artifacts = { { words("alice"), 9'100'000, 3 } };
    made.files = { { words("alice: model.joblib"), 9'000'000, 2 },
                   { words("alice: report.md"), 100'000, 1 } };
    return made;
}

PruneOutcome predicted(const PruneWish& wish)
{
    PruneOutcome made;
    made.wish = wish;
    made.checkpoints = 36;
    made.nested = 12;
    made.lostParents = 3;
    made.bytesBefore = 2'400'000;
    made.bytesAfter = 600'000;
    made.forks = { words("alice, from step 12 to step 22"), words("alice, from step 30 to step 41") };
    return made;
}

// A panel that is shown with two threads, and what it asks for.
struct Shown {
    Shown()
    {
        panel.resize(900, 320);
        panel.show();
        panel.setThreads({ words("alice"), words("bob") });
        panel.setStorage(view(), {});
    }
    template<typename Part>
    Part* part(const char* name)
    {
        return panel.findChild<Part*>(words(name));
    }
    // The dry run that the panel asks for, answered.
    void predict()
    {
        part<QPushButton>("storagePredict")->click();
        panel.setPruned(predicted(wishes.last().first().value<PruneWish>()), {});
    }

    StoragePanel panel;
    QSignalSpy wishes{ &panel, &StoragePanel::pruneRequested };
};

} // namespace

class TestStoragePanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void looksAlive_data() { sg::test::themes(); }
    void looksAlive()
    {
        const QString theme = sg::test::useTheme();
        Shown shown;
        shown.predict();
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(shown.panel, words("storage-") + theme)) > 8);
    }

    void showsWhatTakesRoomLargestFirst()
    {
        StorageModel model;
        const QAbstractItemModelTester tester(&model);
        model.reset(view());
        QStringList rows;
        for (int row = 0; row < model.rowCount(); ++row)
            rows << model.index(row, StorageModel::KindColumn).data().toString() + QLatin1Char(' ')
                    + model.index(row, StorageModel::NameColumn).data().toString();
        QCOMPARE(rows.mid(0, 3),
                 (QStringList{ words("Artifacts alice"), words("Artifact alice: model.joblib"),
                               words("Thread alice") }));
        QCOMPARE(model.index(0, 0).data(StorageModel::ShareRole).toDouble(), 1.0);
        QVERIFY(model.index(1, StorageModel::CountColumn).data().toString().contains(words("2 versions")));
    }

    void oneIsNotMany()
    {
        StorageModel model;
        StorageView view;
        view.threads = { { words("alice"), 10, 1 }, { words("bob"), 5, 2 } };
        model.reset(view);
        QCOMPARE(model.index(0, StorageModel::CountColumn).data().toString(), words("1 checkpoint"));
        QCOMPARE(model.index(1, StorageModel::CountColumn).data().toString(), words("2 checkpoints"));
    }

    void doesWhatWasPredictedAfterAQuestion()
    {
        Shown shown;
        shown.panel.findChild<QSpinBox*>()->setValue(5);
        shown.panel.findChild<QComboBox*>()->setCurrentIndex(1);
        QVERIFY(!shown.part<QPushButton>("storagePrune")->isEnabled());
        shown.predict();
        QVERIFY(shown.wishes.last().first().value<PruneWish>().isDryRun);
        QVERIFY(shown.part<QPushButton>("storagePrune")->isEnabled());
        shown.part<QPushButton>("storagePrune")->click();
        QCOMPARE(shown.wishes.size(), 1);
        auto* question = shown.part<QMessageBox>("storageQuestion");
        QVERIFY(question != nullptr);
        QVERIFY2(question->text().contains(words("thread alice")), qPrintable(question->text()));
        QVERIFY(question->text().contains(words("36")) && question->text().contains(words("12")));
        QVERIFY(question->informativeText().contains(words("from step 12 to step 22")));
        QCOMPARE(question->defaultButton(), question->button(QMessageBox::Cancel));
        for (QAbstractButton* button : question->buttons())
            if (question->buttonRole(button) == QMessageBox::DestructiveRole)
                button->click();
        QCOMPARE(shown.wishes.size(), 2);
        const auto wish = shown.wishes.last().first().value<PruneWish>();
        QVERIFY(!wish.isDryRun);
        QCOMPARE(wish.thread, words("alice"));
        QCOMPARE(wish.keep, 5);
        QCOMPARE(wish.expected, 48);
        QVERIFY(!shown.part<QPushButton>("storagePrune")->isEnabled());
    }

    void doesNothingWhereTheQuestionIsDeclined()
    {
        Shown shown;
        shown.predict();
        shown.part<QPushButton>("storagePrune")->click();
        shown.part<QMessageBox>("storageQuestion")->button(QMessageBox::Cancel)->click();
        QCOMPARE(shown.wishes.size(), 1);
        QVERIFY(shown.part<QPushButton>("storagePrune")->isEnabled());
    }

    // Each of these makes a prediction one of something else.
    void forgetsWhatDoesNotHoldAnyMore_data()
    {
        QTest::addColumn<QString>("what");
        for (const char* what : { "storage", "keep", "thread", "threads", "project" })
            QTest::newRow(what) << words(what);
    }
    void forgetsWhatDoesNotHoldAnyMore()
    {
        QFETCH(QString, what);
        Shown shown;
        shown.panel.findChild<QComboBox*>()->setCurrentIndex(1);
        shown.predict();
        shown.part<QPushButton>("storagePrune")->click();
        StorageView grown = view();
        grown.threads.front().count += 3;
        if (what == words("storage"))
            shown.panel.setStorage(grown, {});
        else if (what == words("keep"))
            shown.panel.findChild<QSpinBox*>()->setValue(3);
        else if (what == words("thread"))
            shown.panel.findChild<QComboBox*>()->setCurrentIndex(2);
        else if (what == words("threads"))
            shown.panel.setThreads({ words("bob") });
        else
            shown.panel.clear();
        QVERIFY(!shown.part<QPushButton>("storagePrune")->isEnabled());
        QVERIFY(!shown.panel.findChild<Banner*>()->isVisible());
        QTRY_VERIFY(shown.part<QMessageBox>("storageQuestion") == nullptr);
        QCOMPARE(shown.wishes.size(), 1);
    }

    void keepsWhatStillHolds()
    {
        Shown shown;
        shown.predict();
        shown.panel.setStorage(view(), {});
        shown.panel.setThreads({ words("alice"), words("bob"), words("carol") });
        QVERIFY(shown.part<QPushButton>("storagePrune")->isEnabled());
        QVERIFY(shown.panel.findChild<Banner*>()->isVisible());
    }

    void whatWasDoneStaysToBeReadWhenStorageComes()
    {
        Shown shown;
        shown.predict();
        PruneOutcome done = predicted({});
        done.wish.isDryRun = false;
        const QSignalSpy asked(&shown.panel, &StoragePanel::storageRequested);
        shown.panel.setPruned(done, {});
        QCOMPARE(asked.size(), 1);
        StorageView less = view();
        less.threads.front().count = 84;
        shown.panel.setStorage(less, {});
        QVERIFY(shown.panel.findChild<Banner*>()->isVisible());
        QVERIFY(!shown.part<QPushButton>("storagePrune")->isEnabled());
    }

    void anAnswerToAnotherChoiceIsNone()
    {
        Shown shown;
        shown.part<QPushButton>("storagePredict")->click();
        shown.panel.findChild<QSpinBox*>()->setValue(3);
        shown.panel.setPruned(predicted(shown.wishes.last().first().value<PruneWish>()), {});
        QVERIFY(!shown.part<QPushButton>("storagePrune")->isEnabled());
        QVERIFY(shown.part<QPushButton>("storagePredict")->isEnabled());
    }

    void predictsAgainWhenTheProjectChangedMeanwhile()
    {
        Shown shown;
        shown.part<QPushButton>("storagePredict")->click();
        QVERIFY(!shown.part<QPushButton>("storagePredict")->isEnabled());
        shown.panel.clear(); // that answer never comes
        QVERIFY(shown.part<QPushButton>("storagePredict")->isEnabled());
    }

    void removesNothingFromWhatIsOnlyRead()
    {
        Shown shown;
        shown.panel.setReadOnly(true);
        QVERIFY(!shown.part<QPushButton>("storagePredict")->isVisible());
        QVERIFY(!shown.part<QPushButton>("storagePrune")->isVisible());
        QVERIFY(shown.part<QLabel>("storageLocked")->isVisible());
        QTRY_VERIFY(shown.part<QLabel>("storageLocked")->geometry().right() > 880); // beside the totals
        sg::test::pictureOf(shown.panel, words("storage-read-only"));
        shown.panel.setReadOnly(false);
        QVERIFY(shown.part<QPushButton>("storagePredict")->isVisible());
        QVERIFY(!shown.part<QLabel>("storageLocked")->isVisible());
    }
};

SG_WINDOW_TEST(TestStoragePanel)
#include "tst_storage_panel.moc"
