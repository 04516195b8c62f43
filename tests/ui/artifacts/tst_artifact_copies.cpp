// Other programs get copies of artifacts; the tests say under which names, and when.

#include "tests/support/window_style.h"
#include "tests/ui/artifacts/sample_artifacts.h"
#include "ui/artifacts/copy_names.h"
#include "ui/bridge/artifacts/file_mime.h"

#include <QClipboard>
#include <QFile>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include <thread>

using namespace sg::ui;
using namespace sg::test;

class TestArtifactCopies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void stagesOnPressAndCopiesFiles()
    {
        using Staged = std::shared_ptr<StagedFiles>;
        QTemporaryDir folder;
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        panel.show();
        panel.setArtifacts(six());
        QSignalSpy asked(&panel, &ArtifactsPanel::stageRequested);
        QSignalSpy released(&panel, &ArtifactsPanel::stagedReleased);
        selectRow(panel, 5);
        QCOMPARE(asked.count(), 1);
        const QString path = folder.filePath(QStringLiteral("data 1.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("0123456789ab");
        file.close();
        auto* list = panel.findChild<ArtifactList*>();
        QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier); // waits for the copies
        const Staged staged = asked.last().at(1).value<Staged>();
        staged->finish({ path }, {});
        panel.setStaged(staged, {});
        QCOMPARE(asked.count(), 1);
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        QCOMPARE(copied->urls(), QList<QUrl>{ QUrl::fromLocalFile(path) });
        QVERIFY(copied->data(QStringLiteral("x-special/gnome-copied-files")).endsWith("data%201.json"));
        QCOMPARE(copied->data(QLatin1String(kArtifactFormat)), six()[5].id.toUtf8() + '\n');
        selectRow(panel, 4);
        QCOMPARE(released.count(), 0); // what is on the clipboard stays
        selectRow(panel, 3);
        QCOMPARE(released.count(), 1); // of a row that was pressed and not dragged
        QVERIFY(!released.last().at(1).toBool());
    }

    void namesCopiesByAPattern_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("name");
        QTest::newRow("own") << "{name}"
                             << "plot.tar.gz";
        QTest::newRow("thread and step") << "{thread}-{step}-{name}"
                                         << "a-{step}-12-plot.tar.gz"; // a part is no pattern
        QTest::newRow("stem and ending") << "{stem} of {node}{ending}"
                                         << "plot.tar of load.gz";
        QTest::newRow("not known") << "{nane}"
                                   << "plot.tar.gz";
        QTest::newRow("left open") << "{name"
                                   << "{name";
        QTest::newRow("empty") << ""
                               << "plot.tar.gz";
    }
    void namesCopiesByAPattern()
    {
        QFETCH(QString, pattern);
        ArtifactRow row;
        row.name = QStringLiteral("plot.tar.gz");
        row.thread = QStringLiteral("a/{step}");
        row.step = 12;
        row.node = QStringLiteral("load");
        QTEST(copyName(pattern, row), "name");
    }

    void saysWhatIsNoPattern()
    {
        QVERIFY(patternFault(QLatin1String(kThreadStepName)).isEmpty());
        QVERIFY(patternFault(QStringLiteral("{nane}")).contains(QStringLiteral("{nane}")));
        QVERIFY(!patternFault(QStringLiteral(" ")).isEmpty());
    }

    void stagesUnderTheNamesThatWereChosen()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        panel.show();
        panel.setArtifacts(six());
        QSignalSpy asked(&panel, &ArtifactsPanel::stageRequested);
        auto* list = panel.findChild<ArtifactList*>();
        list->setCopyNames(QStringLiteral("{step}-{name}"));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(asked.count(), 1);
        const auto rows = asked.front().front().value<std::vector<ArtifactRow>>();
        QCOMPARE(rows.front().name, QStringLiteral("%1-%2").arg(six()[0].step).arg(six()[0].name));
        list->setCopyNames(QLatin1String(kOwnName));
        QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(asked.count(), 2); // copies under other names are other copies
    }

    void offersAtOnceAndWaitsWhenAsked()
    {
        const auto staged = std::make_shared<StagedFiles>();
        const FileMime mime(staged, { six().front() });
        QVERIFY(mime.hasUrls());
        QVERIFY(mime.hasFormat(QStringLiteral("image/png")));
        QVERIFY(!mime.hasFormat(QStringLiteral("text/plain")));
        std::thread copying([&staged] { staged->finish({ QStringLiteral("/tmp/ä b.png") }, {}); });
        QCOMPARE(mime.urls(), QList<QUrl>{ QUrl::fromLocalFile(QStringLiteral("/tmp/ä b.png")) });
        copying.join();
        const auto failed = std::make_shared<StagedFiles>();
        failed->finish({}, QStringLiteral("no space"));
        QVERIFY(FileMime(failed, six()).urls().isEmpty());
    }

    void tellsHowFarTheCopiesAre()
    {
        const auto staged = std::make_shared<StagedFiles>();
        staged->begin(QStringLiteral("/tmp/copies"), 100);
        QStringList told;
        const FileMime mime(staged, six(), [&](const StagedFiles& files, bool isOver) {
            told << QStringLiteral("%1 of %2%3")
                        .arg(files.copiedBytes())
                        .arg(files.totalBytes())
                        .arg(isOver ? QStringLiteral(", over") : QString());
            if (files.copiedBytes() == 0)
                staged->noteCopied(40);
            else if (!isOver)
                staged->finish({ QStringLiteral("/tmp/a") }, QStringLiteral("b: gone")); // what could be made
        });
        QCOMPARE(mime.urls().size(), 1);
        QCOMPARE(told.join(QLatin1Char('|')), QStringLiteral("0 of 100|40 of 100|40 of 100, over"));
    }

    void composesNamesOfCopies()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        std::vector<ArtifactRow> rows{ six().front() };
        rows[0].name = QStringLiteral("a\u0308.png"); // as a Mac writes it
        panel.setArtifacts(rows);
        QCOMPARE(panel.findChild<ArtifactList*>()->rowsToCopy().front().name, QStringLiteral("\u00e4.png"));
    }
};

SG_WINDOW_TEST(TestArtifactCopies)
#include "tst_artifact_copies.moc"
