#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/sandbox/backend_kinds.h"

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace sg::cli {
namespace {

struct Arguments {
    SessionPlace place;
    std::string thread;
    std::string id;
    double seconds = 0;
    std::optional<std::int64_t> memoryMb;
    std::optional<std::int64_t> pids;
    std::optional<double> cpus;
    bool dryRun = false;
    int recordDays = 30;
};

int start(const Arguments& arguments, const Output& out)
{
    auto thread = threadArgument(arguments.thread);
    if (!thread)
        return out.fail(thread.error());
    const InterruptWatch interrupt;
    SessionPlace place = arguments.place;
    place.session.keep = true; // or the session would end with this command
    auto project = place.open();
    if (!project)
        return out.fail(project.error());
    auto spec = (*project)->sessionSpec();
    if (!spec)
        return out.fail(spec.error());
    const auto backend = (*project)->sessions().backendInfo(spec->backend);
    if (backend && !sandbox::mayBeKept(backend->name))
        return out.fail({ Errc::Unavailable,
                          "no " + std::string(sandbox::firstBackendOn(sandbox::RunsOn::Image).help)
                              + " answers, and a " + backend->name
                              + " session ends with the program that started it: use sandglass session "
                                "attach, or start an engine" });
    auto session = (*project)->sessions().acquire(*thread, *spec, interrupt.token(),
                                                  [&out](const std::string& line) { out.note(line); });
    if (!session)
        return out.fail(session.error());
    const sessions::SessionInfo info = (*session)->info();
    if (out.json)
        out.document(sessionDocument(info));
    out.text(info.id.value + "  " + info.backend + "  " + info.sandboxName);
    return Done;
}

// Runs the verbs pause and unpause.
int change(const Arguments& arguments, const Output& out, bool pauses)
{
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    sessions::SessionManager& sessions = (*project)->sessions();
    const SessionId id(arguments.id);
    if (auto done = pauses ? sessions.pause(id) : sessions.unpause(id); !done)
        return out.fail(done.error());
    const char* state = pauses ? "paused" : "kept";
    if (out.json)
        out.document(Value::map({ { "session_id", arguments.id }, { "state", state } }));
    out.text(arguments.id + (pauses ? ": paused" : ": goes on"));
    return Done;
}

int extend(const Arguments& arguments, const Output& out)
{
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    const SessionId id(arguments.id);
    const std::chrono::milliseconds time(std::llround(arguments.seconds * 1000));
    if (auto done = (*project)->sessions().extend(id, time); !done)
        return out.fail(done.error());
    Value until;
    if (sessions::SessionRecords* records = (*project)->sessions().records())
        if (const auto record = records->find(id); record && *record && (*record)->extendedUntil)
            until = isoTime(*(*record)->extendedUntil);
    if (out.json)
        out.document(Value::map({ { "session_id", arguments.id }, { "lives_until", until } }));
    out.text(arguments.id + ": lives until " + (until.isString() ? until.asString() : "") + " at least");
    return Done;
}

int limits(const Arguments& arguments, const Output& out)
{
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    sessions::SessionManager& sessions = (*project)->sessions();
    for (const sessions::SessionInfo& info : sessions.list()) {
        if (info.id.value != arguments.id)
            continue;
        sessions::SessionInfo changed = info;
        if (arguments.memoryMb)
            changed.limits.memoryBytes = *arguments.memoryMb << 20;
        changed.limits.pids = arguments.pids.value_or(info.limits.pids);
        changed.limits.cpus = arguments.cpus.value_or(info.limits.cpus);
        if (auto set = sessions.setLimits(info.id, changed.limits); !set)
            return out.fail(set.error());
        if (out.json)
            out.document(sessionDocument(changed));
        out.text(arguments.id + ": " + std::to_string(changed.limits.memoryBytes >> 20) + " MiB, "
                 + std::to_string(changed.limits.pids) + " processes, " + std::to_string(changed.limits.cpus)
                 + " CPUs");
        return Done;
    }
    return out.fail({ Errc::NotFound,
                      "there is no living session " + arguments.id
                          + "; \"sandglass session list\" shows those there are" });
}

int collect(const Arguments& arguments, const Output& out)
{
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    const auto garbage = (*project)->sessions().collectGarbage(arguments.dryRun,
                                                               std::chrono::hours(24 * arguments.recordDays));
    if (!garbage)
        return out.fail(garbage.error());
    ValueList document;
    for (const sessions::Garbage& each : *garbage) {
        document.push_back(Value::map({ { "kind", each.kind },
                                        { "name", each.name },
                                        { "session_id", each.session.value },
                                        { "why", each.why } }));
        out.text(std::string(arguments.dryRun ? "would remove " : "removed ") + each.kind + " " + each.name
                 + " " + each.session.value + ": " + each.why);
    }
    if (out.json)
        out.document(document);
    else if (document.empty())
        out.note("nothing to remove");
    return Done;
}

std::string numberText(double number)
{
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

// The values of settings that no place sets, for this project and given the other settings.
std::map<std::string, std::string, std::less<>> builtIn(const config::SessionSettings& settings,
                                                        const projects::ProjectPaths& project)
{
    const auto mebibytes = [](std::int64_t bytes) { return std::to_string(bytes >> 20); };
    const sandbox::Limits& limits = settings.session.limits;
    const sessions::SnapshotLimits snapshots = config::snapshotLimits(settings.merged);
    const auto artifactBytes = config::artifactOptions(settings.merged).maxFileBytes;
    return { { "backend", settings.session.backend },
             { "image", settings.session.image },
             { "scope", "thread" },
             { "datasets_folder", project.datasets.string() },
             { "hybrid_folder", project.datasets.string() },
             { "sessions_root", project.sessions.string() },
             { "blobs", project.blobs.string() },
             { "blobs_mb", "4096" },
             { "bucket", "none" },
             { "artifacts_db", project.artifacts.string() },
             { "memory_mb", mebibytes(limits.memoryBytes) },
             { "tmpfs_mb", mebibytes(limits.tmpfsBytes) },
             { "pids", std::to_string(limits.pids) },
             { "cpus", numberText(limits.cpus) },
             { "open_files", std::to_string(limits.openFiles) },
             { "cell_s", numberText(static_cast<double>(settings.cell.deadline.count()) / 1000) },
             { "output_mb", mebibytes(settings.cell.outputBytes) },
             { "state_mb", mebibytes(settings.cell.stateBytes) },
             { "jq_mb", "512" },
             { "idle_timeout_s", "0" },
             { "max_age_s", "0" },
             { "artifact_mb", mebibytes(static_cast<std::int64_t>(artifactBytes)) },
             { "artifacts_days", "all" },
             { "artifacts_mb", "all" },
             { "snapshots_live", std::to_string(snapshots.live) },
             { "snapshots_memory_mb", mebibytes(limits.memoryBytes / 4 * 3) },
             { "snapshot_files_mb", mebibytes(snapshots.fileBytes) },
             { "snapshots_mb", "all" },
             { "pool", "0" },
             { "pool_state", "running" },
             { "offline", "no" } };
}

int settings(const Arguments& arguments, const Output& out)
{
    auto project = arguments.place.open(SessionPlace::For::Reading);
    if (!project)
        return out.fail(project.error());
    const auto settings = (*project)->sessionSettings();
    if (!settings)
        return out.fail(settings.error());
    const config::MergedSettings& merged = settings->merged;
    Value document = Value::map({ { "mode", nameOf(merged.mode) } });
    const auto unset = builtIn(*settings, (*project)->project());
    const auto add = [&](std::string_view key, const Value& value, const std::string& from,
                         std::string_view variable, std::string_view help) {
        document.editMap().set(std::string(key), Value::map({ { "value", value }, { "from", from } }));
        const std::string text = value.isString() ? value.asString() : "none";
        out.text(padded(std::string(key), 19) + " " + padded(text, 19) + " " + padded(from, 47) + " "
                 + padded(std::string(variable), 25) + " " + std::string(help));
    };
    const auto valueOf = [&](std::string_view key) {
        const auto found = unset.find(key);
        return found == unset.end() ? Value() : Value(found->second);
    };
    out.text("mode " + nameOf(merged.mode)
             + "; weakest first: built in, graph file, env file, environment, command line");
    for (const config::SettingKey& key : config::settingKeys()) {
        const std::string* text = merged.text(key.name);
        if (key.name == "storage")
            add(key.name, std::string(nameOf(merged.mode.storage)), merged.storageFrom, key.variable,
                key.help);
        else if (key.name == "datasets")
            add(key.name, std::string(nameOf(merged.mode.datasets)), merged.datasetsFrom, key.variable,
                key.help);
        else if (key.name != "mode")
            add(key.name, text != nullptr ? Value(*text) : valueOf(key.name), merged.from(key.name),
                key.variable, key.help);
    }
    if (out.json)
        out.document(document);
    return Done;
}

} // namespace

void addSessionCare(Verb verb, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    const auto add = [&](const char* name, const std::string& help,
                         int (*run)(const Arguments&, const Output&)) {
        Verb each = verb.add(name, help);
        each.onRun([arguments, run, &shell] { shell.exit = run(*arguments, shell.out); });
        return each;
    };
    const std::string kept = sandbox::backendNames([](const auto& kind) { return kind.mayBeKept; });
    Verb starting = add("start", "start a thread's session and let it live on (" + kept + ")", start);
    Verb pausing = add("pause", "stop all that runs in a session; its memory stays",
                       [](const Arguments& a, const Output& out) { return change(a, out, true); });
    Verb waking = add("unpause", "let a paused session go on",
                      [](const Arguments& a, const Output& out) { return change(a, out, false); });
    Verb extending = add("extend", "let a session live longer than its idle time and age allow", extend);
    Verb limiting = add("limits", "change a living session's limits", limits);
    Verb collecting = add("gc", "remove what killed programs left, and sessions whose time is over", collect);
    Verb showing = add("settings", "show each setting of sessions, and where it comes from", settings);
    for (Verb each : { pausing, waking, extending, limiting, collecting })
        arguments->place.add(each, false);
    for (Verb each : { starting, showing })
        arguments->place.add(each, true);
    starting.option("--thread", arguments->thread, "whose session it is").required();
    for (Verb each : { pausing, waking, extending, limiting })
        each.option("SESSION", arguments->id, "id, as session list prints it").required();
    extending.option("--by", arguments->seconds, "seconds from now").required().within(1.0, 2592000.0);
    limiting.option("--memory-mb", arguments->memoryMb, "MiB").within(32, 16777216);
    limiting.option("--pids", arguments->pids, "processes and threads").within(8, 1000000);
    limiting.option("--cpus", arguments->cpus, "CPUs").within(0.01, 4096.0);
    collecting.flag("--dry-run", arguments->dryRun, "tell what would be removed");
    collecting
        .option("--records-days", arguments->recordDays,
                "forget sessions that ended so long ago (default 30)")
        .within(0, 36500);
}

} // namespace sg::cli
