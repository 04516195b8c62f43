// The difference of two states, read as text: "+name" added, "~name" changed, "-name" removed, the rest the
// same.

#include "core/base/json.h"
#include "tests/support/test_main.h"
#include "ui/state/value_change.h"
#include "ui/state/value_text.h"

#include <QTest>

using namespace sg;
using namespace sg::ui;

namespace {

Value json(const QString& text)
{
    auto value = parseJson(text.toStdString());
    return value ? *value : Value("broken JSON in the test");
}

QString textOf(const ValueChanges& changes)
{
    QStringList words;
    for (const ValueChange& entry : changes.entries) {
        static const char* const kSigns[] = { "", "+", "~", "-" };
        words << QLatin1String(kSigns[static_cast<int>(entry.change)]) + entry.name;
    }
    if (changes.total > changes.entries.size())
        words << QStringLiteral("of %1").arg(changes.total);
    return words.join(QLatin1Char(' '));
}

} // namespace

class TestValueChange : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void compares_data()
    {
        QTest::addColumn<QString>("was");
        QTest::addColumn<QString>("now");
        QTest::addColumn<QString>("entries");
        QTest::addColumn<QString>("counts"); // added changed removed
        QTest::newRow("same") << R"({"a":1})"
                              << R"({"a":1})"
                              << "a"
                              << "0 0 0";
        QTest::newRow("first state") << "{}"
                                     << R"({"a":1,"b":[1,2]})"
                                     << "+a +b"
                                     << "2 0 0";
        QTest::newRow("changed and removed") << R"({"a":1,"b":2})"
                                             << R"({"a":3})"
                                             << "~a -b"
                                             << "0 1 1";
        QTest::newRow("counted at the leaves") << R"({"q":{"s":1,"t":2,"u":3}})"
                                               << R"({"q":{"s":2,"t":3,"v":1}})"
                                               << "~q"
                                               << "1 2 1";
        QTest::newRow("appended") << R"([1,2])"
                                  << R"([1,2,3,4])"
                                  << "[0] [1] +[2] +[3]"
                                  << "2 0 0";
        QTest::newRow("put in front") << R"([1,2])"
                                      << R"([0,1,2])"
                                      << "+[0] [1] [2]"
                                      << "1 0 0";
        QTest::newRow("taken from the middle") << R"([1,2,3])"
                                               << R"([1,3])"
                                               << "[0] -[1] [1]"
                                               << "0 0 1";
        QTest::newRow("item changed") << R"([1,2,3])"
                                      << R"([1,9,3])"
                                      << "[0] ~[1] [2]"
                                      << "0 1 0";
        QTest::newRow("repeated items") << R"([1,1])"
                                        << R"([1,1,1])"
                                        << "[0] [1] +[2]"
                                        << "1 0 0";
        QTest::newRow("emptied") << R"([1,2])"
                                 << R"([])"
                                 << "-[0] -[1]"
                                 << "0 0 2";
        QTest::newRow("another kind") << R"({"a":[1]})"
                                      << R"({"a":"x"})"
                                      << "~a"
                                      << "0 1 0";
    }
    void compares()
    {
        QFETCH(QString, was);
        QFETCH(QString, now);
        QFETCH(QString, entries);
        QFETCH(QString, counts);
        QCOMPARE(textOf(changesOf(json(was), json(now), { 0, 100, true })), entries);
        const ChangeCounts found = countChanges(json(was), json(now));
        QCOMPARE(QStringLiteral("%1 %2 %3").arg(found.added).arg(found.changed).arg(found.removed), counts);
    }

    void isBounded()
    {
        ValueList many(5000, Value(1));
        QCOMPARE(textOf(changesOf(Value::list(), Value(many), { 4998, 10 })),
                 QStringLiteral("+[4998] +[4999] of 5000"));
        QVERIFY(countChanges(Value::list(), Value(many), 100).added <= 100);
    }

    // Items that were appended to a long list are found and counted, however much before them is the same.
    void foldsWhatIsTheSame()
    {
        ValueList was(30'000, Value(1));
        ValueList now = was;
        now.push_back(Value("new"));
        const ValueChanges changes = changesOf(Value(was), Value(now), { 0, 100, true });
        QCOMPARE(textOf(changes), QStringLiteral("[0] … [29997] [29998] [29999] +[30000]"));
        QCOMPARE(countChanges(Value(was), Value(now)), (ChangeCounts{ 1, 0, 0 }));
        QCOMPARE(changes.entries.front().count, std::size_t(29'998));
        QCOMPARE(textOf(itemsOf(changes.entries.front(), { 29'996, 10 })),
                 QStringLiteral("[29996] [29997] of 29998"));
        now.insert(now.begin(), Value("first"));
        now.pop_back();
        QCOMPARE(textOf(changesOf(Value(was), Value(now), { 0, 100, true })),
                 QStringLiteral("+[0] [1] [2] [3] … [30000]"));
    }

    void putsAValueIntoOneLine_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("line");
        QTest::newRow("string") << R"("ok")"
                                << R"("ok")";
        QTest::newRow("line break") << R"("a\nb")"
                                    << R"("a\nb")";
        QTest::newRow("number") << "0.97"
                                << "0.97";
        QTest::newRow("null") << "null"
                              << "null";
        QTest::newRow("object") << R"({"a":1})"
                                << "object, 1 key";
        QTest::newRow("list") << "[1,2]"
                              << "list, 2 items";
        QTest::newRow("message") << R"({"type":"ai","content":"Filled sex"})"
                                 << R"("Filled sex")";
        QTest::newRow("content without a role") << R"({"content":"x"})"
                                                << "object, 1 key";
    }
    void putsAValueIntoOneLine()
    {
        QFETCH(QString, value);
        QFETCH(QString, line);
        QCOMPARE(valueLine(json(value)), line);
    }

    void cutsLongTextBetweenCharacters()
    {
        const QString line = valueLine(Value(std::string(399, 'x') + "éé" + std::string(5000, 'y')));
        QVERIFY2(line.size() < 420, qPrintable(line));
        QVERIFY(line.endsWith(QStringLiteral("x…\"")));
        QVERIFY(!line.contains(QChar::ReplacementCharacter));
        QVERIFY(valueJson(Value(std::string(5000, 'y')), 100).size() <= 101);
        // The beginning is that of the whole text.
        ValueMap nested{ { Value("text"), Value(std::string("é\n") + std::string(90, 'z')) },
                         { Value("list"),
                           Value(ValueList(50, Value(ValueMap{ { Value("a"), Value(1) } }))) } };
        const QString whole = utf16(toJson(Value(nested), JsonStyle::Indented));
        for (const qsizetype most : { 1, 20, 101, 130, 400, 5000 })
            QCOMPARE(valueJson(Value(nested), most),
                     most < whole.size() ? whole.left(most) + QStringLiteral("…") : whole);
    }
};

SG_CORE_TEST(TestValueChange)
#include "tst_value_change.moc"
