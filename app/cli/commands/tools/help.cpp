#include "app/cli/commands/tools/help.h"

#include "app/cli/completions.h"
#include "app/cli/manual.h"
#include "core/base/file.h"
#include "core/config/guide.h"
#include "core/config/runtime.h"
#include "core/graph/near_name.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

namespace sg::cli {
namespace {

int listChapters(const std::vector<config::GuideChapter>& chapters, const Output& out)
{
    std::size_t width = 0;
    ValueList document;
    for (const config::GuideChapter& chapter : chapters) {
        width = std::max(width, chapter.name.size());
        document.push_back(Value::map(
            { { "name", chapter.name }, { "title", chapter.title }, { "summary", chapter.summary } }));
    }
    if (out.json)
        out.document(Value::map({ { "chapters", std::move(document) } }));
    out.text("The guide's chapters; sandglass help CHAPTER prints one.\n");
    for (const config::GuideChapter& chapter : chapters)
        out.text(padded(chapter.name, width) + "  " + chapter.summary);
    out.text("\nOf a verb: sandglass VERB --help");
    return Done;
}

int showHelp(const std::string& wanted, const CommandLine& line, const Output& out)
{
    const auto chapters = config::readGuide(config::locateRuntime().guide);
    if (!chapters)
        return out.fail(chapters.error());
    if (wanted.empty())
        return listChapters(*chapters, out);
    const auto chapter = std::ranges::find(*chapters, wanted, &config::GuideChapter::name);
    if (chapter != chapters->end()) {
        if (out.json)
            out.document(Value::map(
                { { "name", chapter->name }, { "title", chapter->title }, { "text", chapter->text } }));
        out.text(chapter->text);
        return Done;
    }
    for (const VerbInfo& verb : line.described().verbs)
        if (verb.path == wanted)
            return out.fail(Usage, "'" + wanted + "' is a verb. See: sandglass " + wanted + " --help");
    std::vector<std::string_view> names;
    for (const config::GuideChapter& each : *chapters)
        names.push_back(each.name);
    const std::string meant = graph::didYouMean(wanted, names);
    return out.fail(Usage,
                    "the guide has no chapter '" + wanted + "'" + (meant.empty() ? "." : meant)
                        + " See: sandglass help");
}

int printCompletions(const std::string& shell, const CommandLine& line, const Output& out)
{
    const auto script = completionScript(line.described(), shell);
    if (!script)
        return out.fail(Usage, "completions are made for bash, zsh and fish, not for '" + shell + "'");
    if (out.json)
        out.document(Value::map({ { "shell", shell }, { "script", *script } }));
    out.text(*script);
    return Done;
}

int writeManual(const std::filesystem::path& folder, const CommandLine& line, const std::string& version,
                const std::string& footer, const Output& out)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return out.fail(Failed, "make " + folder.string() + ": " + failed.message());
    const std::vector<ManualPage> pages = manualPages(line.described(), version, footer);
    for (const ManualPage& page : pages)
        if (auto written = writeFileAtomically(folder / page.file, page.text); !written)
            return out.fail(written.error());
    if (out.json)
        out.document(Value::map(
            { { "folder", folder.string() }, { "pages", static_cast<std::int64_t>(pages.size()) } }));
    out.text(counted(static_cast<std::int64_t>(pages.size()), "page") + " in " + folder.string());
    return Done;
}

} // namespace

void addHelp(CommandLine& line, const std::string& version, const std::string& footer, Shell& shell)
{
    const auto text = std::make_shared<std::string>();
    const Verb help = line.root().add("help", "the user's guide: its chapters, or one of them");
    help.option("CHAPTER", *text, "its name; none: a list of them");
    help.onRun([text, &line, &shell] { shell.exit = showHelp(*text, line, shell.out); });

    const Verb completions =
        line.root().add("completions", "a script that completes verbs and options in a shell");
    completions.option("SHELL", *text, "bash, zsh or fish").required().oneOf({ "bash", "zsh", "fish" });
    completions.onRun([text, &line, &shell] { shell.exit = printCompletions(*text, line, shell.out); });

    const Verb manual = line.root().add("manual", "write manual pages, one for each verb");
    manual.option("-o,--output", *text, "folder, such as ~/.local/share/man/man1").required();
    manual.onRun([text, version, footer, &line, &shell] {
        shell.exit = writeManual(*text, line, version, footer, shell.out);
    });
}

} // namespace sg::cli
