#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/documents.h"
#include "core/base/json.h"
#include "core/sessions/records/session_folder_view.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>

namespace fs = std::filesystem;

namespace sg::cli {
namespace {

constexpr std::size_t kSamples = 60;
constexpr std::size_t kModules = 20;

struct Arguments {
    SessionPlace place;
    std::string what;
    std::size_t limit = 20;
    bool noState = false;
    bool noArtifacts = false;
};

std::string cut(const std::string& text, std::size_t most)
{
    return text.size() <= most ? text : text.substr(0, most) + " …";
}

std::string oneLine(std::string text, std::size_t most)
{
    std::ranges::replace(text, '\n', ' ');
    return cut(text, most);
}

void showLog(const ValueList& log, std::int64_t lines, const Output& out)
{
    out.text("log (" + std::to_string(log.size()) + " of " + std::to_string(lines) + "):");
    for (const Value& line : log) {
        if (line.find("problem") != nullptr) {
            out.text("  " + line.stringOr("problem", "") + ": " + line.stringOr("line", ""));
            continue;
        }
        out.text("  " + line.stringOr("timestamp", "") + "  " + line.stringOr("event", "?")
                 + (line.find("code") != nullptr ? "  " + oneLine(line.stringOr("code", ""), 100) : ""));
        for (const char* key : { "stdout", "error" })
            if (const std::string text = line.stringOr(key, ""); !text.empty())
                out.text("      " + oneLine(text, 200));
    }
}

void showState(const Value& state, const Output& out)
{
    if (!state.isMap())
        return;
    out.text("variables:");
    if (const Value* variables = state.find("variables"); variables != nullptr && variables->isMap())
        for (const auto& [name, variable] : variables->asMap())
            out.text("  " + (name.isString() ? name.asString() : "?") + ": " + variable.stringOr("type", "?")
                     + " = " + oneLine(variable.stringOr("value", ""), 100));
    std::string modules;
    std::size_t hidden = 0;
    if (const Value* names = state.find("imported_modules"); names != nullptr && names->isList()) {
        const std::size_t shown = std::min(names->asList().size(), kModules);
        hidden = names->asList().size() - shown;
        for (std::size_t i = 0; i < shown; ++i)
            if ((*names)[i].isString())
                modules += " " + (*names)[i].asString();
    }
    if (hidden > 0)
        modules += " and " + std::to_string(hidden) + " more (--json lists them)";
    if (!modules.empty())
        out.text("modules:" + modules);
}

// The document of a folder, which is printed meanwhile.
Result<Value> viewFolder(const fs::path& folder, const Arguments& arguments, const Output& out)
{
    const auto view =
        sessions::viewSessionFolder(folder, { arguments.limit, !arguments.noState, !arguments.noArtifacts });
    if (!view)
        return view.error();
    if (!view->metadata.isMap() && view->logLines == 0 && !view->state.isMap() && view->problems.empty())
        return Error{ Errc::NotFound,
                      folder.string()
                          + " is no session's folder: it has neither session.log nor session_metadata.json" };
    if (view->metadata.isMap())
        for (const auto& [key, value] : view->metadata.asMap())
            out.text(padded(key.isString() ? key.asString() : "?", 22)
                     + (value.isString() ? value.asString() : toJson(value)));
    showLog(view->log, view->logLines, out);
    if (!arguments.noState)
        showState(view->state, out);
    ValueList files;
    for (const auto& [path, bytes] : view->artifacts) {
        files.push_back(Value::map({ { "path", path }, { "size", bytes } }));
        out.text("  artifacts/" + path + "  " + std::to_string(bytes) + " bytes");
    }
    for (const std::string& problem : view->problems)
        out.note(problem);
    ValueList problems(view->problems.begin(), view->problems.end());
    Value document =
        Value::map({ { "metadata", view->metadata }, { "log", view->log }, { "log_lines", view->logLines } });
    if (!arguments.noState)
        document.editMap().set("state", view->state);
    if (!arguments.noArtifacts)
        document.editMap().set("files", std::move(files));
    document.editMap().set("problems", std::move(problems));
    return document;
}

void addArtifactsOf(const SessionId& id, workbench::Workbench& project, Value& document, const Output& out)
{
    artifacts::ArtifactFilter filter;
    filter.session = id;
    const auto found = project.artifacts().list(filter);
    if (!found)
        return;
    ValueList list;
    for (const artifacts::Artifact& artifact : *found) {
        list.push_back(artifactDocument(artifact, project.artifacts().blobPath(artifact)));
        out.text("  " + artifact.id.value + "  " + artifact.path + "  " + std::to_string(artifact.size)
                 + " bytes");
    }
    document.editMap().set("artifacts", std::move(list));
}

void addHistory(const SessionId& id, sessions::SessionRecords& records, std::size_t limit, Value& document,
                const Output& out)
{
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    const auto most = static_cast<std::int64_t>(limit);
    ValueList notes;
    // One more tells whether there are more.
    if (auto found = records.notes(id, limit == 0 ? kAll : most + 1)) {
        if (limit != 0 && static_cast<std::int64_t>(found->size()) > most) {
            found->pop_back();
            out.note("There are more than these newest " + std::to_string(limit)
                     + " notes; --limit 0 shows all.");
        }
        for (auto note = found->rbegin(); note != found->rend(); ++note) {
            notes.push_back(Value::map({ { "time", isoTime(note->time) },
                                         { "event", note->event.text() },
                                         { "text", note->text } }));
            out.text("  " + isoTime(note->time) + "  " + note->event.text()
                     + (note->text.empty() ? "" : ": " + note->text));
        }
    }
    ValueList samples;
    if (const auto found = records.samples(id, kSamples))
        for (const sandbox::ResourceSample& sample : *found)
            samples.push_back(Value::map({ { "time", isoTime(sample.time) },
                                           { "cpu_percent", sample.cpuPercent },
                                           { "memory_bytes", sample.memoryBytes },
                                           { "memory_limit", sample.memoryLimit },
                                           { "pids", sample.pids },
                                           { "throttled_ms", sample.throttled.count() },
                                           { "disk_bytes", sample.diskBytes },
                                           { "disk_limit", sample.diskLimit } }));
    if (!samples.empty())
        out.text("  " + std::to_string(samples.size()) + " samples; the last: "
                 + std::to_string(samples.back().intOr("memory_bytes", 0) >> 20) + " MiB");
    document.editMap().set("notes", std::move(notes));
    document.editMap().set("samples", std::move(samples));
}

int view(const Arguments& arguments, const Output& out)
{
    std::error_code failed;
    if (arguments.what.find('/') != std::string::npos || fs::is_directory(arguments.what, failed)) {
        const auto document = viewFolder(arguments.what, arguments, out);
        if (!document)
            return out.fail(document.error());
        if (out.json)
            out.document(*document);
        return Done;
    }
    auto project = arguments.place.open(SessionPlace::For::Reading);
    if (!project)
        return out.fail(project.error());
    const SessionId id(arguments.what);
    sessions::SessionRecords* records = (*project)->sessions().records();
    const auto record = records == nullptr ? Result<std::optional<sessions::SessionRecord>>(
                            Error{ Errc::NotFound, "sessions of this project are not recorded" })
                                           : records->find(id);
    if (!record)
        return out.fail(record.error());
    if (!*record)
        return out.fail({ Errc::NotFound,
                          "there is no session " + id.value
                              + "; \"sandglass session list --all\" shows those there were" });
    const sessions::SessionInfo info = infoOf(**record);
    out.text(info.id.value + "  thread " + info.thread.value + "  " + info.backend + "  "
             + info.storage.text() + "/" + info.datasets.text() + "  " + info.state.text() + "  "
             + std::to_string(info.cells) + " cells");
    Value document = Value::map({ { "session", sessionDocument(info) } });
    addHistory(id, *records, arguments.limit, document, out);
    const fs::path folder = (*project)->project().sessions / id.value;
    if (info.storage == sessions::SessionStorage::Bind && fs::is_directory(folder, failed)) {
        const auto shown = viewFolder(folder, arguments, out);
        if (!shown)
            return out.fail(shown.error());
        document.editMap().set("folder", *shown);
    }
    if (!arguments.noArtifacts)
        addArtifactsOf(id, **project, document, out);
    if (out.json)
        out.document(document);
    return Done;
}

} // namespace

void addSessionView(Verb verb, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb viewing = verb.add("view", "show what a session did: log, variables, artifacts, figures");
    arguments->place.add(viewing, false);
    viewing
        .option("SESSION", arguments->what, "id, or the folder of a BIND session (LangGraph-Sandbox's too)")
        .required();
    viewing.option("--limit", arguments->limit, "lines of its log and notes (default 20; 0: all)");
    viewing.flag("--no-state", arguments->noState, "without variables");
    viewing.flag("--no-artifacts", arguments->noArtifacts, "without artifacts");
    viewing.onRun([arguments, &shell] { shell.exit = view(*arguments, shell.out); });
}

} // namespace sg::cli
