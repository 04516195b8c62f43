// datasets.json: what it may say, how it is changed; names and formats.

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/datasets/dataset_format.h"
#include "core/datasets/dataset_source.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace sg;
using namespace sg::datasets;

namespace {

// JSON with ' for ", which moc can read
std::string fromQuotes(std::string text)
{
    std::ranges::replace(text, '\'', '"');
    return text;
}

} // namespace

class TestDatasetSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesEachMistake_data()
    {
        QTest::addColumn<QString>("entry"); // of one provider, ' for "
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* entry, const char* problem) {
            QTest::newRow(entry) << entry << problem;
        };
        row("{'name':'a','directory':'datasets'}", "");
        row("{'name':'a','url':'https://h/{id}.csv','format':'csv','secret':'T','ids':['x']}", "");
        row("{'name':'a','command':['prog','{id}'],'timeout_s':5,'max_mb':10,'mine':1}", "");
        row("5", "/providers/0: a provider is an object");
        row("{'directory':'d'}", "/providers/0/name: a provider needs a name");
        row("{'name':'a/b','directory':'d'}", "/providers/0/name");
        row("{'name':'a'}", "/providers/0: a provider has one of");
        row("{'name':'a','directory':'d','url':'https://h/{id}'}", "/providers/0: a provider has one of");
        row("{'name':'a','url':'file:///etc/{id}'}",
            "/providers/0/url: an address that begins with https://");
        row("{'name':'a','url':'https://h/all'}", "/providers/0/url: {id} must stand");
        row("{'name':'a','url':'https://{id}.example.org/x'}",
            "/providers/0/url: {id} may not stand in the host");
        row("{'name':'a','url':'https://h/{id}?t={secret}'}", "/providers/0/url: a secret in an address");
        row("{'name':'a','url':'https://h/{id}','headers':{'X':'a\\r\\nEvil: 1'}}", "/providers/0/headers");
        row("{'name':'a','command':[]}", "/providers/0/command");
        row("{'name':'a','command':'rm -rf /'}", "/providers/0/command");
        row("{'name':'a','directory':'d','format':'xls'}", "/providers/0/format");
        row("{'name':'a','directory':'d','ids':['../x']}", "/providers/0/ids");
        row("{'name':'a','directory':'d','timeout_s':0}", "/providers/0/timeout_s");
        row("{'name':'a','directory':'d','max_mb':1.5}", "/providers/0/max_mb");
        row("{'name':'a','directory':'d','secret':'a b'}", "/providers/0/secret");
    }
    void namesEachMistake()
    {
        QFETCH(const QString, entry);
        QFETCH(const QString, problem);
        const std::string text = fromQuotes("{'providers':[" + entry.toStdString() + "]}");
        const auto document = parseJson(text);
        QVERIFY2(document, text.c_str());
        std::string found;
        for (const SourceProblem& each : checkSources(*document))
            found += each.pointer + ": " + each.message + "\n";
        QVERIFY2(problem.isEmpty() ? found.empty() : found.starts_with(problem.toStdString()), found.c_str());
    }

    void keepsTheRestOfTheFile()
    {
        const test::TempDir folder;
        const auto file = folder / "datasets.json";
        QVERIFY(loadSources(file) && loadSources(file)->at(0).folder == "datasets");
        QVERIFY(writeFileAtomically(
            file,
            fromQuotes(
                "{'note': 'mine', 'providers': [{'name': 'a', 'directory': 'x', 'why': 1}], 'z': [1]}")));
        QVERIFY(addSource(file, Value::map({ { "name", "b" }, { "url", "http://h/{id}" } })));
        QVERIFY(addSource(file, Value::map({ { "name", "b" }, { "url", "http://i/{id}" } })));
        QVERIFY(!addSource(file, Value::map({ { "name", "c" }, { "url", "gopher://h/{id}" } })));
        QVERIFY(removeSource(file, "nothing").error().code == Errc::NotFound);
        const auto document = parseJson(*readFile(file));
        QCOMPARE(toJson(*document),
                 fromQuotes("{'note':'mine','providers':[{'name':'a','directory':'x','why':1},"
                            "{'name':'b','url':'http://i/{id}'}],'z':[1]}"));
        QVERIFY(removeSource(file, "a"));
        QCOMPARE(loadSources(file)->size(), std::size_t{ 1 });
    }

    void acceptsOnlyNamesThatAreFileNamesEverywhere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isFine");
        for (const char* text : { "sales", "v1.2_data", "a-b.parquet", "_x", "0" })
            QTest::newRow(text) << text << true;
        for (const char* text : { "", ".", "..", "../x", "a/b", "/etc/passwd", "a b", "a\nb", "-rf",
                                  ".hidden", "ä", "a\\b", "a%2e", "$(id)" })
            QTest::newRow(text) << text << false;
        QTest::newRow("long") << QString(201, QLatin1Char('a')) << false;
    }
    void acceptsOnlyNamesThatAreFileNamesEverywhere()
    {
        QFETCH(const QString, text);
        QFETCH(const bool, isFine);
        QCOMPARE(bool(checkedId(text.toStdString())), isFine);
    }

    void tellsFormats()
    {
        QCOMPARE(fileNameOf("sales", "parquet"), std::string("sales.parquet"));
        QCOMPARE(fileNameOf("v1.2", "csv"), std::string("v1.2.csv"));
        QCOMPARE(fileNameOf("a.json", "csv"), std::string("a.json"));
        QVERIFY(!objectionTo("parquet", "PAR1...."));
        QVERIFY(!objectionTo("csv", "a,b\n1,2"));
        QVERIFY(!objectionTo("json", "\xEF\xBB\xBF [1]"));
        QVERIFY(!objectionTo("arrow", "ARROW1\0\0"));
        QVERIFY(objectionTo("parquet", "<!DOCTYPE html>")->find("begins with '<!DOCTYPE")
                != std::string::npos);
        QVERIFY(objectionTo("csv", "<html>"));
        QVERIFY(objectionTo("json", "<html>"));
    }
};

SG_CORE_TEST(TestDatasetSource)
#include "tst_dataset_source.moc"
