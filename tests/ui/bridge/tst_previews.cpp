// The pure parts of the bridge: pages of CSV, drawings that may be hostile, differences, ANSI attributes.

#include "tests/support/window_test.h"
#include "ui/bridge/log/ansi_text.h"
#include "ui/bridge/previews/csv_table.h"
#include "ui/bridge/previews/line_changes.h"
#include "ui/bridge/previews/picture_changes.h"
#include "ui/bridge/previews/safe_svg.h"

#include <QTest>

#include <string>

using namespace sg::ui;

namespace {

QByteArray svg(const char* inside)
{
    return QByteArray("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
                      "width='40' "
                      "height='20'>")
        + inside + "</svg>";
}

QString spansText(const AnsiText::Line& line)
{
    QStringList spans;
    for (const TextSpan& span : line.spans)
        spans << QStringLiteral("%1+%2:%3%4")
                     .arg(span.start)
                     .arg(span.length)
                     .arg(span.ink)
                     .arg(span.isBold ? QStringLiteral("b") : QString());
    return line.text + QLatin1Char('|') + spans.join(QLatin1Char(' '));
}

} // namespace

class TestPreviews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void filtersRowsOfCsv()
    {
        std::string content = "mass,name\n";
        for (int i = 0; i < 1200; ++i)
            content +=
                (i % 10 == 0 ? "" : std::to_string(i * 0.5)) + (i % 3 == 0 ? ",\"Gentoo\"\n" : ",Adelie\n");
        CsvTable table;
        const auto read = [&](int column, TableFilter::Test test, const char* value, int by = -1) {
            ArtifactPreview page;
            table.readSorted(content, 0, { by, true, { column, test, QString::fromLatin1(value) } }, page);
            return page;
        };
        using Test = TableFilter::Test;
        const ArtifactPreview heavy = read(0, Test::Greater, "590");
        QCOMPARE(heavy.totalRows, 18);
        QCOMPARE(heavy.rows.front().front(), QStringLiteral("590.500000"));
        QCOMPARE(read(1, Test::Contains, "AD").totalRows, 800);
        QCOMPARE(read(1, Test::Equals, "Gentoo").totalRows, 400);
        QCOMPARE(read(0, Test::Equals, "3.5").totalRows, 1);
        QCOMPARE(read(0, Test::Less, "1").totalRows, 1); // what is empty is not less
        const ArtifactPreview ordered = read(1, Test::Equals, "Gentoo", 0);
        QCOMPARE(ordered.totalRows, 400);
        QCOMPARE(ordered.rows.front().front(), QStringLiteral("598.500000"));
        const ArtifactPreview none = read(1, Test::Equals, "Emperor");
        QCOMPARE(none.totalRows, 0);
        QVERIFY(none.kind == ArtifactPreview::Kind::Table && none.rows.empty() && !none.hasMore);
        ArtifactPreview all;
        table.readSorted(content, 600, { 0, true }, all);
        QCOMPARE(all.totalRows, 1200);
        QCOMPARE(all.firstRow, kPageRows);
    }

    void readsPagesOfCsv()
    {
        std::string content = "\xef\xbb\xbfn;name;\"a \"\"b\"\"\"\r\n";
        for (int i = 0; i < 1234; ++i)
            content += std::to_string(i) + ";\"line\n" + std::to_string(i) + "\";1.5\n";
        CsvTable table;
        ArtifactPreview first;
        table.readPage(content, 0, first);
        QCOMPARE(first.columns.join(QLatin1Char('|')), QStringLiteral("n|name|a \"b\""));
        QCOMPARE(first.columnTypes.join(QLatin1Char('|')), QStringLiteral("int64|string|double"));
        QCOMPARE(qint64(first.rows.size()), kPageRows);
        QVERIFY(first.hasMore);
        QCOMPARE(first.totalRows, -1);
        ArtifactPreview last;
        table.readPage(content, 1'000'000, last);
        QCOMPARE(last.firstRow, 2 * kPageRows);
        QCOMPARE(last.totalRows, 1234);
        QCOMPARE(last.rows.back().front(), QStringLiteral("1233"));
        ArtifactPreview second;
        table.readPage(content, kPageRows + 1, second);
        QCOMPARE(second.rows.front().front(), QString::number(kPageRows));
        QCOMPARE(second.totalRows, 1234);
    }

    void endsAQuoteThatIsNeverClosed()
    {
        CsvTable table;
        ArtifactPreview page;
        table.readPage("a,b\n\"x,1\n2,3", 0, page);
        QCOMPARE(page.rows.size(), std::size_t(1));
        CsvTable empty;
        ArtifactPreview none;
        empty.readPage("a,b", 0, none);
        QCOMPARE(none.totalRows, 0);
    }

    void sortsCsv_data()
    {
        QTest::addColumn<int>("column");
        QTest::addColumn<bool>("isDescending");
        QTest::addColumn<QString>("ids");
        QTest::newRow("file") << -1 << false << "1 2 3 4 5 6";
        QTest::newRow("numbers, not as texts") << 1 << false << "2 6 4 1 3 5";
        QTest::newRow("numbers, largest first") << 1 << true << "1 4 2 6 3 5";
        QTest::newRow("texts that begin alike") << 2 << false << "3 1 6 4 2 5";
        QTest::newRow("texts, last first") << 2 << true << "2 4 1 6 3 5";
        QTest::newRow("no such column") << 7 << false << "1 2 3 4 5 6";
    }
    void sortsCsv()
    {
        QFETCH(int, column);
        QFETCH(bool, isDescending);
        const std::string content = "id,mass,name\n1,10,penguin one\n2,-9,\"penguin, two\"\n3,,penguin a\n"
                                    "4,9.5,\"penguin two\"\n5\n6,-9,penguin one\n";
        CsvTable table;
        ArtifactPreview page;
        table.readSorted(content, 0, { column, isDescending }, page);
        QStringList ids;
        for (const QStringList& row : page.rows)
            ids << row.front();
        QTEST(ids.join(QLatin1Char(' ')), "ids");
        QVERIFY(!page.hasMore);
    }

    void sortsPagesOfCsv()
    {
        std::string content = "n\n";
        for (int i = 0; i < 1300; ++i)
            content += std::to_string(i * 7919 % 1300) + '\n';
        CsvTable table;
        ArtifactPreview page;
        table.readSorted(content, kPageRows + 3, { 0, true }, page);
        QCOMPARE(page.firstRow, kPageRows);
        QCOMPARE(page.totalRows, 1300);
        QCOMPARE(page.rows.front().front(), QString::number(1299 - kPageRows));
        QVERIFY(page.hasMore);
    }

    void countsWhatColumnsHold()
    {
        const std::string content = "mass,kind\n1,a\n12,b\n,a\n13,\"a\"\n";
        CsvTable table;
        const ColumnFacts mass = table.facts(content, 0);
        QCOMPARE(mass.least + QLatin1Char(' ') + mass.most, QStringLiteral("1 13"));
        QCOMPARE(mass.empty, 1);
        QCOMPARE(mass.bars, (std::vector<double>{ 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 }));
        const ColumnFacts kind = table.facts(content, 1);
        QCOMPARE(kind.values.join(QLatin1Char(' ')), QStringLiteral("a b"));
        QCOMPARE(kind.bars, (std::vector<double>{ 3, 1 }));
        QCOMPARE(kind.distinct, 2);
    }

    void countsNumbersOfAnySize()
    {
        CsvTable large;
        QCOMPARE(large.facts("n\n-1.7e308\n1.7e308\n1e308\n", 0).bars,
                 (std::vector<double>{ 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1 }));
        CsvTable small;
        QCOMPARE(small.facts("n\n0\n5e-324\n", 0).bars,
                 (std::vector<double>{ 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }));
        CsvTable infinite;
        const ColumnFacts facts = infinite.facts("n\ninf\n 1 \nnan\n-inf\n+2\n", 0);
        QCOMPARE(facts.least + QLatin1Char(' ') + facts.most, QStringLiteral("1 +2"));
        QCOMPARE(facts.empty, 1);
        QCOMPARE(facts.bars, (std::vector<double>{ 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 }));
    }

    void sortsNumbersAsTheHeadCallsThem_data()
    {
        QTest::addColumn<bool>("isDescending");
        QTest::addColumn<QString>("cells");
        QTest::newRow("smallest first") << false << "-inf, -7, 9,10,+100,inf,nan,";
        QTest::newRow("largest first") << true << "inf,+100,10, 9, -7,-inf,nan,";
    }
    void sortsNumbersAsTheHeadCallsThem()
    {
        QFETCH(bool, isDescending);
        const std::string content = "n,id\n10,1\n+100,2\nnan,3\ninf,4\n 9,5\n,6\n-inf,7\n -7,8\n";
        CsvTable table;
        ArtifactPreview page;
        table.readSorted(content, 0, { 0, isDescending }, page);
        QCOMPARE(page.columnTypes.front(), QStringLiteral("double"));
        QStringList cells;
        for (const QStringList& row : page.rows)
            cells << row.front();
        QTEST(cells.join(QLatin1Char(',')), "cells");
        CsvTable texts;
        ArtifactPreview other;
        texts.readPage("n\n1\n+-2\n", 0, other);
        QCOMPARE(other.columnTypes.front(), QStringLiteral("string"));
    }

    void showsNoTableWhereTooMuchWouldBeSorted()
    {
        std::string content = "n\n";
        for (int i = 0; i <= 5'000'000; ++i)
            content += "a\n";
        CsvTable table;
        for (const bool isDescending : { false, true }) {
            ArtifactPreview page;
            table.readSorted(content, 0, { 0, isDescending }, page);
            QCOMPARE(page.kind, ArtifactPreview::Kind::None);
            QVERIFY2(page.note.contains(QStringLiteral("5 million")), qPrintable(page.note));
        }
        ArtifactPreview page;
        table.readPage(content, 0, page);
        QCOMPARE(qint64(page.rows.size()), kPageRows);
    }

    void drawsWhatIsHarmless()
    {
        const DrawnSvg drawn = drawSvg(
            svg("<defs><rect id='r' width='10' height='20' fill='#ff0000'/></defs><use xlink:href='#r'/>"),
            { 40, 20 });
        QVERIFY2(!drawn.image.isNull(), qPrintable(drawn.problem));
        QCOMPARE(QColor(drawn.image.pixel(3, 3)), QColor(Qt::red));
        QCOMPARE(QColor(drawn.image.pixel(30, 3)), QColor(Qt::white));
    }

    void takesOutWhatReachesOutside_data()
    {
        QTest::addColumn<QByteArray>("inside");
        QTest::addColumn<QByteArray>("gone");
        QTest::newRow("script") << QByteArray("<script>alert(1)</script>") << QByteArray("alert");
        QTest::newRow("file") << QByteArray("<image xlink:href='file:///etc/passwd' width='9' height='9'/>")
                              << QByteArray("passwd");
        QTest::newRow("address") << QByteArray("<rect fill='url(http://x.example/a)'/>")
                                 << QByteArray("example");
        QTest::newRow("style") << QByteArray("<style>@import 'http://x.example';</style>")
                               << QByteArray("example");
        QTest::newRow("handler") << QByteArray("<rect onload='go()'/>") << QByteArray("go()");
        QTest::newRow("foreign") << QByteArray("<foreignObject><p>html</p></foreignObject>")
                                 << QByteArray("html");
        QTest::newRow("style cut by a comment")
            << QByteArray("<style>@im<!-- -->port 'http://x.example';</style>") << QByteArray("example");
        QTest::newRow("style behind an element")
            << QByteArray("<style><g/>@import 'http://x.example';</style>") << QByteArray("example");
        QTest::newRow("use of a file")
            << QByteArray("<use xlink:href='other.svg#a'/>") << QByteArray("other");
    }
    void takesOutWhatReachesOutside()
    {
        QFETCH(QByteArray, inside);
        QFETCH(QByteArray, gone);
        QString problem;
        const QByteArray safe = safeSvg(svg(inside.constData()), problem);
        QVERIFY2(!safe.isEmpty(), qPrintable(problem));
        QVERIFY2(!safe.contains(gone), safe.constData());
    }

    void refusesWhatTakesTooLong()
    {
        QByteArray bomb("<defs><g id='a0'><rect width='1' height='1'/></g>");
        for (int i = 1; i < 12; ++i) {
            bomb += "<g id='a" + QByteArray::number(i) + "'>";
            for (int j = 0; j < 10; ++j)
                bomb += "<use xlink:href='#a" + QByteArray::number(i - 1) + "'/>";
            bomb += "</g>";
        }
        bomb += "</defs><use xlink:href='#a11'/>";
        QVERIFY(drawSvg(svg(bomb.constData()), { 40, 20 }).image.isNull());
        QVERIFY(drawSvg(svg("<g id='a'><use xlink:href='#a'/></g>"), { 40, 20 }).image.isNull());
        // The second of two of a name would be drawn where the first was counted.
        QByteArray twice("<g id='a'><rect width='1' height='1'/></g>");
        for (int i = 0; i < 60; ++i) {
            const QByteArray made(i % 2 == 0 ? "b" : "a");
            const QByteArray used(i % 2 == 0 ? "a" : "b");
            const QByteArray use = "<use xlink:href='#" + used + "'/>";
            twice += "<g id='" + made + "'>" + use + use + "</g>";
        }
        QString problem;
        QCOMPARE(safeSvg(svg(twice.constData()), problem).count("id=\"a\""), 1);
        QByteArray heavy("<defs><path id='p' d='M0 0");
        for (int i = 0; i < 100'000; ++i)
            heavy += "L1 1";
        heavy += "'/></defs>";
        for (int i = 0; i < 100; ++i)
            heavy += "<use xlink:href='#p'/>";
        QVERIFY(safeSvg(svg(heavy.constData()), problem).isEmpty());
        QByteArray deep;
        for (int i = 0; i < 5000; ++i)
            deep += "<g>";
        QVERIFY(drawSvg(svg(deep.constData()), { 40, 20 }).image.isNull());
        QVERIFY(drawSvg("<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg>&a;</svg>", { 40, 20 }).image.isNull());
        QVERIFY(drawSvg("<html/>", { 40, 20 }).image.isNull());
        QVERIFY(drawSvg("\x89PNG", { 40, 20 }).image.isNull());
    }

    void tellsChangesLineByLine_data()
    {
        QTest::addColumn<QString>("older");
        QTest::addColumn<QString>("newer");
        QTest::addColumn<QString>("changes");
        QTest::newRow("same") << "a b"
                              << "a b"
                              << "";
        QTest::newRow("changed") << "a b c"
                                 << "a x c"
                                 << " a,-b,+x, c";
        QTest::newRow("added at the end") << "a"
                                          << "a b"
                                          << " a,+b";
        QTest::newRow("all new") << ""
                                 << "a"
                                 << "-,+a";
        QTest::newRow("far apart") << "1 2 3 4 5 6 7 8 9 10 11 12"
                                   << "x 2 3 4 5 6 7 8 9 10 11 y"
                                   << "-1,+x, 2, 3, 4,@, 9, 10, 11,-12,+y";
        QTest::newRow("moved") << "a b c d"
                               << "b c d a"
                               << "-a, b, c, d,+a";
        QTest::newRow("begins later") << "1 2 3 4 5 a"
                                      << "1 2 3 4 5 b"
                                      << "@, 3, 4, 5,-a,+b";
    }
    void tellsChangesLineByLine()
    {
        QFETCH(QString, older);
        QFETCH(QString, newer);
        const QLatin1Char blank(' ');
        QTEST(lineChanges(older.split(blank), newer.split(blank)).lines.join(QLatin1Char(',')), "changes");
    }

    void givesUpOnWhatIsTooDifferent()
    {
        QStringList a;
        QStringList b;
        for (int i = 0; i < 3000; ++i) {
            a << QString::number(i);
            b << QString::number(-i - 1);
        }
        const LineChanges changes = lineChanges(a, b);
        QVERIFY(changes.isCut);
        QCOMPARE(changes.added, 3000);
        QCOMPARE(changes.removed, 3000);
    }

    void comparesPicturesPixelByPixel()
    {
        QImage older(100, 50, QImage::Format_RGB32);
        older.fill(Qt::white);
        QImage newer = older;
        const ComparedPictures same = comparePictures(older, newer);
        QCOMPARE(same.words, QStringLiteral("every pixel is the same"));
        for (int i = 0; i < 10; ++i)
            newer.setPixelColor(40 + i, 20, Qt::black);
        const ComparedPictures changed = comparePictures(older, newer);
        QCOMPARE(changed.words, QStringLiteral("0.2 % of the pixels differ"));
        QCOMPARE(changed.both.height(), 50);
        QVERIFY(changed.both.width() > 200);
        QCOMPARE(changed.both.pixelColor(45, 20), QColor(Qt::white)); // the older one is left
        QCOMPARE(changed.both.pixelColor(changed.both.width() - 100 + 45, 20), QColor(Qt::black));
        QVERIFY(changed.both.pixelColor(37, 17) != QColor(Qt::white)); // a frame around it
        QCOMPARE(comparePictures(older, QImage(10, 10, QImage::Format_RGB32)).words,
                 QStringLiteral("100 × 50 before, 10 × 10 now"));
        QVERIFY(comparePictures(older, {}).both.isNull());
    }

    void readsAnsiAsAttributes_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("spans");
        QTest::newRow("plain") << QByteArray("plain") << "plain|";
        QTest::newRow("red") << QByteArray("a \x1b[31mred\x1b[0m b") << "a red b|2+3:2";
        QTest::newRow("bold green") << QByteArray("\x1b[1;32mok\x1b[m.") << "ok.|0+2:3b";
        QTest::newRow("256 and true colour")
            << QByteArray("\x1b[38;5;196mx\x1b[48;2;1;2;3my\x1b[39mz") << "xyz|0+1:2 1+1:2";
        QTest::newRow("moves and erases") << QByteArray("a\x1b[2K\x1b[1;1Hb") << "ab|";
        QTest::newRow("title and link") << QByteArray("\x1b]0;title\aa\x1b]8;;http://x\x1b\\b") << "ab|";
        QTest::newRow("progress") << QByteArray("10%\r50%\r100%\r") << "100%|";
        QTest::newRow("cut off") << QByteArray("a\x1b[31") << "a\\x1b[31|";
        QTest::newRow("other controls stay visible") << QByteArray("a\bb") << "a\\x08b|";
    }
    void readsAnsiAsAttributes()
    {
        QFETCH(QByteArray, line);
        AnsiText text;
        QTEST(spansText(text.take({ line.constData(), std::size_t(line.size()) })), "spans");
    }

    void keepsAttributesOverTheEndsOfLines()
    {
        AnsiText text;
        QCOMPARE(spansText(text.take("\x1b[33mone")), QStringLiteral("one|0+3:4"));
        QCOMPARE(spansText(text.take("two\x1b[0m!")), QStringLiteral("two!|0+3:4"));
        QCOMPARE(spansText(text.take("three")), QStringLiteral("three|"));
    }
};

SG_WINDOW_TEST(TestPreviews)
#include "tst_previews.moc"
