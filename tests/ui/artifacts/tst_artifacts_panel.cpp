// Artifacts: pictures in both themes, the model, previews, what is asked for and what other programs get.

#include "tests/support/window_style.h"
#include "ui/artifacts/artifact_filter.h"
#include "ui/artifacts/artifact_list.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/artifact_preview_view.h"
#include "ui/artifacts/artifacts_panel.h"
#include "ui/artifacts/copy_names.h"
#include "ui/artifacts/drag_picture.h"
#include "ui/artifacts/image_view.h"
#include "ui/artifacts/table_view.h"
#include "ui/artifacts/text_views.h"
#include "ui/bridge/file_mime.h"
#include "ui/widgets/banner.h"

#include <QAbstractItemModelTester>
#include <QBuffer>
#include <QClipboard>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QUrl>

#include <algorithm>
#include <thread>

using namespace sg::ui;

namespace {

ArtifactRow artifact(const QString& name, const QString& mime, qint64 size, const QString& node, int step)
{
    ArtifactRow row;
    row.id = QStringLiteral("id-") + name;
    row.name = name;
    row.path = name;
    row.mime = mime;
    row.sha256 = QStringLiteral("9f2c41d0aa5be1f00c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f7be3a512");
    row.size = size;
    row.node = node;
    row.step = step;
    row.createdMs = 1'795'271'325'000.0;
    return row;
}

std::vector<ArtifactRow> six()
{
    const auto s = [](const char* text) { return QString::fromLatin1(text); };
    return { artifact(s("mass_by_species.png"), s("image/png"), 48'211, s("visualize"), 13),
             artifact(s("summary.parquet"), s("application/vnd.apache.parquet"), 6'344, s("analyze"), 11),
             artifact(s("report.md"), s("text/markdown"), 3'402, s("report"), 14),
             artifact(s("model.joblib"), s("application/octet-stream"), 1'100'000, s("model"), 13),
             artifact(s("penguins_clean.csv"), s("text/csv"), 12'700, s("analyze"), 11),
             artifact(s("a_very_long_name_of_an_artifact_that_does_not_fit_into_its_row.json"),
                      s("application/json"), 12, s("analyze"), 11) };
}

QByteArray figure()
{
    QImage image(480, 320, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    for (int i = 0; i < 6; ++i)
        painter.fillRect(40 + i * 70, 300 - 40 * (i + 1), 50, 40 * (i + 1),
                         QColor::fromHsv(i * 40, 120, 180));
    painter.end();
    QBuffer buffer;
    image.save(&buffer, "PNG");
    return buffer.data();
}

ArtifactPreview imagePreview()
{
    ArtifactPreview preview;
    preview.kind = ArtifactPreview::Kind::Image;
    preview.artifact = six().front().id;
    preview.image = figure();
    return preview;
}

ArtifactPreview tablePreview()
{
    const auto list = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    ArtifactPreview preview;
    preview.kind = ArtifactPreview::Kind::Table;
    preview.artifact = six()[1].id;
    preview.columns = list("species sex body_mass_g n");
    preview.columnTypes = list("string string double int64");
    for (const char* row : { "Adelie female 3368.8 73", "Adelie male 4043.5 73", "Chinstrap female 3527.2 34",
                             "Chinstrap male 3939.0 34", "Gentoo female 4679.7 58" })
        preview.rows.push_back(list(row));
    preview.totalRows = 6;
    return preview;
}

void selectRow(ArtifactsPanel& panel, int row)
{
    auto* list = panel.findChild<ArtifactList*>();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualRect(list->model()->index(row, 0)).center());
}

} // namespace

class TestArtifactsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void paints_data() { sg::test::themes(); }
    void paints()
    {
        const QString name = sg::test::useTheme();
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        panel.show();
        const QImage empty = sg::test::pictureOf(panel, QStringLiteral("artifacts-empty-") + name);
        panel.setArtifacts(six());
        panel.setPreview(imagePreview());
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("artifacts-image-") + name) != empty);
        selectRow(panel, 1);
        panel.setPreview(tablePreview());
        QCoreApplication::sendPostedEvents();
        QVERIFY(sg::test::pictureOf(panel, QStringLiteral("artifacts-table-") + name) != empty);
        const QPixmap drag = dragPicture(six(), {}, 1);
        sg::test::keepPicture(drag.toImage(), QStringLiteral("artifacts-drag-") + name);
        QVERIFY(!drag.isNull());
    }

    void isAProperModel()
    {
        ArtifactModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.reset(six());
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(model.index(0).data(ArtifactModel::MadeByRole).toString(),
                 QStringLiteral("visualize, step 13"));
        model.reset({});
        PreviewTableModel table;
        const QAbstractItemModelTester tableTester(&table,
                                                   QAbstractItemModelTester::FailureReportingMode::QtTest);
        const ArtifactPreview preview = tablePreview();
        table.reset(preview.columns, preview.columnTypes, preview.rows);
        QCOMPARE(table.index(1, 2).data().toString(), QStringLiteral("4043.5"));
        table.reset({ QStringLiteral("short") }, {}, { {}, { QStringLiteral("a"), QStringLiteral("b") } });
        QCOMPARE(table.index(0, 0).data().toString(), QString());
    }

    void previewsTheNewestUntilOneIsChosen()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        panel.show();
        QSignalSpy asked(&panel, &ArtifactsPanel::previewRequested);
        const std::vector<ArtifactRow> rows = six();
        const auto last = [&asked] { return asked.last().front().value<ArtifactRow>().name; };
        panel.setArtifacts({ rows[2] });
        QCOMPARE(last(), rows[2].name);
        panel.setArtifacts({ rows[1], rows[2] });
        QCOMPARE(last(), rows[1].name);
        selectRow(panel, 1);
        QCOMPARE(last(), rows[2].name);
        panel.setArtifacts({ rows[0], rows[1], rows[2] });
        QCOMPARE(last(), rows[2].name);
        QCOMPARE(asked.count(), 3);
    }

    void asksForATableInAnOrder()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[1] });
        QSignalSpy columns(&panel, &ArtifactsPanel::columnsShown);
        QSignalSpy pages(&panel, &ArtifactsPanel::pageRequested);
        panel.setPreview(tablePreview());
        QCOMPARE(columns.last().at(1).toInt(), 4);
        auto* table = panel.findChild<TableView*>();
        const auto click = [table] {
            QTest::mouseClick(table->horizontalHeader()->viewport(), Qt::LeftButton, {},
                              { table->columnViewportPosition(2) + 20, 10 });
        };
        const auto order = [&pages] { return pages.last().at(2).value<TableOrder>(); };
        click();
        QCOMPARE(order(), (TableOrder{ 2, false }));
        panel.setPreview(tablePreview());
        QCOMPARE(columns.count(), 1); // the same table
        click();
        QCOMPARE(order(), (TableOrder{ 2, true }));
        click();
        QCOMPARE(order(), TableOrder());
        table->setCurrentIndex(table->model()->index(1, 3));
        QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(order(), (TableOrder{ 3, true }));
        const int before = table->horizontalHeader()->height();
        ColumnFacts facts;
        facts.artifact = six()[1].id;
        facts.column = 2;
        facts.least = QStringLiteral("2700");
        facts.most = QStringLiteral("6300");
        facts.empty = 2;
        facts.bars = { 1, 4, 2 };
        panel.setColumnFacts(facts);
        QVERIFY(table->horizontalHeader()->height() > before);
        QCOMPARE(table->model()->headerData(2, Qt::Horizontal, Qt::AccessibleTextRole).toString(),
                 QStringLiteral("body_mass_g double; 2700 to 6300; 2 empty"));
    }

    void keepsTheColumnThatIsSortedByKey()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[1] });
        panel.setPreview(tablePreview());
        auto* table = panel.findChild<TableView*>();
        const auto told = [table] {
            return table->model()->headerData(2, Qt::Horizontal, Qt::AccessibleTextRole).toString();
        };
        table->setCurrentIndex(table->model()->index(3, 2));
        QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
        panel.setPreview(tablePreview());
        QCOMPARE(table->currentIndex(), table->model()->index(0, 2));
        QCOMPARE(told(), QStringLiteral("body_mass_g double; sorted, smallest first"));
        QTest::keyClick(table, Qt::Key_Down, Qt::AltModifier);
        panel.setPreview(tablePreview());
        QCOMPARE(table->order(), (TableOrder{ 2, true }));
        QCOMPARE(told(), QStringLiteral("body_mass_g double; sorted, largest first"));
    }

    void showsTheOrderInWhichTheRowsStand()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[1] });
        QSignalSpy columns(&panel, &ArtifactsPanel::columnsShown);
        panel.setPreview(tablePreview());
        auto* table = panel.findChild<TableView*>();
        const auto sortBy = [table](int column) {
            table->setCurrentIndex(table->model()->index(0, column));
            QTest::keyClick(table, Qt::Key_Up, Qt::AltModifier);
        };
        sortBy(2);
        panel.setPreview(tablePreview());
        ArtifactPreview refused;
        refused.artifact = six()[1].id;
        refused.note = QStringLiteral("Not sorted");
        sortBy(0);
        panel.setPreview(refused);
        QCOMPARE(table->order(), (TableOrder{ 2, false }));
        refused.isComparison = true;
        refused.kind = ArtifactPreview::Kind::Changes;
        panel.setPreview(refused);
        panel.setPreview(tablePreview());
        QCOMPARE(table->order(), TableOrder());
        QCOMPARE(columns.count(), 2);
    }

    void showsOnlyThePreviewThatIsSelected()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        panel.show();
        panel.setArtifacts(six());
        panel.setPreview(tablePreview()); // of the second one
        QVERIFY(!panel.findChild<TableView*>()->isVisible());
        panel.setPreview(imagePreview());
        QVERIFY(panel.findChild<ImageView*>()->isVisible());
        ArtifactPreview broken = imagePreview();
        broken.image = QByteArray("<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        panel.setPreview(broken);
        QVERIFY(!panel.findChild<ImageView*>()->isVisible());
    }

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

    void filters_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("rows");
        QTest::newRow("nothing") << "" << 6;
        QTest::newRow("part of a name") << "MASS" << 1;
        QTest::newRow("node") << "node:analyze" << 3;
        QTest::newRow("type") << "type:table" << 2;
        QTest::newRow("ending") << "type:md" << 1;
        QTest::newRow("step and type") << "step:11 type:csv" << 1;
        QTest::newRow("none") << "node:nobody" << 0;
    }
    void filters()
    {
        QFETCH(QString, filter);
        const ArtifactFilter made = ArtifactFilter::parse(filter);
        const std::vector<ArtifactRow> rows = six();
        QTEST(int(std::count_if(rows.begin(), rows.end(),
                                [&](const ArtifactRow& row) { return made.matches(row); })),
              "rows");
    }

    void showsWhatWasThereAtTheMoment()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        panel.show();
        std::vector<ArtifactRow> rows = six();
        for (ArtifactRow& row : rows)
            row.checkpoint = QStringLiteral("c%1").arg(row.step);
        panel.setArtifacts(rows);
        auto* list = panel.findChild<ArtifactList*>();
        QCOMPARE(list->model()->rowCount(), 6);
        panel.setMoment(ArtifactsPanel::Moment{ { QStringLiteral("c11") }, 12 });
        QCOMPARE(list->model()->rowCount(), 3);
        panel.setMoment(std::nullopt);
        QCOMPARE(list->model()->rowCount(), 6);
    }

    void drawsCardsAndAsksForTheirPictures()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        QSignalSpy wanted(&panel, &ArtifactsPanel::thumbnailsWanted);
        panel.setArtifacts(six());
        auto* list = panel.findChild<ArtifactList*>();
        list->setCards(true);
        QTRY_VERIFY(wanted.count() > 0);
        QVERIFY(!wanted.last().front().value<std::vector<ArtifactRow>>().empty());
        QImage picture;
        QVERIFY(picture.loadFromData(figure()));
        panel.setThumbnail({ six()[0].id, picture, {}, {} });
        panel.setThumbnail(
            { six()[1].id, {}, {}, { { QStringLiteral("species") }, { QStringLiteral("Adelie") } } });
        panel.setThumbnail(
            { six()[2].id, {}, { QStringLiteral("# Body mass"), QStringLiteral("text") }, {} });
        panel.setThumbnail({ six()[3].id, {}, {}, {} });
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(panel, QStringLiteral("artifacts-grid"))) > 20);
        list->setCards(false);
    }

    void showsChangesAndMarkdownWithoutLoadingAnything()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 420);
        panel.show();
        panel.setArtifacts({ six()[2] });
        ArtifactPreview preview;
        preview.artifact = six()[2].id;
        preview.kind = ArtifactPreview::Kind::Markdown;
        preview.text = QStringLiteral("# Title\n\n![x](file:///etc/hostname) <script>alert(1)</script>\n");
        panel.setPreview(preview);
        auto* markdown = panel.findChild<MarkdownView*>();
        QVERIFY(markdown->isVisible());
        QVERIFY(markdown->toPlainText().startsWith(QStringLiteral("Title")));
        QVERIFY(
            !markdown
                 ->loadResource(QTextDocument::ImageResource, QUrl(QStringLiteral("file:///etc/hostname")))
                 .isValid());
        preview.kind = ArtifactPreview::Kind::Changes;
        preview.text = QStringLiteral(" same\n-old\n+new");
        panel.setPreview(preview);
        QVERIFY(panel.findChild<ChangesView*>()->isVisible());
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(panel, QStringLiteral("artifacts-changes"))) > 8);
    }

    void tellsWhatWentWrong()
    {
        ArtifactsPanel panel;
        panel.resize(1000, 320);
        panel.show();
        panel.setArtifacts(six());
        panel.setExported({},
                          { QStringLiteral("Cannot write to /x: read-only. Choose another folder."), {} });
        auto* banner = panel.findChild<Banner*>();
        QVERIFY(banner->isVisible());
        QVERIFY(banner->accessibleName().contains(QStringLiteral("read-only")));
        panel.setExported({ QStringLiteral("/tmp/a.png") }, {});
        QVERIFY(!banner->isVisible());
    }

    void zoomsImages()
    {
        ImageView view;
        view.resize(200, 200);
        view.show();
        QVERIFY(view.setImage(figure()));
        QVERIFY(view.zoom() < 0.5); // fitted
        QTest::keyClick(&view, Qt::Key_1);
        QCOMPARE(view.zoom(), 1.0);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(view.zoom() < 0.5);
        view.setZoom(1000);
        QVERIFY(view.zoom() <= 8);
        QVERIFY(!view.setImage(QByteArray("no image")));
    }
};

SG_WINDOW_TEST(TestArtifactsPanel)
#include "tst_artifacts_panel.moc"
