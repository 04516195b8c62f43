// The program tells of itself: the guide, examples of verbs, completions, manual pages. Commands that the
// guide shows are run.

#include "core/base/user_folders.h"
#include "tests/app/cli/command_line.h"
#include "tests/support/machine.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace sg;
using Words = std::vector<std::string>;
using test::Answer;
using test::CommandLine;

namespace fs = std::filesystem;

namespace {

const fs::path kGuide = SG_BIN_DIR "/../share/sandglass/guide";

// Fenced blocks of a chapter that are tagged so, each as its text.
Words blocks(const std::string& text, const std::string& tag)
{
    Words found;
    const std::string open = "```" + tag + "\n";
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
        at += open.size();
        const std::size_t end = text.find("\n```", at);
        found.push_back(text.substr(at, end - at));
    }
    return found;
}

Words lines(const std::string& text)
{
    Words found;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        found.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return found;
}

// "… # exit 5" → 5
int exitOf(const std::string& line)
{
    const std::size_t at = line.find("# exit ");
    return at == std::string::npos ? 0 : std::stoi(line.substr(at + 7));
}

} // namespace

class TestCliHelp : public QObject {
    Q_OBJECT

private:
    Answer inShell(const CommandLine& shell, const std::string& program, Words arguments,
                   const std::string& input = {})
    {
        ProcessSpec spec = shell.spec(std::move(arguments));
        spec.program = program;
        return CommandLine::execute(std::move(spec), input, std::chrono::seconds(300));
    }

    static void collectVerbs(const CommandLine& shell, const std::string& path, Words& verbs)
    {
        Words words;
        for (std::size_t at = 0; at < path.size();) {
            const std::size_t end = std::min(path.find(' ', at), path.size());
            words.push_back(path.substr(at, end - at));
            at = end + 1;
        }
        words.emplace_back("--help");
        const Answer help = shell.run(words);
        QVERIFY2(help.exit == 0, help.whole().c_str());
        const std::size_t list = help.out.find("\nSubcommands:\n");
        if (!path.empty()
            && (list == std::string::npos || help.out.find("SUBCOMMAND]") != std::string::npos)) {
            verbs.push_back(path);
            QVERIFY2(help.out.find("Example: sandglass " + path) != std::string::npos, help.whole().c_str());
        }
        if (list == std::string::npos)
            return;
        for (const std::string& line : lines(help.out.substr(list + 14)))
            if (line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
                collectVerbs(shell, (path.empty() ? "" : path + " ") + line.substr(2, line.find(' ', 2) - 2),
                             verbs);
            else if (!line.empty() && line[0] != ' ')
                break;
    }

private Q_SLOTS:
    void everyVerbHasAnExampleThatItTakes()
    {
        const CommandLine shell;
        Words verbs;
        collectVerbs(shell, "", verbs);
        QVERIFY2(verbs.size() > 70, std::to_string(verbs.size()).c_str());
        for (const std::string& verb : verbs) {
            const Answer help =
                inShell(shell, "/bin/sh", { "-c", SG_BIN_DIR "/sandglass " + verb + " --help" });
            const std::size_t at = help.out.find("Example: ") + 9;
            std::string example = help.out.substr(at, help.out.find('\n', at) - at);
            example = example.substr(0, std::min(example.find(" > "), example.find(" < ")));
            // All its words are known up to the one that is not.
            const Answer told =
                inShell(shell, "/bin/sh", { "-c", SG_BIN_DIR "/" + example + " --no-such-option" });
            QCOMPARE(told.exit, 2);
            QVERIFY2(told.err.find("no option '--no-such-option'") != std::string::npos,
                     (example + "\n" + told.whole()).c_str());
        }
    }

    // The first cell of a row names verbs; "`session pause`, `unpause`" are two of one group.
    void everyVerbStandsInTheTable()
    {
        const std::string text = *readFile(kGuide / "command-line.md", 1U << 20U);
        const std::size_t table = text.find("| verb | prints |");
        QVERIFY(table != std::string::npos);
        std::set<std::string> told;
        for (const std::string& row : lines(text.substr(table, text.find("\n\n", table) - table))) {
            const std::string cell = row.substr(0, row.find(" | ", 2));
            std::string group;
            for (std::size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at + 1)) {
                const std::size_t end = cell.find('`', at + 1);
                QVERIFY2(end != std::string::npos, row.c_str());
                const std::string name = cell.substr(at + 1, end - at - 1);
                told.insert({ name, group + name });
                if (const std::size_t blank = name.find(' '); blank != std::string::npos)
                    group = name.substr(0, blank + 1);
                at = end;
            }
        }
        Words verbs;
        collectVerbs(CommandLine(), "", verbs);
        QVERIFY(verbs.size() > 70);
        std::string missing;
        for (const std::string& verb : verbs)
            if (!told.contains(verb))
                missing += verb + "\n";
        QCOMPARE(missing, std::string());
    }

    void chaptersArePrinted()
    {
        const CommandLine shell;
        const Answer list = shell.run({ "--json", "help" });
        QVERIFY2(list.exit == 0, list.whole().c_str());
        const Value chapters = list.json()["chapters"];
        QVERIFY(chapters.asList().size() >= 12);
        std::size_t files = 0;
        for (const auto& entry : fs::directory_iterator(kGuide))
            files += entry.path().extension() == ".md" ? 1 : 0;
        QCOMPARE(chapters.asList().size() + 1, files); // and the index: nothing is left out of it
        for (const Value& chapter : chapters.asList()) {
            QVERIFY(!chapter.stringOr("title", "").empty() && !chapter.stringOr("summary", "").empty());
            const Answer text = shell.run({ "help", chapter.stringOr("name", "") });
            QVERIFY2(text.exit == 0 && text.out.starts_with("# " + chapter.stringOr("title", "")),
                     text.whole().c_str());
        }
        const Answer unknown = shell.run({ "help", "sesions" });
        QCOMPARE(unknown.exit, 2);
        QVERIFY2(unknown.err.find("did you mean 'sessions'?") != std::string::npos, unknown.whole().c_str());
        QVERIFY(shell.run({ "help", "run" }).err.find("sandglass run --help") != std::string::npos);
    }

    void linksLeadSomewhere()
    {
        Words texts = { *readFile(SG_SOURCE_DIR "/README.md", 1U << 20U) };
        std::vector<fs::path> places = { SG_SOURCE_DIR };
        for (const auto& entry : fs::directory_iterator(kGuide)) {
            if (entry.path().extension() != ".md")
                continue;
            texts.push_back(*readFile(entry.path(), 1U << 20U));
            places.push_back(kGuide);
        }
        for (std::size_t i = 0; i < texts.size(); ++i)
            for (std::size_t at = texts[i].find("]("); at != std::string::npos;
                 at = texts[i].find("](", at + 1)) {
                const std::string target = texts[i].substr(at + 2, texts[i].find(')', at) - at - 2);
                const std::string file = target.substr(0, target.find('#'));
                if (!target.starts_with("https:") && !file.empty())
                    QVERIFY2(fs::exists(places[i] / file), target.c_str());
            }
    }

    void whatTheGuideShowsRuns_data()
    {
        QTest::addColumn<std::string>("file");
        for (const auto& entry : fs::directory_iterator(kGuide))
            if (entry.path().extension() == ".md")
                QTest::newRow(entry.path().stem().c_str()) << entry.path().string();
        QTest::newRow("README") << std::string(SG_SOURCE_DIR "/README.md");
    }

    // In order, in a copy of the examples. README.md begins in a clone that was built, and says the way to
    // them.
    void whatTheGuideShowsRuns()
    {
        SG_NEED("bubblewrap");
        SG_NEED("runtime");
        QFETCH(std::string, file);
        const std::string text = *readFile(file, 1U << 20U);
        const bool isReadme = file.ends_with("README.md");
        CommandLine shell;
        const fs::path examples = isReadme ? shell.project() / "resources" / "examples" : shell.project();
        fs::create_directories(examples);
        fs::copy(SG_SOURCE_DIR "/resources/examples", examples,
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        for (const auto& entry : fs::directory_iterator(examples))
            fs::remove_all(entry.path() / ".sandglass");
        if (isReadme) {
            fs::create_directories(shell.project() / "build" / "release");
            fs::create_directory_symlink(SG_BIN_DIR, shell.project() / "build" / "release" / "bin");
        } else {
            const char* path = std::getenv("PATH");
            shell.replaceEnvironment("PATH", std::string(SG_BIN_DIR ":") + (path != nullptr ? path : ""));
        }
        // The sandbox's Python is the user's, all else that is written to a home is not.
        if (std::getenv("SANDGLASS_PYTHON") == nullptr)
            shell.replaceEnvironment("SANDGLASS_PYTHON",
                                     (userDataFolder() / "sandglass" / "python").string());
        fs::create_directories(shell.outside() / "home");
        shell.replaceEnvironment("HOME", (shell.outside() / "home").string());
        std::string before; // lines that hold for those after them
        for (const std::string& block : blocks(text, "sh"))
            for (const std::string& line : lines(block)) {
                if (line.empty() || line[0] == '#')
                    continue;
                if (line.starts_with("export ") || line.starts_with("cd ")) {
                    before += line + " && ";
                    continue;
                }
                const Answer answer = inShell(shell, "/bin/sh", { "-c", before + line });
                QVERIFY2(answer.exit == exitOf(line), (line + "\n" + answer.whole()).c_str());
            }
        for (const std::string& block : blocks(text, "json")) {
            shell.write("shown.graph.json", block);
            const Answer answer = shell.run({ "validate", "shown.graph.json" });
            QVERIFY2(answer.exit == 0, (block + "\n" + answer.whole()).c_str());
        }
    }

    void bashCompletes()
    {
        const CommandLine shell;
        const Answer script = shell.run({ "completions", "bash" });
        QVERIFY2(script.exit == 0, script.whole().c_str());
        shell.write("completion", script.out);
        const auto completed = [&](const std::string& words) {
            const Answer answer = inShell(shell, "/bin/bash",
                                          { "-c",
                                            "source ./completion; COMP_WORDS=(" + words
                                                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sandglass; "
                                                  "printf '%s\\n' \"${COMPREPLY[@]}\"" });
            return answer.exit == 0 ? answer.out : answer.whole();
        };
        QCOMPARE(completed("sandglass sess"), std::string("session\n"));
        QCOMPARE(completed("sandglass session unp"), std::string("unpause\n"));
        QCOMPARE(completed("sandglass session exec --thr"), std::string("--thread\n"));
        QCOMPARE(completed("sandglass fork --sandbox st"), std::string("stored\n"));
        QCOMPARE(completed("sandglass run --thread session --jso"),
                 std::string("--json\n")); // a value is no verb
        QCOMPARE(completed("sandglass run --thread a"), std::string("\n")); // nothing that it knows of
    }

    void otherShellsReadTheirs_data()
    {
        QTest::addColumn<std::string>("shell");
        for (const char* name : { "zsh", "fish" })
            QTest::newRow(name) << std::string(name);
    }

    void otherShellsReadTheirs()
    {
        QFETCH(std::string, shell);
        const CommandLine line;
        const Answer script = line.run({ "completions", shell });
        QVERIFY2(script.exit == 0 && script.out.find("unpause") != std::string::npos, script.whole().c_str());
        SG_NEED("shells");
        line.write("completion", script.out);
        const Answer read =
            inShell(line, "/usr/bin/env", { shell, shell == "zsh" ? "-n" : "--no-execute", "completion" });
        QVERIFY2(read.exit == 0 && read.err.empty(), read.whole().c_str());
    }

    void manualPagesAreWhole()
    {
        const CommandLine shell;
        const Answer written = shell.run({ "--json", "manual", "-o", "man1" });
        QVERIFY2(written.exit == 0, written.whole().c_str());
        QVERIFY(written.json()["pages"].asInt() > 80);
        const std::string page = *readFile(shell.project() / "man1" / "sandglass-session-exec.1", 1U << 20U);
        for (const char* part : { ".SH SYNOPSIS", "\\fB\\-\\-thread\\fR", ".SH EXAMPLE", "sum(range(10))" })
            QVERIFY2(page.find(part) != std::string::npos, page.c_str());
        SG_NEED("shells");
        for (const auto& entry : fs::directory_iterator(shell.project() / "man1")) {
            const Answer read = inShell(shell, "/usr/bin/env",
                                        { "groff", "-Kutf8", "-man", "-ww", "-z", "-Tutf8", entry.path() });
            QVERIFY2(read.exit == 0 && read.err.empty(), (entry.path().string() + read.whole()).c_str());
        }
    }
};

SG_TEST(TestCliHelp)
#include "tst_cli_help.moc"
