#include "app/cli/commands/commands.h"
#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/project_option.h"
#include "core/upkeep/thread_bundle.h"

#include <algorithm>
#include <filesystem>
#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    SessionPlace place;
    std::string thread;
    std::string file;
    std::string as;
    bool allowSecrets = false;
};

Value secretsOf(const upkeep::BundleReport& report)
{
    ValueList list;
    for (const auto& secret : report.secrets)
        list.push_back(
            Value::map({ { "kind", secret.kind }, { "where", secret.where }, { "shown", secret.masked } }));
    return Value(std::move(list));
}

void tell(const upkeep::BundleReport& report, const std::string& file, const Output& out)
{
    if (out.json)
        out.document(Value::map({ { "thread_id", report.thread.value },
                                  { "file", file },
                                  { "checkpoints", report.checkpoints },
                                  { "artifacts", report.artifacts },
                                  { "snapshot_contents", report.snapshots },
                                  { "bytes", report.bytes },
                                  { "secrets", secretsOf(report) } }));
    out.text(report.thread.value + ": " + counted(report.checkpoints, "checkpoint") + ", "
             + counted(report.artifacts, "artifact") + ", " + std::to_string(report.bytes)
             + " bytes unpacked");
}

int exportBundle(const Arguments& arguments, const Output& out)
{
    const auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    auto project = arguments.place.open(SessionPlace::For::Reading);
    if (!project)
        return out.fail(project.error());
    std::string target = arguments.thread + ".sandglass.zip";
    std::ranges::replace(target, '/', '_');
    if (!arguments.file.empty())
        target = arguments.file;
    const auto report = upkeep::exportThread(
        (*project)->parts(), { *thread, std::filesystem::absolute(target), arguments.allowSecrets });
    if (!report)
        return out.fail(report.error());
    if (!report->isWritten) {
        for (const auto& secret : report->secrets)
            out.note(secret.where + ": " + secret.kind + ", " + secret.masked);
        return out.fail(Failed,
                        "nothing was written: "
                            + counted(static_cast<std::int64_t>(report->secrets.size()), "place")
                            + " look like secrets. Remove them, or export with --allow-secrets",
                        secretsOf(*report));
    }
    tell(*report, target, out);
    return Done;
}

int importBundle(const Arguments& arguments, const Output& out)
{
    if (!arguments.as.empty())
        if (const auto thread = threadArgument(arguments.as); !thread)
            return out.fail(thread.error());
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    const auto report = upkeep::importThread((*project)->parts(), arguments.file, arguments.as);
    if (!report)
        return out.fail(report.error());
    tell(*report, arguments.file, out);
    return Done;
}

} // namespace

void addBundle(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("bundle", "a thread as one file: checkpoints, logs, metrics, artifacts, snapshots");
    verb.needsVerb();
    Verb exporting = verb.add("export", "write a thread into one file");
    Verb importing = verb.add("import", "take a thread from such a file into a project");
    for (Verb each : { exporting, importing }) {
        arguments->place.add(each, false);
        arguments->place.addDatabase(each);
    }
    exporting.option("--thread", arguments->thread, "thread").required();
    exporting.option("-o,--output", arguments->file, "file (default: THREAD.sandglass.zip)");
    exporting.flag("--allow-secrets", arguments->allowSecrets, "also where something looks like a secret");
    importing.option("FILE", arguments->file, "file").required();
    importing.option("--as", arguments->as, "name of the thread here (default: its own)");
    exporting.onRun([arguments, &shell] { shell.exit = exportBundle(*arguments, shell.out); });
    importing.onRun([arguments, &shell] { shell.exit = importBundle(*arguments, shell.out); });
}

} // namespace sg::cli
