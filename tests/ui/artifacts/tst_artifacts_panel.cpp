// Artifacts: pictures in both themes, the model, previews and what is asked for.

#include "tests/support/qtry.h"
#include "tests/support/window_style.h"
#include "tests/ui/artifacts/sample_artifacts.h"
#include "ui/artifacts/artifact_filter.h"
#include "ui/artifacts/artifact_list.h"
#include "ui/artifacts/artifact_model.h"
#include "ui/artifacts/artifact_preview_view.h"
#include "ui/artifacts/artifacts_panel.h"
#include "ui/artifacts/drag_picture.h"
#include "ui/artifacts/image_view.h"
#include "ui/artifacts/table_view.h"
#include "ui/artifacts/text_views.h"
#include "ui/widgets/banner.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSplitter>

#include <algorithm>

using namespace sg::ui;
using namespace sg::test;

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

    // A page from a sandbox is hostile: nothing of it runs, nothing is loaded, pictures stand in it alone.
    void pagesAreShownAndDoNothing()
    {
        HtmlView view;
        const QString pixel = QStringLiteral("data:image/png;base64,"
                                             "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
                                             "M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
        view.showHtml(QStringLiteral("<h1>Report</h1><script>document.title='x'</script>"
                                     "<img src='file:///etc/hostname'><img src='http://127.0.0.1:1/x.png'>"
                                     "<table><tr><td>12</td></tr></table><img src='%1'>")
                          .arg(pixel));
        const QString said = view.toPlainText();
        QVERIFY2(said.contains(QStringLiteral("Report")) && said.contains(QStringLiteral("12")),
                 qPrintable(said));
        QVERIFY2(!said.contains(QStringLiteral("document.title")), qPrintable(said));
        const auto loaded = [&view](const QString& address) {
            return view.loadResource(QTextDocument::ImageResource, QUrl(address));
        };
        QVERIFY(!loaded(QStringLiteral("file:///etc/hostname")).isValid());
        QVERIFY(!loaded(QStringLiteral("http://127.0.0.1:1/x.png")).isValid());
        QVERIFY(!loaded(QStringLiteral("/etc/hostname")).isValid());
        QVERIFY(!loaded(QStringLiteral("data:image/svg+xml,<svg/>")).isValid());
        const QByteArray drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>";
        QVERIFY(!loaded(QStringLiteral("data:image/png;base64,") + QString::fromLatin1(drawing.toBase64()))
                     .isValid());
        QVERIFY(!view.loadResource(QTextDocument::StyleSheetResource, QUrl(pixel)).isValid());
        QCOMPARE(loaded(pixel).value<QImage>().size(), QSize(1, 1));
        QVERIFY(!view.openLinks());
    }

    // Twenty tables within one another took half a minute to be laid out, and each further one doubled it.
    void pagesThatTakeTooLongAreNotShown_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("isShown");
        const auto nested = [](const char* begin, int times) {
            return QString::fromLatin1(begin).repeated(times) + QStringLiteral("12");
        };
        QTest::newRow("tables") << nested("<table><tr><td>", 200) << false;
        QTest::newRow("hidden ends") << nested("<table><tr><td><!-- </table> --><p a='</table>'>", 400)
                                     << false;
        QTest::newRow("blocks") << nested("<div>", 100'000) << false;
        QTest::newRow("many") << nested("<b>x</b>", 40'000) << false;
        QTest::newRow("a few tables") << nested("<table><tr><td>", 3) << true;
        QTest::newRow("a long table")
            << QStringLiteral("<table>") + nested("<tr><td>1<td>2", 500) + QStringLiteral("</table>") << true;
        QTest::newRow("paragraphs without ends") << nested("<p>a", 3000) << true;
    }
    void pagesThatTakeTooLongAreNotShown()
    {
        QFETCH(const QString, page);
        QFETCH(const bool, isShown);
        HtmlView view;
        view.resize(600, 400);
        view.show();
        QCOMPARE(view.showHtml(page), isShown);
        QCOMPARE(view.toPlainText().contains(QStringLiteral("12")), isShown);
        QVERIFY(!view.grab().isNull());
    }

    void markdownThatTakesTooLongIsPlain()
    {
        MarkdownView view;
        view.showMarkdown(QStringLiteral("**bold**\n\n* item\n").repeated(1500));
        QVERIFY(!view.toPlainText().contains(QStringLiteral("**")));
        view.showMarkdown(QStringLiteral("**a").repeated(200'000));
        QVERIFY(view.toPlainText().startsWith(QStringLiteral("**a**a")));
    }

    void jsonIsATree()
    {
        JsonTree tree;
        QVERIFY(!tree.showJson(QStringLiteral("{\"cut")));
        QVERIFY(tree.showJson(QStringLiteral("{\"rows\":[1,{\"mass\":4}],\"ok\":true}")));
        const QAbstractItemModelTester tester(tree.model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QModelIndex rows = tree.model()->index(0, 0);
        QCOMPARE(rows.data().toString(), QStringLiteral("rows"));
        QCOMPARE(rows.siblingAtColumn(1).data().toString(), QStringLiteral("list, 2 items"));
        tree.model()->fetchMore(rows);
        QCOMPARE(tree.model()->index(1, 0, rows).data().toString(), QStringLiteral("[1]"));
        QCOMPARE(tree.model()->index(1, 1).data().toString(), QStringLiteral("true"));
        QString many = QStringLiteral("[0");
        for (int i = 1; i < 1200; ++i)
            many += QStringLiteral(",%1").arg(i);
        QVERIFY(tree.showJson(many + QLatin1Char(']')));
        while (tree.model()->canFetchMore({}))
            tree.model()->fetchMore({});
        QCOMPARE(tree.model()->rowCount(), 1200);
    }

    void textThatIsKnownIsRendered_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("page") << "report.html"
                              << "<h1>Report</h1>"
                              << "artifactHtml";
        QTest::newRow("JSON") << "summary.json"
                              << "{\"a\":1}"
                              << "artifactJson";
        QTest::newRow("damaged JSON") << "summary.json"
                                      << "{\"a"
                                      << "artifactText";
        QTest::newRow("text") << "notes.txt"
                              << "hello"
                              << "artifactText";
    }
    void textThatIsKnownIsRendered()
    {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, shown);
        ArtifactPreviewView view;
        view.resize(700, 400);
        view.show();
        ArtifactRow row = six().front();
        row.name = name;
        row.mime.clear();
        row.path = QStringLiteral("figures/") + name;
        view.showArtifact(row, { row });
        ArtifactPreview preview;
        preview.kind = ArtifactPreview::Kind::Text;
        preview.artifact = row.id;
        preview.text = text;
        view.showPreview(preview);
        QVERIFY(view.findChild<QWidget*>(shown)->isVisible());
        auto* source = view.findChild<QPushButton*>(QStringLiteral("artifactSource"));
        QCOMPARE(source->isVisible(), shown != QLatin1String("artifactText"));
        if (source->isVisible())
            source->click();
        QVERIFY(view.findChild<QWidget*>(QStringLiteral("artifactText"))->isVisible());
        QCOMPARE(view.findChild<QLabel*>(QStringLiteral("artifactFolder"))->text(),
                 QStringLiteral("/session/artifacts/figures"));
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
        broken.picture = {};
        panel.setPreview(broken);
        QVERIFY(!panel.findChild<ImageView*>()->isVisible());
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
        QTest::newRow("blanks in quotes") << "node:\"clean up\"" << 1;
        QTest::newRow("a word in quotes") << "\"mass_by\" type:image" << 1;
    }
    void filters()
    {
        QFETCH(QString, filter);
        const ArtifactFilter made = ArtifactFilter::parse(filter);
        std::vector<ArtifactRow> rows = six();
        rows[3].node = QStringLiteral("clean up");
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
        const QImage picture = figure();
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

    // At a side of a small window the preview is below the list, and no control is under another one.
    void aNarrowPanelHasThePreviewBelow()
    {
        ArtifactsPanel panel;
        panel.resize(400, 380);
        panel.show();
        panel.setArtifacts(six());
        const auto* split = panel.findChild<QSplitter*>();
        QVERIFY(split != nullptr);
        QTRY_COMPARE(split->orientation(), Qt::Vertical);
        const auto* filter = panel.findChild<QWidget*>(QStringLiteral("artifactsFilter"));
        const auto* all = panel.findChild<QWidget*>(QStringLiteral("artifactsAll"));
        const auto place = [&panel](const QWidget* part) {
            return QRect(part->mapTo(&panel, QPoint()), part->size());
        };
        QTRY_VERIFY(!place(filter).intersects(place(all)));
        panel.resize(1000, 380);
        QTRY_COMPARE(split->orientation(), Qt::Horizontal);
        QVERIFY(!place(filter).intersects(place(all)));
        QVERIFY2(panel.minimumSizeHint().width() < 600,
                 qPrintable(QString::number(panel.minimumSizeHint().width())));
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
        QVERIFY(view.setPicture(figure()));
        QVERIFY(view.zoom() < 0.5); // fitted
        QTest::keyClick(&view, Qt::Key_1);
        QCOMPARE(view.zoom(), 1.0);
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(view.zoom() < 0.5);
        view.setZoom(1000);
        QVERIFY(view.zoom() <= 8);
        QVERIFY(!view.setPicture({}));
        QImage large(1600, 1200, QImage::Format_RGB32);
        large.fill(Qt::red);
        QImage half(800, 600, QImage::Format_RGB32);
        half.fill(Qt::green);
        QVERIFY(view.setPicture(large, { half }));
        QCOMPARE(view.grab().toImage().pixelColor(100, 100), QColor(Qt::green)); // shown small
        view.setZoom(1);
        QCOMPARE(view.grab().toImage().pixelColor(100, 100), QColor(Qt::red));
    }
};

SG_WINDOW_TEST(TestArtifactsPanel)
#include "tst_artifacts_panel.moc"
