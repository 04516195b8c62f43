// All that read the description of a kind of node can rely on it.

#include "core/graph/node_kinds.h"
#include "core/graph/validate.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <set>

using namespace sg;
using namespace sg::graph;

namespace {

NodeSetting settingOf(SettingType type)
{
    static constexpr std::array kWords{ SettingWord{ "a", "A", "the first" }, SettingWord{ "b", "B", "" },
                                        SettingWord{ "c", "C", "" } };
    NodeSetting setting;
    setting.key = "key";
    setting.type = type;
    setting.words = kWords;
    return setting;
}

std::string wordOf(ExportAs exported)
{
    return std::to_string(static_cast<int>(exported));
}

} // namespace

class TestNodeKinds : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindIsWhole()
    {
        std::set<std::string_view> ids;
        std::set<std::string_view> groups;
        std::set<std::string> exports;
        std::string_view group;
        for (const NodeKind& kind : nodeKinds()) {
            const std::string name(kind.id);
            QVERIFY2(ids.insert(kind.id).second, name.c_str());
            QCOMPARE(findNodeKind(kind.id), &kind);
            for (const std::string_view text :
                 { kind.title, kind.does, kind.group, kind.icon, kind.firstName })
                QVERIFY2(!text.empty(), name.c_str());
            QVERIFY2(
                std::filesystem::exists(SG_SOURCE_DIR "/resources/icons/" + std::string(kind.icon) + ".svg"),
                name.c_str());
            if (group != kind.group) // stands together
                QVERIFY2(groups.insert(kind.group).second, name.c_str());
            group = kind.group;
            QCOMPARE(kind.onePlanned.empty(), kind.manyPlanned.empty());
            QVERIFY(kind.manyPlanned.empty() || kind.manyPlanned.find("%1") != std::string_view::npos);
            if (kind.exported != ExportAs::Refused) // the exporter writes each in its own way
                QVERIFY2(exports.insert(wordOf(kind.exported)).second, name.c_str());
            if (findSetting(&kind, SettingType::Packages) != nullptr) // are checked with the node's session
                QVERIFY2(kind.check != nullptr, name.c_str());
            if (!kind.subtitle.empty() && !kind.subtitle.starts_with('='))
                QVERIFY2(findSetting(&kind, kind.subtitle) != nullptr, name.c_str());
        }
        QVERIFY(findNodeKind("no such kind") == nullptr);
    }

    void everySettingIsWhole()
    {
        const auto check = [](std::string_view kind, std::span<const NodeSetting> settings) {
            std::set<std::string_view> keys;
            for (const NodeSetting& setting : settings) {
                const std::string name = std::string(kind) + "." + std::string(setting.key);
                QVERIFY2(keys.insert(setting.key).second, name.c_str());
                QVERIFY2(!setting.label.empty(), name.c_str());
                QCOMPARE(setting.type == SettingType::Word, !setting.words.empty());
                if (setting.type == SettingType::ChannelName) // "\"key\" names …"
                    QVERIFY2(!setting.says.empty(), name.c_str());
                for (const std::string_view text : { setting.first, setting.fallback })
                    if (!text.empty())
                        QVERIFY2(isFit(setting, Value(text)), name.c_str());
            }
        };
        check("common", commonSettings());
        check("code", codeSettings());
        for (const NodeKind& kind : nodeKinds())
            check(kind.id, kind.settings);
    }

    // Where two kinds have a key of one name and type, changing the kind keeps what stands there.
    void aNewNodeHasWhatItNeeds()
    {
        for (const NodeKind& kind : nodeKinds()) {
            const ValueMap first = firstSettings(kind, NodeId("load"));
            for (const NodeSetting& setting : kind.settings)
                QVERIFY(setting.needed.empty() || first.contains(setting.key));
        }
        QCOMPARE(firstSettings(*findNodeKind("python"), NodeId("load")),
                 (ValueMap{ { "file", "nodes/load.py" } }));
        QCOMPARE(firstSettings(*findNodeKind("subgraph"), NodeId("load")), ValueMap());
    }

    void valuesFitTheirType_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("fit");
        QTest::addColumn<QString>("demand");
        const auto row = [](const char* name, SettingType type, const char* fit, const char* demand) {
            QTest::newRow(name) << static_cast<int>(type) << QString::fromLatin1(fit)
                                << QString::fromLatin1(demand);
        };
        row("text", SettingType::Text, "text a", "text");
        row("any", SettingType::TextOrValue, "null true -1 1 2.5 text a list names", "text");
        row("count", SettingType::Count, "1", "a whole number from 0 to 2");
        row("number", SettingType::Number, "1", "a number from 0 to 2");
        row("seconds", SettingType::Seconds, "1 2.5", "a number of seconds above 0");
        row("flag", SettingType::Flag, "true", "true or false");
        row("word", SettingType::Word, "a", "\"a\", \"b\" or \"c\"");
        row("names", SettingType::Names, "names", "a list of names");
    }
    void valuesFitTheirType()
    {
        QFETCH(int, type);
        QFETCH(QString, fit);
        QFETCH(QString, demand);
        NodeSetting setting = settingOf(static_cast<SettingType>(type));
        setting.most = 2;
        const std::vector<std::pair<const char*, Value>> values{
            { "null", Value() },
            { "true", Value(true) },
            { "-1", Value(-1) },
            { "1", Value(1) },
            { "2.5", Value(2.5) },
            { "text", Value("x") },
            { "a", Value("a") },
            { "list", Value::list({ Value(1) }) },
            { "names", Value::list({ Value("x") }) },
        };
        QStringList fits;
        for (const auto& [name, value] : values)
            if (isFit(setting, value))
                fits << QString::fromLatin1(name);
        QCOMPARE(fits.join(QLatin1Char(' ')), fit);
        QCOMPARE(demandOf(setting), demand.toStdString());
    }

    void wordsAreExplained()
    {
        QCOMPARE(demandOf(settingOf(SettingType::Word), true),
                 std::string("\"a\" (the first), \"b\" or \"c\""));
    }

    void theCodeFileIsOfKindsThatReadCode()
    {
        Node node;
        node.settings.set("file", Value("a.py"));
        node.kind = "python";
        QCOMPARE(*codeFileOf(node), std::string("a.py"));
        QVERIFY(usesSandbox(node));
        QVERIFY(!asksPerson(node));
        node.kind = "human";
        QVERIFY(codeFileOf(node) == nullptr);
        QVERIFY(!usesSandbox(node));
        QVERIFY(asksPerson(node));
        QCOMPARE(functionOf({}), std::string("node"));
        QCOMPARE(functionOf({ { "function", "run" } }), std::string("run"));
    }
};

SG_TEST(TestNodeKinds)
#include "tst_node_kinds.moc"
