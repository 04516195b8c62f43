// A secret stands nowhere in what went through the filter, in whatever form and however the text is cut.

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/redaction.h"
#include "core/base/secret_forms.h"
#include "core/base/secret_matcher.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <random>

using namespace sg;

namespace {

std::string randomText(std::mt19937& engine, std::size_t size, int from, int to)
{
    std::uniform_int_distribution<int> letter(from, to);
    std::string text(size, ' ');
    for (char& each : text)
        each = static_cast<char>(letter(engine));
    return text;
}

std::string inPieces(const std::string& text, std::mt19937& engine)
{
    SecretFilter filter;
    std::string out;
    std::uniform_int_distribution<std::size_t> length(1, 40);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(length(engine), text.size() - at);
        out += filter.push(std::string_view(text).substr(at, size));
        at += size;
    }
    return out + filter.finish();
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

std::string fromHex(const std::string& digits)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return bytes;
}

// True if eight digits of it stand in the text, which may be cut into lines.
bool hasPartOf(const std::string& core, std::string text)
{
    std::erase_if(text, [](char each) { return each == '\n' || each == '\r'; });
    for (std::size_t at = 0; at + 8 <= core.size(); ++at)
        if (has(text, core.substr(at, 8)))
            return true;
    return false;
}

} // namespace

class TestRedaction : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // First: nothing is known yet.
    void leavesTextAloneWhereNothingIsSecret()
    {
        QCOMPARE(withoutSecrets("a text"), std::string("a text"));
        QVERIFY(!holdsSecret("a text"));
        SecretFilter filter;
        QCOMPARE(filter.push("a t"), std::string("a t"));
        QCOMPARE(filter.finish(), std::string());
    }

    void findsTheFirstAndLongest_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<qulonglong>("begin");
        QTest::addColumn<qulonglong>("length");
        const auto row = [](const char* name, const char* text, qulonglong begin, qulonglong length) {
            QTest::newRow(name) << std::string(text) << begin << length;
        };
        row("alone", "needle", 0, 6);
        row("at the end", "in a haystack: needle", 15, 6);
        row("the longer one", "xx needles xx", 3, 7);
        row("after a false start", "needneedle", 4, 6);
        row("the first of two", "other needle", 0, 5);
        row("the last letters alone differ", "needlf neetle other", 14, 5);
        row("none", "needl othe", 99, 0);
    }
    void findsTheFirstAndLongest()
    {
        QFETCH(const std::string, text);
        QFETCH(const qulonglong, begin);
        QFETCH(const qulonglong, length);
        const SecretMatcher matcher({ { "needle", "a" }, { "needles", "b" }, { "other", "c" } });
        const auto hit = matcher.find(text, 0);
        QCOMPARE(hit ? hit->begin : 99, begin);
        QCOMPARE(hit ? hit->length : 0, length);
    }

    void findsWhatASimpleSearchFinds()
    {
        std::mt19937 engine(7);
        for (int round = 0; round < 300; ++round) {
            std::vector<SecretMatcher::Pattern> patterns;
            for (int i = 0; i < 1 + round % 5; ++i)
                patterns.push_back(
                    { randomText(engine, 2 + static_cast<std::size_t>(round % 4), 'a', 'c'), "x" });
            const std::string text = randomText(engine, 60, 'a', 'c');
            std::size_t first = std::string::npos;
            for (const auto& each : patterns)
                first = std::min(first, text.find(each.bytes));
            const auto hit = SecretMatcher(patterns).find(text, 0);
            QCOMPARE(hit ? hit->begin : std::string::npos, first);
        }
    }

    void keepsRandomSecretsOutInEveryForm()
    {
        std::mt19937 engine(42);
        for (int round = 0; round < 20; ++round) {
            const std::string secret = round % 2 == 0
                ? randomText(engine, 24 + static_cast<std::size_t>(round), 33, 126)
                : randomText(engine, 40, 1, 255);
            keepOut("planted", secret);
            std::string text;
            for (const std::string& form : writtenForms(secret))
                text += "before " + form + " after\n";
            for (std::size_t before = 0; before < 6; ++before)
                text += toBase64(std::string(before, 'k') + secret + "tail") + "\n";
            text += toJson(Value::map({ { "key", secret } })) + toHex("x" + secret);
            for (const std::string& clean : { withoutSecrets(text), inPieces(text, engine) }) {
                for (const std::string& form : writtenForms(secret))
                    QVERIFY2(!has(clean, form), form.c_str());
                QVERIFY(has(clean, "before [secret planted] after\n"));
                QVERIFY(has(clean, "{\"key\":\"[secret planted]\"}"));
            }
            QVERIFY(holdsSecret(text));
        }
    }

    // Python's own encoders wrote these forms of a secret: tests/data/redaction/written_by_python.py.
    void keepsOutWhatPythonsEncodersWrite()
    {
        const auto file = readFile(SG_SOURCE_DIR "/tests/data/redaction/written_by_python.json");
        SG_VERIFY_OK(file);
        const auto table = parseJson(*file);
        SG_VERIFY_OK(table);
        std::mt19937 engine(5);
        for (const Value& row : table->asList()) {
            keepOut("written", fromHex(row["secret"].asString()));
            for (const Value& form : row["alone"].asList()) {
                const std::string text = "before " + fromHex(form[1].asString()) + " after";
                for (const std::string& clean : { withoutSecrets(text), inPieces(text, engine) })
                    QVERIFY2(clean == "before [secret written] after",
                             (form[0].asString() + ": " + clean).c_str());
            }
            for (const Value& form : row["within"].asList()) {
                const std::string& text = form[1].asString();
                for (const std::string& clean : { withoutSecrets(text), inPieces(text, engine) }) {
                    QVERIFY2(has(clean, "[secret written]"), form[0].asString().c_str());
                    QVERIFY2(!hasPartOf(form[2].asString(), clean),
                             (form[0].asString() + ": " + clean).c_str());
                }
            }
        }
    }

    // A value in a few words is cut at its end, or in its middle.
    void keepsOutPartsOfARandomOne()
    {
        std::mt19937 engine(8);
        const std::string digits = toHex(randomText(engine, 110, 1, 255));
        keepOut("long", digits);
        for (std::size_t from : { 0U, 5U, 16U, 100U })
            for (std::size_t size : { 31U, 60U, 97U }) {
                const std::string clean = withoutSecrets("'" + digits.substr(from, size) + "…");
                QVERIFY(has(clean, "[secret long]"));
                for (std::size_t at = 0; at + 16 <= digits.size(); ++at)
                    QVERIFY2(!has(clean, digits.substr(at, 16)), clean.c_str());
            }
        keepOut("words", "postgresql://user:a-password@db.example.test:5432/name");
        QCOMPARE(withoutSecrets("postgresql://user at db.example.test:5432"),
                 std::string("postgresql://user at db.example.test:5432"));
    }

    // A long one has no more forms than a short one, nor forms without end.
    void aLongSecretHasFewForms()
    {
        std::mt19937 engine(6);
        QVERIFY(writtenForms(randomText(engine, 40, 33, 126)).size() < 150);
        QVERIFY(writtenForms(randomText(engine, 1024, 33, 126)).size() < 350);
        std::size_t bytes = 0;
        for (const std::string& form : writtenForms(randomText(engine, 16384, 33, 126)))
            bytes += form.size();
        QVERIFY(bytes < (3U << 20));
    }

    // A prompt without a line's end is seen at once: only what may become a secret waits.
    void holdsBackOnlyWhatMayBeOne()
    {
        keepOut("key", "xK93-secret-value");
        SecretFilter filter;
        QCOMPARE(filter.push("name> "), std::string("name> "));
        QCOMPARE(filter.push("a xK93-sec"), std::string("a "));
        QVERIFY(!filter.hasMet());
        QCOMPARE(filter.push("urity"), std::string("xK93-security"));
        QCOMPARE(filter.push("xK93-secret-"), std::string());
        QCOMPARE(filter.push("value!"), std::string("[secret key]!"));
        QVERIFY(filter.hasMet());
        QCOMPARE(filter.push("xK93-"), std::string());
        QCOMPARE(filter.finish(), std::string("xK93-"));
    }

    void cleansValuesAtAnyDepth()
    {
        keepOut("deep", "deep-secret-0123456789");
        const std::string secret = "deep-secret-0123456789";
        const Value value = Value::map({ { "list", Value::list({ 1, Value::map({ { secret, true } }) }) },
                                         { "bytes", Bytes{ "x" + secret } },
                                         { "ext", Ext{ 5, "ab" + secret } },
                                         { "plain", "text" } });
        const Value clean = valueWithoutSecrets(value);
        QVERIFY(!has(toJson(clean), secret));
        QCOMPARE(clean["ext"].asExt().payload.size(), value["ext"].asExt().payload.size());
        QCOMPARE(clean["bytes"].asBytes(), std::string("x[secret deep]"));
        QCOMPARE(clean["plain"], Value("text"));
        const Value harmless = Value::map({ { "a", Value::list({ "b" }) } });
        QCOMPARE(valueWithoutSecrets(harmless), harmless);
    }

    void masksWhatLooksLikeASecretInLogs_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("clean");
        const auto row = [](const char* name, const std::string& text, const std::string& clean) {
            QTest::newRow(name) << text << clean;
        };
        const std::string letters = "abcdefghij0123456789ABCDEFGHIJ0123456789";
        row("a key", "use sk-" + letters + " now", "use [redacted] now");
        row("another", "ghp_" + letters, "[redacted]");
        row("a token", "Bearer eyJ" + letters + "." + letters + "." + letters, "Bearer [redacted]");
        row("a private key", "-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nrest",
            "[redacted]\nrest");
        row("a certificate is none", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----");
        row("a word", "sk-learn and task-abcdefghijklmnopqrstuvw",
            "sk-learn and task-abcdefghijklmnopqrstuvw");
    }
    void masksWhatLooksLikeASecretInLogs()
    {
        QFETCH(const std::string, text);
        QFETCH(const std::string, clean);
        QCOMPARE(withoutLikelySecrets(text), clean);
        std::string logged;
        setLogSink([&](LogLevel, const std::string& line) { logged = line; });
        logMessage(LogLevel::Error, text);
        setLogSink({});
        QCOMPARE(logged, clean);
    }

    void shortOnesAreNotLookedFor()
    {
        keepOut("pin", "1234567");
        QCOMPARE(withoutSecrets("1234567"), std::string("1234567"));
    }
};

SG_TEST(TestRedaction)
#include "tst_redaction.moc"
