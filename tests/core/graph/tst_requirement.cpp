// Requirements as people write them: one form for what means the same, a reason for what is refused.

#include "core/graph/requirement.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::graph;

class TestRequirement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bringsThemIntoOneForm_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("form");
        const auto row = [](const char* text, const char* form) {
            QTest::newRow(text) << std::string(text) << std::string(form);
        };
        row("networkx==3.3", "networkx==3.3");
        row("  NetworkX == 3.3 ", "networkx==3.3");
        row("ruamel.yaml_clib", "ruamel-yaml-clib");
        row("httpx[http2, Brotli] >= 0.27, <1", "httpx[brotli,http2]<1,>=0.27");
        row("demo (>=1)", "demo>=1");
        row("demo~=1.4.2; python_version < '3.12'", "demo~=1.4.2; python_version < '3.12'");
        row("demo @ https://host/a/demo-1.0-py3-none-any.whl",
            "demo @ https://host/a/demo-1.0-py3-none-any.whl");
        row("demo==1.0 --hash=sha256:0123456789012345678901234567890123456789012345678901234567890123",
            "demo==1.0 --hash=sha256:0123456789012345678901234567890123456789012345678901234567890123");
        row("demo===1.0+local.1", "demo===1.0+local.1");
        row("demo>=1!2.0rc1,!=3.*", "demo!=3.*,>=1!2.0rc1");
        row("demo==v1.0-post.2", "demo==v1.0-post.2");
    }
    void bringsThemIntoOneForm()
    {
        QFETCH(const std::string, text);
        QFETCH(const std::string, form);
        const auto parsed = parseRequirement(text);
        QVERIFY2(parsed, parsed ? "" : parsed.error().message.c_str());
        QCOMPARE(*parsed, form);
        QCOMPARE(*parseRequirement(*parsed), form); // and stays so
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("reason");
        const auto row = [](const char* text, const char* reason) {
            QTest::newRow(text) << std::string(text) << std::string(reason);
        };
        row("", "is no requirement");
        row("demo 1.0", "versions such as");
        row("demo==", "versions such as");
        row("demo==1.0 oops", "versions such as");
        for (const char* version : { "bad!!", "latest", "*", "1..2", "1.", "1.0+", "1+2+3", "1*.2", "!1" })
            QTest::newRow(version) << std::string("demo==") + version << std::string("versions such as");
        row("-r other.txt", "option of pip");
        row("--index-url https://host", "option of pip");
        row("demo --no-binary", "only --hash");
        row("-e .", "from its sources");
        row("./demo-1.0-py3-none-any.whl", "PIP_FIND_LINKS");
        row("git+https://host/demo", "names no package");
        row("https://host/demo-1.0-py3-none-any.whl", "names no package");
        row("demo @ git+https://host/demo", "no https:// address");
        row("demo @ https://host/demo.tar.gz", "does not lead to a wheel");
        row("demo @ http://host/demo-1.0-py3-none-any.whl", "no https:// address");
        row("demo @ https://me:secret@host/demo.whl", "password");
        row("demo[", "names of extras");
        row("demo; ", "no condition");
        row("demo; `id`", "no condition");
        row("demo\x01", "control characters");
        row("-", "option of pip");
        row("==1.0", "no package's name");
    }
    void saysWhatIsWrong()
    {
        QFETCH(const std::string, text);
        QFETCH(const std::string, reason);
        const auto parsed = parseRequirement(text);
        QVERIFY2(!parsed, parsed ? parsed->c_str() : "");
        QVERIFY2(parsed.error().message.find(reason) != std::string::npos, parsed.error().message.c_str());
    }

    void readsFiles()
    {
        const auto lines = parseRequirementsFile("# what we need\n\nnetworkx==3.3  # graphs\r\n"
                                                 "demo>=1 \\\n    ,<2\nb @ https://h/b-1.whl#egg\n");
        QVERIFY2(lines, lines ? "" : lines.error().message.c_str());
        QCOMPARE(lines->size(), std::size_t{ 3 });
        QCOMPARE((*lines)[0], std::string("networkx==3.3"));
        QCOMPARE((*lines)[1], std::string("demo<2,>=1"));
        const auto wrong = parseRequirementsFile("a\nb\n-r c\n");
        QVERIFY(!wrong);
        QVERIFY2(wrong.error().message.starts_with("line 3: "), wrong.error().message.c_str());
        QCOMPARE(sortedRequirements({ "b", "a", "b" }), (std::vector<std::string>{ "a", "b" }));
    }
};

SG_TEST(TestRequirement)
#include "tst_requirement.moc"
