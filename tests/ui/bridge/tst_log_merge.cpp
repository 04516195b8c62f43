// Output in pieces as lines, and a log that was read while lines came live: each of them once.

#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"
#include "ui/bridge/log/log_merge.h"
#include "ui/bridge/log/output_lines.h"

using namespace sg::ui;

namespace {

LogRow output(const char* task, double timeMs, const char* text = "")
{
    LogRow row;
    row.timeMs = timeMs;
    row.task = QLatin1String(task);
    row.node = QStringLiteral("n");
    row.text = QLatin1String(text);
    return row;
}

LogRow note(LogRow::Source source, double timeMs, const char* text)
{
    LogRow row = output("", timeMs, text);
    row.source = source;
    row.stream = LogRow::Stream::Event;
    return row;
}

QString textsOf(const std::vector<LogRow>& rows)
{
    QStringList texts;
    for (const LogRow& row : rows)
        texts << row.text;
    return texts.join(QLatin1Char('|'));
}

bool nothingGoesOn(const LogRow&)
{
    return false;
}

} // namespace

class TestLogMerge : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void putsPiecesTogether()
    {
        OutputLines lines;
        std::vector<LogRow> rows;
        lines.add(output("a", 1), "one\ntw", rows);
        lines.add(output("b", 2), "other", rows);
        LogRow event = output("a", 3);
        event.stream = LogRow::Stream::Event;
        lines.add(event, "said", rows); // a line of its own, whatever else is open
        QVERIFY(lines.isOpen(output("a", 0)));
        lines.add(output("a", 4), "o\n\nthree\n", rows);
        QVERIFY(!lines.isOpen(output("a", 0)));
        QCOMPARE(textsOf(rows), QStringLiteral("one|said|two||three"));
        QCOMPARE(rows[2].timeMs, 4.0);
        rows.clear();
        lines.end(QStringLiteral("a"), rows);
        QVERIFY(rows.empty());
        lines.add(output("b", 5), " end", rows);
        lines.end(QStringLiteral("b"), rows);
        QCOMPARE(textsOf(rows), QStringLiteral("other end"));
        QVERIFY(lines.takeOpen().empty());
    }

    void cutsWhatHasNoLineFeed()
    {
        OutputLines lines;
        std::vector<LogRow> rows;
        lines.add(output("a", 1), std::string(40'000, 'x'), rows);
        QCOMPARE(rows.size(), std::size_t(2));
        const std::vector<LogRow> open = lines.takeOpen();
        QCOMPARE(open.size(), std::size_t(1));
        QCOMPARE(rows[0].text.size() + rows[1].text.size() + open[0].text.size(), qsizetype(40'000));
    }

    void tellsEachLineOnce()
    {
        ThreadLog read;
        read.rows = { output("a", 1, "old"), output("a", 1000, "same"), output("a", 1000, "same"),
                      note(LogRow::Source::Engine, 1200, "run r began"),
                      note(LogRow::Source::Runner, 1300, "restarted: it was idle") };
        const std::vector<LogRow> live{ output("a", 1000, "same"),
                                        output("a", 1000, "same"),
                                        output("a", 1000, "same"), // printed a third time, later
                                        note(LogRow::Source::Engine, 1201, "run r began"),
                                        note(LogRow::Source::Runner, 1305, "it was idle"),
                                        output("b", 1000, "same"),
                                        output("a", 1400, "new") };
        QCOMPARE(textsOf(mergedLog(read, live, nothingGoesOn)),
                 QStringLiteral("old|same|same|run r began|restarted: it was idle|same|same|new"));
        QCOMPARE(textsOf(mergedLog(read, {}, nothingGoesOn)),
                 QStringLiteral("old|same|same|run r began|restarted: it was idle"));
    }

    void leavesBegunLinesToThoseThatEndThem()
    {
        ThreadLog read;
        read.rows = { output("a", 10, "first"), output("a", 20, "second") };
        read.open = { output("a", 15, "beg") };
        QCOMPARE(textsOf(mergedLog(read, {}, nothingGoesOn)), QStringLiteral("first|beg|second"));
        QCOMPARE(textsOf(mergedLog(read, {}, [](const LogRow& row) { return row.text == u"beg"; })),
                 QStringLiteral("first|second"));
        QCOMPARE(textsOf(mergedLog(read, { output("a", 30, "begun") }, nothingGoesOn)),
                 QStringLiteral("first|second|begun"));
        QCOMPARE(textsOf(mergedLog(read, { output("b", 30, "other") }, nothingGoesOn)),
                 QStringLiteral("first|beg|second|other"));
    }
};

SG_CORE_TEST(TestLogMerge)
#include "tst_log_merge.moc"
