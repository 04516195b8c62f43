// The query language: what matches, what is refused and where, what can come next.

#include "core/query/completion.h"
#include "core/query/match.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::query;

namespace {

// "failed task of agent at 120" and others: what the rows below are asked about.
struct Thing {
    const char* name;
    Kind kind;
    std::vector<std::string> nodes;
    const char* status;
    int step;
    double seconds;
    const char* text;
};

const std::vector<Thing>& things()
{
    static const std::vector<Thing> kThings{
        { "task1", Kind::Task, { "agent" }, "failed", 120, 2.5, "TimeoutError: no answer" },
        { "task2", Kind::Task, { "Agent" }, "done", 7, 0.2, "" },
        { "ckpt", Kind::Checkpoint, { "plan", "load data" }, "", 100, kUnknown, "" },
        { "run", Kind::Run, {}, "failed", -1, 60, "agent failed" },
        { "log", Kind::Log, { "agent" }, "", 120, kUnknown, "Waiting for a TIMEOUT" },
    };
    return kThings;
}

QString found(const QByteArray& text)
{
    const auto parsed = parse(text.toStdString());
    if (const auto* fault = std::get_if<Fault>(&parsed))
        return QStringLiteral("%1: %2").arg(fault->at).arg(QString::fromStdString(fault->message));
    QStringList names;
    for (const Thing& thing : things()) {
        Subject subject;
        subject.kind = thing.kind;
        subject.thread = "alice";
        subject.nodes = thing.nodes;
        subject.status = thing.status;
        if (thing.step >= 0)
            subject.step = thing.step;
        subject.seconds = thing.seconds;
        subject.text = thing.text;
        subject.timeMs = 1'769'860'800'000; // 2026-01-31T12:00
        if (thing.kind == Kind::Checkpoint)
            subject.source = "loop";
        const auto& query = std::get<Query>(parsed);
        const bool isFound = matches(query, subject);
        if (isFound && !mayMatch(query, thing.kind))
            return QStringLiteral("mayMatch() forgets ") + QString::fromLatin1(thing.name);
        if (isFound)
            names << QString::fromLatin1(thing.name);
    }
    return names.join(QLatin1Char(' '));
}

} // namespace

class TestQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finds_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("names");
        const auto row = [](const char* text, const char* names) {
            QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(names);
        };
        row("", "task1 task2 ckpt run log");
        row("status:failed node:agent step:>100 \"timeout\"", "task1");
        row("status:FAILED", "task1 run");
        row("status:failed,done", "task1 task2 run");
        row("-status:failed", "task2"); // what has no status is not meant
        row("node:agent", "task1 task2 log");
        row("node:\"load data\"", "ckpt");
        row("node:load*", "ckpt");
        row("node:*a*t*", "task1 task2 ckpt log");
        row("-node:agent", "ckpt");
        row("step:100..120", "task1 ckpt log");
        row("step:<=7,>=120", "task1 task2 log");
        row("step:>119 step:<121", "task1 log");
        row("took:>2s", "task1 run");
        row("took:100ms..1", "task2");
        row("timeout -is:log", "task1");
        row("-timeout", "task2 ckpt run");
        row("is:run,log", "run log");
        row("source:loop thread:al*", "ckpt");
        row("since:2026-01-31 before:2026-02-01 is:run", "run");
        row("before:2026-01-31T12:00", "");
        row("since:2026-01-31T12:00:00 is:log", "log");
        row("answer", "task1");
    }
    void finds()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, names);
        QCOMPARE(found(text), names);
    }

    void saysWhatIsWrongAndWhere_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("fault");
        QTest::newRow("field") << QByteArray("step:1 colour:red") << "7: there is no field 'colour'";
        QTest::newRow("number") << QByteArray("step:>x")
                                << "5: '>x' is no number: say 7, >100, <=3 or 10..20";
        QTest::newRow("unit") << QByteArray("took:2d") << "5: '2d' is no number of seconds";
        QTest::newRow("quote") << QByteArray("a \"b") << "2: this quote has no end";
        QTest::newRow("value") << QByteArray("node: x") << "5: node: wants a value";
        QTest::newRow("list") << QByteArray("node:a,") << "7: node: wants a value";
        QTest::newRow("kind") << QByteArray("is:thread") << "3: is: wants run, checkpoint, task or log";
        QTest::newRow("time") << QByteArray("since:2026-02-30") << "6: '2026-02-30' is no time";
        QTest::newRow("endless") << QByteArray("step:1e999") << "5: '1e999' is no number";
    }
    void saysWhatIsWrongAndWhere()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, fault);
        const QString said = found(text);
        QVERIFY2(said.startsWith(fault), qPrintable(said));
    }

    void completes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("field") << QByteArray("st") << "0 status: stream: step:";
        QTest::newRow("value") << QByteArray("x status:f") << "9 failed";
        QTest::newRow("negated") << QByteArray("-sou") << "1 source:";
        QTest::newRow("second") << QByteArray("status:failed,inter") << "14 interrupted";
        QTest::newRow("node") << QByteArray("node:a") << "5 agent \"load data\"";
        QTest::newRow("quoted") << QByteArray("\"sta") << "0";
        QTest::newRow("unknown") << QByteArray("colour:r") << "0";
    }
    void completes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        const Completion made = complete(text.toStdString(), static_cast<std::size_t>(text.size()),
                                         { { "agent", "load data" }, { "alice" } });
        QString shown = QString::number(made.from);
        for (const std::string& word : made.words)
            shown += QLatin1Char(' ') + QString::fromStdString(word);
        QCOMPARE(shown, words);
    }

    void aHundredThousandTakeAMoment()
    {
        const Query query = std::get<Query>(parse("status:failed node:agent step:>100 \"timeout\""));
        const std::vector<std::string> nodes{ "agent" };
        Subject subject;
        subject.kind = Kind::Task;
        subject.status = "failed";
        subject.nodes = nodes;
        subject.text = "TimeoutError: the model gave no answer";
        int count = 0;
        for (int step = 0; step < 100'000; ++step) {
            subject.step = step;
            count += matches(query, subject) ? 1 : 0;
        }
        QCOMPARE(count, 99'899);
    }
};

SG_TEST(TestQuery)
#include "tst_query.moc"
