// A filter lets some rows through, and all keep their places.

#include "tests/support/cpu_time.h"
#include "tests/support/test_main.h"
#include "ui/logs/log_rows.h"

#include <QTest>

using namespace sg::ui;

namespace {

LogRow row(int step, const QString& node, LogRow::Stream stream, const QString& text)
{
    return { 1'795'271'000'000.0 + step * 1000, step, node, stream, text };
}

std::vector<LogRow> sample()
{
    using Stream = LogRow::Stream;
    return {
        row(1, QStringLiteral("load"), Stream::Out, QStringLiteral("read 344 rows")),
        row(1, QStringLiteral("load"), Stream::Err, QStringLiteral("warning: 11 rows lack sex")),
        row(2, QStringLiteral("analyze"), Stream::Out, QStringLiteral("mean 4201.75")),
        row(2, QStringLiteral("analyze"), Stream::Event, QStringLiteral("interrupt: go on?")),
        row(12, QStringLiteral("reload"), Stream::Out, QStringLiteral("Load finished")),
    };
}

QString shown(const LogRows& rows)
{
    QStringList places;
    for (std::size_t i = 0; i < rows.shown(); ++i)
        places << QString::number(rows.numberAt(i));
    return places.join(QLatin1Char(' '));
}

} // namespace

class TestLogRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void filters_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("places");
        QTest::newRow("nothing") << ""
                                 << "0 1 2 3 4";
        QTest::newRow("text, any case") << "ROWS"
                                        << "0 1";
        QTest::newRow("text or node") << "load"
                                      << "0 1 4";
        QTest::newRow("whole node") << "node:load"
                                    << "0 1";
        QTest::newRow("two nodes") << "node:load node:analyze"
                                   << "0 1 2 3";
        QTest::newRow("stream") << "stream:err"
                                << "1";
        QTest::newRow("step") << "step:2"
                              << "2 3";
        QTest::newRow("all words") << "node:load stream:out read"
                                   << "0";
        QTest::newRow("quoted") << "\"lack sex\""
                                << "1";
        QTest::newRow("unknown field is text") << "interrupt:"
                                               << "3";
        QTest::newRow("still being typed") << "node:"
                                           << "0 1 2 3 4";
        QTest::newRow("expression") << "/[0-9]{3} rows|mean/"
                                    << "0 2";
        QTest::newRow("expression with a blank and a word") << "/r.w lack|rows lack/ stream:err"
                                                            << "1";
        QTest::newRow("no expression") << "/(/"
                                       << "";
        QTest::newRow("source") << "source:node load"
                                << "0 1 4";
        QTest::newRow("no such line") << "status:failed"
                                      << "";
    }
    void filters()
    {
        QFETCH(QString, filter);
        QFETCH(QString, places);
        LogRows rows;
        rows.append(sample());
        rows.setFilter(LogFilter::parse(filter));
        QVERIFY(rows.scan(std::chrono::hours(1)));
        QCOMPARE(shown(rows), places);
        LogRows later; // the same, row by row
        later.setFilter(LogFilter::parse(filter));
        for (const LogRow& one : sample())
            later.append({ one });
        QCOMPARE(shown(later), places);
    }

    void foldsWhatATaskPrinted()
    {
        std::vector<LogRow> lines = sample();
        for (std::size_t i = 0; i < 3; ++i)
            lines[i].task = QStringLiteral("a");
        lines[3].task = QStringLiteral("b");
        LogRows rows;
        rows.append(lines);
        QCOMPARE(rows.foldAt(0).lines, std::size_t(3));
        QCOMPARE(rows.foldAt(1).lines, std::size_t(0));
        QCOMPARE(rows.foldAt(3).lines, std::size_t(0)); // one line: nothing to fold
        rows.setFolded(0, true);
        QVERIFY(rows.scan(std::chrono::hours(1)));
        QCOMPARE(shown(rows), QStringLiteral("0 3 4"));
        QVERIFY(rows.foldAt(0).isFolded);
        lines[0].text = QStringLiteral("late");
        rows.append({ lines[0] });
        QCOMPARE(shown(rows), QStringLiteral("0 3 4"));
        QCOMPARE(rows.foldAt(0).lines, std::size_t(4));
        rows.setAllFolded(false);
        QVERIFY(rows.isScanned());
        QCOMPARE(rows.shown(), std::size_t(6));
    }

    void findsAroundTheEnd()
    {
        LogRows rows;
        rows.append(sample());
        const LogPattern word(QStringLiteral("ROWS"));
        QCOMPARE(rows.find(word, 4, false).value_or(99), std::size_t(0));
        QCOMPARE(rows.find(word, 0, false).value_or(99), std::size_t(1));
        QCOMPARE(rows.find(word, 0, true).value_or(99), std::size_t(1));
        QVERIFY(!rows.find(LogPattern(QStringLiteral("nowhere")), 0, false));
        QCOMPARE(rows.firstAfter(sample()[2].timeMs), std::size_t(4));
    }

    void findsInSlices()
    {
        LogRows rows;
        std::vector<LogRow> lines(6000, sample()[0]);
        for (LogRow& line : lines)
            line.text = QStringLiteral("line");
        lines[100].text = QStringLiteral("needle");
        rows.append(lines);
        const auto searched = [&rows](const QString& word, std::size_t start, bool backwards) {
            LogRows::Search search = rows.searchFrom(LogPattern(word), start, backwards);
            std::optional<std::size_t> found;
            int slices = 0;
            for (; !search.isDone; ++slices)
                found = rows.find(search, std::chrono::milliseconds(0));
            return std::pair(found.value_or(99'999), slices > 1);
        };
        QCOMPARE(searched(QStringLiteral("needle"), 200, false), std::pair(std::size_t(100), true));
        QCOMPARE(searched(QStringLiteral("needle"), 50, true), std::pair(std::size_t(100), true));
        QCOMPARE(searched(QStringLiteral("/need.e/"), 90, false), std::pair(std::size_t(100), true));
        QCOMPARE(searched(QStringLiteral("needle"), 100, false), std::pair(std::size_t(100), true));
        QCOMPARE(searched(QStringLiteral("nowhere"), 0, false), std::pair(std::size_t(99'999), true));
        QCOMPARE(searched(QStringLiteral("nowhere"), 0, true), std::pair(std::size_t(99'999), true));
        rows.setFilter(LogFilter::parse(QStringLiteral("needle")));
        QVERIFY(rows.scan(std::chrono::hours(1)));
        QCOMPARE(searched(QStringLiteral("ne"), 0, false), std::pair(std::size_t(0), false));
    }

    // An expression that goes back and forth holds nobody up: a line is given up, and the clock is looked at
    // after each.
    void boundsExpressions()
    {
        LogRows rows;
        std::vector<LogRow> lines(400, sample()[0]);
        for (LogRow& line : lines)
            line.text = QString(16'000, QLatin1Char('a')) + QLatin1Char('b');
        rows.append(lines);
        rows.setFilter(LogFilter::parse(QStringLiteral("/(a|aa)+$/")));
        const sg::test::CpuTime time;
        QVERIFY(!rows.scan(std::chrono::milliseconds(20)));
        QVERIFY2(time.ms() < 250, qPrintable(QString::number(time.ms())));
    }

    // The search over bytes against Qt's over letters.
    void findsWhatQtFinds_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        const QString around = QStringLiteral("0123456789abcdeF");
        const QString texts[] = { {},
                                  QStringLiteral("a"),
                                  around,
                                  around + around + QStringLiteral("Value 7 [x]`@{"),
                                  QStringLiteral("\u212A and K, \u017Fee \u00DF"),
                                  QStringLiteral("GR\u00D6\u00DFE 12") };
        const QString words[] = {
            QStringLiteral("A"),         QStringLiteral("f0"),     QStringLiteral("eF"),
            QStringLiteral("value 7"),   QStringLiteral("@"),      QStringLiteral("`"),
            QStringLiteral("["),         QStringLiteral("k"),      QStringLiteral("SEE"),
            QStringLiteral("\u017F"),    QStringLiteral("\u00DF"), QStringLiteral("gr\u00F6"),
            QStringLiteral("7 [x]"),     QStringLiteral("abcdeg"), around + around,
            QStringLiteral("/[a-c]+d/"), QStringLiteral("\u212A")
        };
        for (const QString& text : texts)
            for (const QString& word : words)
                QTest::addRow("'%s' in '%s'", qPrintable(word), qPrintable(text)) << text << word;
    }
    void findsWhatQtFinds()
    {
        QFETCH(QString, text);
        QFETCH(QString, word);
        const LogPattern pattern(word);
        LogTexts texts;
        texts.append(QStringLiteral("before"));
        texts.append(text);
        texts.append(word); // behind it in memory
        QCOMPARE(texts.at(1), text);
        QCOMPARE(texts.has(pattern, 1), pattern.isIn(text));
    }

    void keepsTextsInManyBlocks()
    {
        LogTexts texts;
        for (int i = 0; i < 20'000; ++i)
            texts.append(QString::number(i) + (i % 5 == 0 ? QStringLiteral(" \u00E9t\u00E9") : QString()));
        for (int i = 0; i < 10'001; ++i)
            texts.dropFirst();
        QCOMPARE(texts.at(0), QStringLiteral("10001"));
        QCOMPARE(texts.at(4), QString(QStringLiteral("10005 \u00E9t\u00E9")));
        QCOMPARE(texts.at(9'998), QStringLiteral("19999"));
        QVERIFY(texts.has(LogPattern(QStringLiteral("\u00C9T")), 4));
    }

    void hidesStreams()
    {
        LogRows rows;
        rows.append(sample());
        LogFilter filter;
        filter.setShown(LogRow::Stream::Out, false);
        rows.setFilter(filter);
        rows.scan(std::chrono::hours(1));
        QCOMPARE(shown(rows), QStringLiteral("1 3"));
    }

    void dropsTheOldest()
    {
        LogRows rows(3);
        rows.append(sample());
        QCOMPARE(shown(rows), QStringLiteral("2 3 4"));
        rows.setFilter(LogFilter::parse(QStringLiteral("node:analyze")));
        rows.scan(std::chrono::hours(1));
        QCOMPARE(shown(rows), QStringLiteral("2 3"));
        rows.append({ sample().front() });
        QCOMPARE(shown(rows), QStringLiteral("3"));
        QCOMPARE(rows.placeOf(2), std::size_t(0)); // gone: the next one
        QCOMPARE(rows.placeOf(3), std::size_t(0));
        QCOMPARE(rows.placeOf(4), std::size_t(1));
        QCOMPARE(rows.dropped(), std::size_t(3));
    }
};

SG_CORE_TEST(TestLogRows)
#include "tst_log_rows.moc"
