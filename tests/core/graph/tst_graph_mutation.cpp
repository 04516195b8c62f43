#include "core/base/file.h"
#include "core/exchange/dot.h"
#include "core/graph/graph_file.h"
#include "core/graph/validate.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <random>

using namespace sg;
using namespace sg::graph;

namespace {

const std::vector<std::string> kTokens{ "\"",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "null",
                                        "true",
                                        "-1",
                                        "1e999",
                                        "\"__start__\"",
                                        "\"__end__\"",
                                        "\"graph\":{",
                                        "[[",
                                        "\\u0000",
                                        "\\ud800",
                                        "\xFF",
                                        "\"name\"",
                                        "\"*\"",
                                        "9223372036854775808",
                                        "\"type\":\"reduce\"",
                                        "\"targets\":[]",
                                        "\"edges\":[[[],\"a\"]]",
                                        "{}",
                                        "\"jq\":1" };

std::string mutated(std::string text, std::mt19937& random)
{
    const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
    for (std::size_t edits = 1 + below(8); edits > 0; --edits) {
        const std::size_t at = below(text.size());
        const std::size_t length = below(40);
        switch (below(5)) {
        case 0: text.erase(at, length); break;
        case 1: text.insert(at, kTokens[below(kTokens.size())]); break;
        case 2: text.insert(at, text.substr(below(text.size()), length)); break;
        case 3: text.replace(at, 1, kTokens[below(kTokens.size())]); break;
        default:
            if (!text.empty())
                text[at] = static_cast<char>(random());
        }
    }
    return text;
}

// Swaps whole values, so that the text stays JSON and the readers get to see the wrong types.
Value shuffled(const Value& value, std::mt19937& random, int depth)
{
    static const std::vector<Value> odd{ nullptr,
                                         true,
                                         -1,
                                         1e300,
                                         "",
                                         "__start__",
                                         "a",
                                         Value::list(),
                                         Value::map(),
                                         Value::list({ Value::list(), "a" }),
                                         Value::map({ { "", 1 } }),
                                         "*",
                                         "jq",
                                         std::int64_t{ 1 } << 62 };
    if (random() % 40 == 0 || depth > 40)
        return odd[random() % odd.size()];
    if (value.isList()) {
        ValueList list;
        for (const Value& item : value.asList())
            if (random() % 30 != 0)
                list.push_back(shuffled(item, random, depth + 1));
        if (random() % 20 == 0)
            list.push_back(odd[random() % odd.size()]);
        return list;
    }
    if (!value.isMap())
        return value;
    ValueMap map;
    for (const auto& [key, item] : value.asMap())
        if (random() % 30 != 0)
            map.set(key, shuffled(item, random, depth + 1));
    return map;
}

} // namespace

class TestGraphMutation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        auto text = readFile(SG_SOURCE_DIR "/tests/data/graph/full.graph.json");
        SG_VERIFY_OK(text);
        m_text = *text;
        m_count = qEnvironmentVariableIntValue("SG_FULL") > 0 ? 200'000 : 200;
        m_seed = qEnvironmentVariableIsSet("SG_SEED") ? qEnvironmentVariable("SG_SEED").toUInt()
                                                      : std::random_device{}();
        qInfo("SG_SEED=%u, %d files of each sort", m_seed, m_count);
    }

    void init() { m_read = 0; }

    void brokenTextNeverCrashes()
    {
        std::mt19937 random(m_seed);
        for (int i = 0; i < m_count; ++i)
            examine(mutated(m_text, random));
        QVERIFY2(m_read > 0, "every file was refused: nothing was checked");
    }

    void wrongTypesNeverCrash()
    {
        std::mt19937 random(m_seed);
        auto whole = parseJson(m_text);
        SG_VERIFY_OK(whole);
        for (int i = 0; i < m_count; ++i)
            examine(toJson(shuffled(*whole, random, 0)));
        QVERIFY2(m_read > 0, "every file was refused: nothing was checked");
    }

    void deepGraphsAreRefusedInTime_data()
    {
        QTest::addColumn<int>("depth");
        QTest::addColumn<QString>("code");
        QTest::newRow("16 levels") << 15 << "";
        QTest::newRow("too deep") << 17 << "too-deep";
        QTest::newRow("far too deep") << 60 << "too-deep";
    }
    void deepGraphsAreRefusedInTime()
    {
        QFETCH(int, depth);
        QFETCH(QString, code);
        std::string text = R"({"nodes":[{"name":"x","jq":"."}],"edges":[["__start__","x"]]})";
        for (int i = 0; i < depth; ++i)
            text = R"({"nodes":[{"name":"x","graph":)" + text + R"(}],"edges":[["__start__","x"]]})";
        auto file = parseGraph(text);
        SG_VERIFY_OK(file);
        std::string codes;
        for (const Problem& problem : validate(*file, {}))
            codes += problem.code + ' ';
        QVERIFY2(code.isEmpty() ? codes.empty() : codes.starts_with(code.toStdString()), codes.c_str());
    }

    void manyProblemsAreCutShort()
    {
        std::string text = R"({"nodes":[)";
        for (int i = 0; i < 20'000; ++i)
            text += i == 0 ? "1" : ",1";
        auto file = parseGraph(text + R"(],"edges":[["a","b"]]})");
        SG_VERIFY_OK(file);
        QCOMPARE(file->problems.size(), std::size_t{ 1001 });
        QCOMPARE(file->problems.back().code, std::string("too-many-problems"));
        QCOMPARE(file->skipped.size(), std::size_t{ 20'000 });
        QVERIFY(validate(*file, {}).size() <= 2002);
    }

private:
    // Whatever can be read can be checked, drawn and saved, and what was saved says the same again.
    void examine(const std::string& text)
    {
        auto file = parseGraph(text);
        if (!file)
            return;
        ++m_read;
        const auto problems = validate(*file, {});
        QVERIFY(problems.size() >= file->problems.size());
        QVERIFY(!sg::exchange::toDot(file->graph).empty());
        const std::string saved = graphText(file->graph);
        auto again = parseGraph(saved);
        QVERIFY2(static_cast<bool>(again), text.c_str());
        QVERIFY2(graphText(again->graph) == saved, text.c_str());
        QVERIFY2(again->graph == file->graph, text.c_str());
    }

    std::string m_text;
    int m_count = 0;
    int m_read = 0; // files in this test that could be read
    unsigned m_seed = 0;
};

SG_TEST(TestGraphMutation)
#include "tst_graph_mutation.moc"
