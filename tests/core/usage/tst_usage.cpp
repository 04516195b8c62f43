// Tokens, cost and time of models, from messages to sums.

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/usage/usage_sum.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::usage;

namespace {

Value json(const char* text)
{
    return *parseJson(text);
}

// "plan/m1: 10+3 gpt-4o"
QString shown(const std::vector<ModelCall>& calls)
{
    QStringList lines;
    for (const ModelCall& call : calls)
        lines << QStringLiteral("%1: %2+%3 %4")
                     .arg(QString::fromStdString(call.id))
                     .arg(call.input)
                     .arg(call.output)
                     .arg(QString::fromStdString(call.model));
    return lines.join(QStringLiteral(", "));
}

// "plan 2 calls 20+5 cost 0.10 unpriced 1 1.5s"
QString shown(const Sum& sum)
{
    QString text = QStringLiteral("%1 %2 calls %3+%4 cost %5")
                       .arg(QString::fromStdString(sum.name))
                       .arg(sum.calls)
                       .arg(sum.input)
                       .arg(sum.output)
                       .arg(sum.cost ? QString::number(*sum.cost) : QStringLiteral("–"));
    if (sum.unpriced > 0)
        text += QStringLiteral(" unpriced %1").arg(sum.unpriced);
    if (sum.seconds)
        text += QStringLiteral(" %1s").arg(*sum.seconds);
    return text.trimmed();
}

checkpoint::ModelWrite write(const char* at, const char* node, double seconds, const char* message)
{
    return {
        at, std::string("task-") + node + at, node, "2026-01-01T00:00:05+00:00", seconds, json(message)
    };
}

} // namespace

class TestUsage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsMessages_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("calls");
        QTest::newRow("usage") << QByteArray(
            R"([{"id": "m1", "usage_metadata": {"input_tokens": 10, "output_tokens": 3},
                 "response_metadata": {"model_name": "gpt-4o"}}, {"type": "human", "content": "x"}])")
                               << "m1: 10+3 gpt-4o";
        QTest::newRow("provider's own") << QByteArray(
            R"({"type": "ai", "data": {"id": "m2", "usage_metadata": null, "response_metadata":
                {"token_usage": {"prompt_tokens": 7, "completion_tokens": 2}, "model": "m"}}})")
                                        << "m2: 7+2 m";
        QTest::newRow("no model") << QByteArray(
            R"({"usage_metadata": {"input_tokens": 1, "output_tokens": 0}})")
                                  << ": 1+0 ";
        QTest::newRow("none") << QByteArray(R"([{"usage_metadata": {}}, 3, "usage_metadata"])") << "";
        QTest::newRow("less than nothing")
            << QByteArray(R"({"usage_metadata": {"input_tokens": -5}})") << ": 0+0 ";
    }
    void readsMessages()
    {
        QFETCH(QByteArray, value);
        QFETCH(QString, calls);
        QCOMPARE(shown(callsIn(json(value.constData()))), calls);
    }

    void findsAPrice()
    {
        const auto prices = parsePrices(R"({"currency": "EUR", "models": {"a*": {"input": 1, "output": 2},
            "a-large*": {"input": 3, "output": 4, "date": "2026-01-31"}, "a-large-2": {"input": 5, "output": 6}}})");
        QVERIFY(prices);
        QCOMPARE(prices->of("a-small")->input, 1.0);
        QCOMPARE(prices->of("a-large-1")->input, 3.0);
        QCOMPARE(prices->of("a-large-2")->input, 5.0);
        QVERIFY(prices->of("b") == nullptr);
        QVERIFY(prices->of("") == nullptr);
        QCOMPARE(prices->newestDate(), std::string("2026-01-31"));
    }

    void aProjectsPricesGoBeforeTheUsers()
    {
        const auto project = parseProjectPrices(R"({"a": {"input": 7, "output": 8, "cache_read": 1}})");
        SG_VERIFY_OK(project);
        const auto user =
            parsePrices(R"({"models": {"a": {"input": 1, "output": 2}, "b": {"input": 3, "output": 4}}})");
        SG_VERIFY_OK(user);
        const Prices both = joined(*project, *user);
        QCOMPARE(both.of("a")->input, 7.0);
        QCOMPARE(both.of("b")->input, 3.0);
        QCOMPARE(joined({}, *user).of("a")->input, 1.0);
        Prices euros = *user;
        euros.currency = "EUR";
        QVERIFY(joined(*project, euros).of("b") == nullptr); // two currencies are no sum
        const auto wrong = parseProjectPrices(R"({"a": {"input": -1, "output": 2}})");
        QVERIFY(!wrong && wrong.error().message.find("'a'") != std::string::npos);
        SG_VERIFY_OK(loadProjectPrices("/nowhere/prices.json"));
    }

    void refusesWrongPrices_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("no output") << QByteArray(R"({"models": {"a": {"input": 1}}})");
        QTest::newRow("negative") << QByteArray(R"({"models": {"a": {"input": -1, "output": 1}}})");
        QTest::newRow("text") << QByteArray(R"({"models": {"a": {"input": "1", "output": 1}}})");
    }
    void refusesWrongPrices()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parsePrices(text.toStdString()));
    }

    void keepsPrices()
    {
        const test::TempDir folder;
        const auto file = folder / "deep/prices.json";
        QVERIFY(loadPrices(file)->rows.empty()); // not there yet
        Prices prices;
        prices.currency = "EUR";
        prices.rows = { { "z", 2.5, 10, "2026-01-31" }, { "a", 0, 0, "" } };
        QVERIFY(savePrices(file, prices));
        const auto read = loadPrices(file);
        QVERIFY(read);
        QCOMPARE(read->currency, std::string("EUR"));
        QCOMPARE(read->rows.size(), std::size_t(2));
        QCOMPARE(read->of("z")->output, 10.0);
        QCOMPARE(read->of("a")->output, 0.0); // known to be free
        QVERIFY(!read->of("z")->cacheRead);
        prices.rows.front().cacheRead = 0.25;
        QVERIFY(savePrices(file, prices));
        QCOMPARE(loadPrices(file)->of("z")->cacheRead.value_or(-1), 0.25);
    }

    // The same figures as a run's budget counts.
    void countsTokensOfACacheAtTheirPrice()
    {
        Prices prices;
        prices.rows = { { "a", 2, 10, "", 0.5, 4.0 } };
        for (const char* message :
             { R"({"id": "m", "response_metadata": {"model": "a"}, "usage_metadata": {"input_tokens": 1000000,
                  "output_tokens": 0, "input_token_details": {"cache_read": 500000, "cache_creation": 100000}}})",
               R"({"id": "m", "response_metadata": {"model": "a", "token_usage": {"prompt_tokens": 1000000,
                  "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 500000,
                  "cache_write_tokens": 100000}}}})" }) {
            CallCounter counter({});
            counter.add(write("c1", "plan", 1, message));
            const Roll all = rollUp(counter.finish({}), "", prices);
            QCOMPARE(all.total.cost.value_or(-1), 0.4 * 2 + 0.5 * 0.5 + 0.1 * 4);
        }
    }

    void sumsUp()
    {
        CallCounter counter({ { "r1", "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:09+00:00" } });
        const char* plan =
            R"({"id": "m1", "usage_metadata": {"input_tokens": 1000000, "output_tokens": 100000},
                               "response_metadata": {"model": "a"}})";
        counter.add(write("c1", "plan", 1.5, plan));
        counter.add(write("c2", "act", 2, plan)); // handed on
        counter.add(write("c2", "act", 2,
                          R"({"id": "m2", "usage_metadata": {"input_tokens": 5, "output_tokens": 1}})"));
        counter.add(write("x1", "plan", 4, R"({"id": "m3", "usage_metadata": {"input_tokens": 7},
                                                           "response_metadata": {"model": "a"}})"));
        checkpoint::ModelHistory history;
        history.parents = { { "c1", "" }, { "c2", "c1" }, { "c3", "c2" }, { "x1", "c1" }, { "x2", "x1" } };
        const ThreadCalls calls = counter.finish(std::move(history));
        Prices prices;
        prices.rows = { { "a", 2, 10, "" } };
        const Roll all = rollUp(calls, "", prices);
        QCOMPARE(shown(all.total), QStringLiteral("3 calls 1000012+100001 cost 3.00001 unpriced 1 7.5s"));
        QCOMPARE(shown(all.nodes.front()), QStringLiteral("plan 2 calls 1000007+100000 cost 3.00001 5.5s"));
        QCOMPARE(shown(all.nodes.back()), QStringLiteral("act 1 calls 5+1 cost – unpriced 1 2s"));
        QCOMPARE(shown(all.runs.front()),
                 QStringLiteral("r1 3 calls 1000012+100001 cost 3.00001 unpriced 1 7.5s"));
        QCOMPARE(all.models.size(), std::size_t(2));
        QCOMPARE(shown(rollUp(calls, "c3", prices).total),
                 QStringLiteral("2 calls 1000005+100001 cost 3 unpriced 1 3.5s"));
        QCOMPARE(shown(rollUp(calls, "c2", prices).total),
                 QStringLiteral("1 calls 1000000+100000 cost 3 1.5s"));
        QCOMPARE(shown(rollUp(calls, "c1", prices).total),
                 QStringLiteral("0 calls 0+0 cost –")); // it begins there
    }

    void countsWhatStandsInTheStateAlone()
    {
        checkpoint::ModelHistory history;
        history.newest = json(
            R"({"messages": [{"id": "m9", "usage_metadata": {"input_tokens": 2, "output_tokens": 1}}]})");
        QCOMPARE(shown(rollUp(CallCounter({}).finish(std::move(history)), "", {}).total),
                 QStringLiteral("1 calls 2+1 cost – unpriced 1"));
    }
};

SG_TEST(TestUsage)
#include "tst_usage.moc"
