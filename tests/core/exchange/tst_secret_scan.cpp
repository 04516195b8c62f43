// Secrets are found by their look in text, in values, and in what other programs have packed.

#include "core/base/msgpack.h"
#include "core/exchange/secret_scan.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

using namespace sg;
using exchange::SecretScan;

namespace {

std::string key(std::size_t length)
{
    return "sk-" + std::string(length - 3, 'x');
}

std::string findingsOf(const SecretScan& scan)
{
    std::string lines;
    for (const exchange::SecretFinding& finding : scan.findings())
        lines += finding.kind + " " + finding.masked + "\n";
    return lines;
}

std::string inText(const std::string& text)
{
    SecretScan scan;
    scan.begin("file");
    scan.feed(text);
    scan.end();
    return findingsOf(scan);
}

std::string inValue(const Value& value)
{
    SecretScan scan;
    scan.begin("rows");
    scan.feedValue(value);
    scan.end();
    return findingsOf(scan);
}

// As Python's pickle has a text: its length in one byte.
std::string pickled(const std::string& text)
{
    return std::string("\x94\x8c") + static_cast<char>(text.size()) + text;
}

} // namespace

class TestSecretScan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // 45, 48–57, 65–90, 95 and 97–122 are letters of keys, too.
    void findsKeysOfAnyLength_data()
    {
        QTest::addColumn<int>("length");
        for (const int length : { 31, 32, 45, 51, 57, 58, 70, 95, 108, 122, 164 })
            QTest::addRow("%d", length) << length;
    }
    void findsKeysOfAnyLength()
    {
        QFETCH(int, length);
        const auto size = static_cast<std::size_t>(length);
        const std::string found = "an API key sk-x…(" + std::to_string(length) + ")\n";
        const Value state = Value::map({ { "settings", Value::list({ 1, key(size) }) } });
        QCOMPARE(inText("key: " + key(size)), found);
        QCOMPARE(inText(encodeMsgpack(state)), found);
        QCOMPARE(inText(pickled("name") + pickled(key(size)) + "\x94."), found);
        QCOMPARE(inValue(state), found);
        // As a database's row has it: packed, and packed once more as bytes or as an object of Python.
        QCOMPARE(inValue(Value::list({ Bytes{ "alice" }, Bytes{ encodeMsgpack(state) } })), found);
        QCOMPARE(inValue(Value::list({ Bytes{ encodeMsgpack(Value(Ext{ 5, encodeMsgpack(state) })) } })),
                 found);
        QCOMPARE(inValue(Bytes{ "printed " + key(size) + "\n" }), found);
    }

    void takesNoWordForAKey()
    {
        for (const char* text : { "a risk-free-and-quite-long-name-of-something", "sk-short",
                                  "task-0123456789012345678901234567890123456789" }) {
            QCOMPARE(inText(text), std::string());
            QCOMPARE(inValue(Value::map({ { "note", text } })), std::string());
        }
    }

    void findsWhatIsNamed_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("value");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("password") << std::string("password") << std::string("hunter2hunter2") << true;
        QTest::newRow("capitals") << std::string("DB_PASSWORD") << std::string("hunter2hunter2") << true;
        QTest::newRow("long") << std::string("api_key") << std::string(120, 'k') << true;
        QTest::newRow("a place to fill in") << std::string("password") << std::string("${PASSWORD}") << false;
        QTest::newRow("a sentence") << std::string("password") << std::string("type it here") << false;
        QTest::newRow("short") << std::string("password") << std::string("none") << false;
        QTest::newRow("another name")
            << std::string("passwords_changed") << std::string("2026-11-22") << false;
    }
    void findsWhatIsNamed()
    {
        QFETCH(std::string, name);
        QFETCH(std::string, value);
        QFETCH(bool, isFound);
        const Value state = Value::map({ { "user", "alice" }, { name, value } });
        const Value row = Value::list({ Bytes{ "alice" }, Bytes{ encodeMsgpack(state) } });
        QCOMPARE(!inValue(row).empty(), isFound);
        QCOMPARE(!inText(encodeMsgpack(state)).empty(), isFound);
        QCOMPARE(!inText(pickled(name) + pickled(value) + "\x94u.").empty(), isFound);
        QCOMPARE(!inText(toJson(state)).empty(), isFound);
        QVERIFY(inValue(row).find(value) == std::string::npos);
    }

    void findsWhatLiesAcrossTwoPieces()
    {
        const std::string text = std::string(1000, '.') + key(51) + std::string(1000, '.');
        for (std::size_t at = 995; at < 1060; ++at) {
            SecretScan scan;
            scan.begin("file");
            scan.feed(std::string_view(text).substr(0, at));
            scan.feed(std::string_view(text).substr(at));
            scan.end();
            SG_VERIFY_CONTAINS(findingsOf(scan), "sk-x…(51)");
        }
    }

    void endsInWhatIsPackedTooDeep()
    {
        std::string bytes = "x";
        for (int i = 0; i < 2000; ++i)
            bytes = encodeMsgpack(Bytes{ bytes });
        QCOMPARE(inValue(Bytes{ bytes }), std::string());
    }
};

SG_TEST(TestSecretScan)
#include "tst_secret_scan.moc"
