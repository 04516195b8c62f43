#include "core/base/json.h"
#include "core/base/value_map.h"
#include "tests/support/qtest_std.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_main.h"
#include "ui/macro/macro_file.h"

#include <QTest>

#include <sys/stat.h>

#include <fstream>
#include <sstream>

using namespace sg;
using namespace sg::ui;

class TestMacroFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsReadAgain()
    {
        MacroStep chosen;
        chosen.thread = "a \"b\"\n";
        chosen.checkpoint = 3;
        chosen.node = "";
        MacroStep run;
        run.input = R"({"value":1})";
        run.command = "run.start";
        run.waitsForRun = true;
        run.expect = "failed";
        run.timeoutSeconds = 5;
        MacroStep head;
        head.checkpoint = MacroHead();
        MacroStep id;
        id.checkpoint = "1f0-x";
        const Macro macro{ "all", { chosen, run, head, id } };
        const std::string text = macroText(macro);
        const auto read = parseMacro(text);
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(*read == macro);
        QCOMPARE(macroText(*read), text);
        QVERIFY(parseMacro(macroText({ "none", {} })));
    }

    void saysWhatIsWrongAndWhere_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* name, const QString& text, const char* where, const char* what) {
            QTest::newRow(name) << text << QString::fromLatin1(where) << QString::fromLatin1(what);
        };
        const auto steps = [](const char* step) {
            return QStringLiteral("{\"format\": 1, \"steps\": [\n  %1]}").arg(QLatin1String(step));
        };
        row("empty", {}, "line 1", "");
        row("no JSON", QStringLiteral("{\"format\": 1,\n  steps"), "line 2", "");
        row("a list", QStringLiteral("[]"), "line 1", "a macro is an object");
        row("no format", QStringLiteral("{\"steps\": []}"), "(/format)", "\"format\": 1");
        row("a later format", QStringLiteral("{\"format\": 2, \"steps\": []}"), "(/format)",
            "this version reads");
        row("no steps", QStringLiteral("{\"format\": 1}"), "(/steps)", "list");
        row("a key beside", QStringLiteral("{\"format\": 1, \"steps\": [], \"exec\": 1}"), "(/exec)",
            "format, name, steps");
        row("a wrong key", steps(R"({"comand": "run.start"})"), "line 2, column", "command");
        row("a key that is a path", steps(R"({"a/b": 1})"), "(/steps/0/a~1b)", "not known");
        row("a number as command", steps(R"({"command": 1})"), "(/steps/0/command)", "text");
        row("an empty command", steps(R"({"command": ""})"), "(/steps/0/command)", "1 to 500");
        row("nothing to do", steps("{}"), "(/steps/0)", "does nothing");
        row("a text as step", steps(R"("run.start")"), "(/steps/0)", "object");
        row("a wait for what", steps(R"({"wait": "rain"})"), "(/steps/0/wait)", "\"run\"");
        row("an end that is none", steps(R"({"wait": "run", "expect": "well"})"), "(/steps/0/expect)",
            "interrupted");
        row("an end without a wait", steps(R"({"command": "a", "expect": "done"})"), "(/steps/0)", "missing");
        row("a day and more", steps(R"({"wait": "run", "timeout_s": 86401})"), "(/steps/0/timeout_s)",
            "86400");
        row("no time", steps(R"({"wait": "run", "timeout_s": 0})"), "(/steps/0/timeout_s)", "from 1");
        row("half a second", steps(R"({"wait": "run", "timeout_s": 0.5})"), "(/steps/0/timeout_s)", "whole");
        row("half a step", steps(R"({"checkpoint": 1.5})"), "(/steps/0/checkpoint)", "number");
        row("a step far away", steps(R"({"checkpoint": 99999999999})"), "(/steps/0/checkpoint)", "number");
        row("no thread", steps(R"({"thread": ""})"), "(/steps/0/thread)", "name");
        row("a long name", steps(qPrintable(QStringLiteral("{\"thread\": \"%1\"}").arg(QString(501, u'x')))),
            "(/steps/0/thread)", "500");
        row("twice", steps(R"({"command": "a", "command": "b"})"), "line 2", "");
        row("a deep input", steps(qPrintable(QStringLiteral("{\"input\": %1}").arg(QString(300, u'[')))),
            "line 2", "");
    }
    void saysWhatIsWrongAndWhere()
    {
        QFETCH(QString, text);
        QFETCH(QString, where);
        QFETCH(QString, what);
        const auto macro = parseMacro(text.toStdString());
        QVERIFY(!macro);
        const QString told = QString::fromStdString(macro.error().message);
        QVERIFY2(told.contains(where) && told.contains(what), qPrintable(told));
    }

    void tooManyStepsAreRefused()
    {
        std::string text = "{\"format\": 1, \"steps\": [";
        for (int i = 0; i < 10'001; ++i)
            text += std::string(i == 0 ? "" : ",") + R"({"command":"a"})";
        const auto macro = parseMacro(text + "]}");
        QVERIFY(!macro);
        QVERIFY(macro.error().message.find("10,000") != std::string::npos);
    }

    void onlyOrdinaryFilesAreRead()
    {
        const test::TempDir folder;
        QVERIFY(!loadMacro(folder / "none.macro.json"));
        QVERIFY(!loadMacro(folder.path()));
        QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
        QVERIFY(!loadMacro(folder / "pipe")); // and nothing waits for a writer
        folder.write("large.macro.json", std::string((1U << 20) + 1, ' '));
        QVERIFY(!loadMacro(folder / "large.macro.json"));
        folder.write("well.macro.json", R"({"format": 1, "steps": []})");
        const auto macro = loadMacro(folder / "well.macro.json");
        QVERIFY(macro);
        QCOMPARE(macro->name, std::string("well"));
        folder.write("bad.macro.json", "{");
        const auto bad = loadMacro(folder / "bad.macro.json");
        QVERIFY(!bad);
        QVERIFY2(bad.error().message.starts_with("bad.macro.json: line 1"), bad.error().message.c_str());
    }

    // The reader knows the same keys as the schema.
    void theSchemaNamesWhatIsRead()
    {
        std::ifstream in(std::string(SG_SOURCE_DIR) + "/resources/schemas/macro.schema.json");
        std::stringstream text;
        text << in.rdbuf();
        const auto schema = parseJson(text.str());
        QVERIFY(schema);
        for (const auto& [key, value] : (*schema)["$defs"]["step"]["properties"].asMap()) {
            const auto macro = parseMacro("{\"format\": 1, \"steps\": [{\"" + key.asString() + "\": null}]}");
            const std::string told = macro ? "" : macro.error().message;
            QVERIFY2(told.find("not known") == std::string::npos, told.c_str());
        }
        const auto wrong = parseMacro(R"({"format": 1, "steps": [{"x": 1}]})");
        for (const auto& [key, value] : (*schema)["$defs"]["step"]["properties"].asMap())
            QVERIFY(wrong.error().message.find(key.asString()) != std::string::npos);
    }
};

SG_TEST(TestMacroFile)
#include "tst_macro_file.moc"
