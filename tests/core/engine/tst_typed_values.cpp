// Order and sum of the typed values that state may hold, as Python has them.

#include "core/base/clock.h"
#include "core/base/msgpack.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/serde/python_object.h"
#include "core/engine/channels/reducers.h"
#include "core/engine/channels/typed_values.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::engine;
using checkpoint::PythonExt;

namespace {

Value made(PythonExt how, const char* module, const char* name, Value argument, const char* method = "")
{
    return checkpoint::makePythonObject({ how, module, name, std::move(argument), method });
}

// "datetime 2024-…", "date 2024 5 6", "timedelta 1 2 3", "Decimal 1.50", "int 3"
Value typed(const QString& text)
{
    const QStringList words = text.split(QLatin1Char(' '));
    ValueList numbers;
    for (const QString& word : words.mid(1))
        numbers.emplace_back(std::int64_t(word.toLongLong()));
    if (words[0] == QLatin1String("datetime"))
        return made(PythonExt::Method, "datetime", "datetime", Value(words[1].toStdString()),
                    "fromisoformat");
    if (words[0] == QLatin1String("Decimal"))
        return made(PythonExt::OneArgument, "decimal", "Decimal", Value(words[1].toStdString()));
    if (words[0] == QLatin1String("int"))
        return numbers[0];
    return made(PythonExt::Arguments, "datetime", words[0].toLatin1().constData(), Value(std::move(numbers)));
}

} // namespace

class TestTypedValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void order_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("order"); // "<", "=", "" for none
        const auto row = [](const char* a, const char* b, const char* order) {
            QTest::addRow("%s %s", a, b)
                << QString::fromLatin1(a) << QString::fromLatin1(b) << QString::fromLatin1(order);
        };
        row("datetime 2024-05-06T07:08:09", "datetime 2024-05-06T07:08:09.5", "<");
        row("datetime 2024-05-06T07:08:09+02:00", "datetime 2024-05-06T05:08:10+00:00", "<");
        row("datetime 2024-05-06T07:08:09+02:00", "datetime 2024-05-06T05:08:09+00:00", "=");
        row("datetime 2024-05-06T07:08:09-03:30", "datetime 2024-05-06T10:38:09.000001+00:00", "<");
        row("datetime 0001-01-01T00:00:00", "datetime 9999-12-31T23:59:59.999999", "<");
        row("datetime 2024-05-06T07:08:09", "datetime 2024-05-06T07:08:09+00:00", "");
        row("datetime 2024-13-06T07:08:09", "datetime 2024-05-06T07:08:09", "");
        row("datetime nonsense", "datetime 2024-05-06T07:08:09", "");
        row("date 2024 5 6", "date 2024 6 1", "<");
        row("date 2024 5 6", "date 2024 5 6", "=");
        row("date 2024 5 6", "datetime 2024-05-06T07:08:09", "");
        row("date 2024", "date 2024 5 6", "");
        row("timedelta -1 86399 0", "timedelta 0 0 0", "<");
        row("timedelta 1 0 0", "timedelta 1 0 1", "<");
        row("Decimal 1.50", "Decimal 1.5", "=");
        row("Decimal -2", "Decimal 1E-30", "<");
        row("Decimal 9.99", "int 10", "<");
        row("int 3", "Decimal 3.0", "=");
        row("Decimal 5", "Decimal 1E+40", "<");
        row("Decimal NaN", "Decimal 1", "");
        row("Decimal 1", "timedelta 1 0 0", "");
    }
    void order()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, order);
        const auto forward = orderOfTyped(typed(a), typed(b));
        const auto back = orderOfTyped(typed(b), typed(a));
        QCOMPARE(forward.has_value(), !order.isEmpty());
        QCOMPARE(back.has_value(), !order.isEmpty());
        if (!forward)
            return;
        QVERIFY(order == QLatin1String("<") ? std::is_lt(*forward) && std::is_gt(*back)
                                            : std::is_eq(*forward) && std::is_eq(*back));
    }

    void sum_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<QString>("sum"); // "" for none
        const auto row = [](const char* a, const char* b, const char* sum) {
            QTest::addRow("%s %s", a, b)
                << QString::fromLatin1(a) << QString::fromLatin1(b) << QString::fromLatin1(sum);
        };
        row("timedelta 0 86399 999999", "timedelta 0 0 1", "timedelta 1 0 0");
        row("timedelta -1 86390 0", "timedelta 0 5 0", "timedelta -1 86395 0");
        row("timedelta 999999999 0 0", "timedelta 1 0 0", "");
        row("Decimal 1.50", "Decimal 0.25", "Decimal 1.75");
        row("int 0", "Decimal 1.10", "Decimal 1.10");
        row("Decimal 1.5", "int -2", "Decimal -0.5");
        row("Decimal 1E-7", "Decimal 0E-7", "Decimal 1E-7");
        row("Decimal 1E+3", "int 1", "Decimal 1001");
        row("Decimal 1234567890123456789012345678", "Decimal 0.1", ""); // Python would round
        row("datetime 2024-05-06T07:08:09", "timedelta 1 0 0", "");
    }
    void sum()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(QString, sum);
        const auto made = sumOfTyped(typed(a), typed(b));
        QCOMPARE(made.has_value(), !sum.isEmpty());
        if (made)
            QVERIFY(*made == typed(sum));
    }

    void reducersTakeThem()
    {
        SystemRandom random;
        Value latest = typed(QStringLiteral("datetime 2024-05-06T07:08:09"));
        QVERIFY(!reduce(graph::Reducer::Max, latest, typed(QStringLiteral("datetime 2025-01-01T00:00:00")),
                        random));
        QVERIFY(latest == typed(QStringLiteral("datetime 2025-01-01T00:00:00")));
        Value total(0);
        QVERIFY(!reduce(graph::Reducer::Add, total, typed(QStringLiteral("Decimal 0.1")), random));
        QVERIFY(!reduce(graph::Reducer::Add, total, typed(QStringLiteral("Decimal 0.2")), random));
        QVERIFY(total == typed(QStringLiteral("Decimal 0.3")));
        Value seen(ValueList{});
        QVERIFY(!reduce(graph::Reducer::Union, seen, checkpoint::makeSet({ Value(2), Value(1) }), random));
        QCOMPARE(seen.asList().size(), std::size_t(2));
        const auto error = reduce(graph::Reducer::Max, latest, Value(1), random);
        QVERIFY(error);
        QVERIFY2(error->message.find("datetime.datetime") != std::string::npos, error->message.c_str());
    }

    // A node that returns ("user", "hello"), alone or in a list.
    void aTupleIsOneMessage()
    {
        SystemRandom random;
        const Value tuple(Ext{ kTupleExt, encodeMsgpack(Value::list({ Value("user"), Value("hello") })) });
        for (const Value& write : { tuple, Value::list({ tuple }) }) {
            Value messages(ValueList{});
            QVERIFY(!reduce(graph::Reducer::AddMessages, messages, write, random));
            QCOMPARE(messages.asList().size(), std::size_t(1));
            const auto message = checkpoint::asMessage(messages[0]);
            QVERIFY(message);
            QCOMPARE(message->stringOr("type", ""), std::string("human"));
            QCOMPARE(message->stringOr("content", ""), std::string("hello"));
        }
    }

    void whatIsNoFieldOfAMessageIsKeptBesideIt()
    {
        SystemRandom random;
        Value messages(ValueList{});
        const Value write = Value::map({ { "role", "developer" },
                                         { "content", Value() },
                                         { "mood", "calm" },
                                         { "additional_kwargs", Value::map({ { "k", 1 } }) } });
        QVERIFY(!reduce(graph::Reducer::AddMessages, messages, write, random));
        const auto message = checkpoint::asMessage(messages[0]);
        QVERIFY(message);
        QCOMPARE(message->stringOr("type", ""), std::string("system"));
        const Value& more = (*message)["additional_kwargs"];
        QCOMPARE(more.stringOr("mood", ""), std::string("calm"));
        QCOMPARE(more.stringOr("__openai_role__", ""), std::string("developer"));
        QCOMPARE(more["k"].asInt(), 1);
        QVERIFY(message->find("mood") == nullptr);
    }

    void badArgumentsOfAToolCallAreRefused()
    {
        SystemRandom random;
        Value messages(ValueList{});
        const Value call = Value::map(
            { { "id", "c" }, { "function", Value::map({ { "name", "g" }, { "arguments", "{" } }) } });
        const auto error = reduce(
            graph::Reducer::AddMessages, messages,
            Value::map({ { "role", "ai" }, { "content", "" }, { "tool_calls", Value::list({ call }) } }),
            random);
        QVERIFY(error);
        QCOMPARE(error->type, std::string("JSONDecodeError"));
    }
};

SG_CORE_TEST(TestTypedValues)
#include "tst_typed_values.moc"
