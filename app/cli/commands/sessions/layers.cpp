#include "app/cli/commands/sessions/session_parts.h"
#include "app/cli/interrupt_watch.h"
#include "core/layers/requirement_layers.h"

#include <chrono>
#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    SessionPlace place;
    std::vector<std::string> ids;
    bool forget = false;
    bool dryRun = false;
    int days = 30;
};

constexpr const char* kInstallThread = "sandglass:layers"; // a name that no person gives a thread

layers::RequirementLayers layersHere()
{
    return { config::layersFolder(), config::processEnvironment };
}

Value layerDocument(const layers::LayerRecord& record, const layers::LayerFolder& folder)
{
    ValueList packages;
    for (const layers::Pin& pin : record.pins)
        packages.push_back(Value::map({ { "name", pin.name },
                                        { "version", pin.version },
                                        { "sha256", pin.sha256.empty() ? Value() : Value(pin.sha256) },
                                        { "url", pin.url.empty() ? Value() : Value(pin.url) } }));
    return Value::map(
        { { "layer", record.id },
          { "installed", record.isInstalled },
          { "in_use", record.isInUse },
          { "backend", record.backend },
          { "python", record.python },
          { "platform", record.platform },
          { "requirements", ValueList(record.requirements.begin(), record.requirements.end()) },
          { "packages", Value(std::move(packages)) },
          { "warnings", ValueList(record.warnings.begin(), record.warnings.end()) },
          { "bytes", record.bytes },
          { "files", record.files },
          { "created_at", record.createdAt },
          { "last_used_at", record.lastUsedAt.empty() ? Value() : Value(record.lastUsedAt) },
          { "folder", record.isInstalled ? Value(folder.packages(record.id).string()) : Value() } });
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : ", ") + text;
    return all;
}

std::string sizeText(std::int64_t bytes)
{
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

int list(const Output& out)
{
    const auto here = layersHere();
    const auto records = here.folder().list();
    if (!records)
        return out.fail(records.error());
    ValueList document;
    for (const layers::LayerRecord& record : *records) {
        document.push_back(layerDocument(record, here.folder()));
        std::vector<std::string> pins;
        for (const layers::Pin& pin : record.pins)
            pins.push_back(pin.text());
        out.text(record.id + "  " + record.backend + "  Python " + record.python + "  "
                 + (record.isInstalled ? sizeText(record.bytes) : "removed, resolved versions kept")
                 + (record.isInUse ? "  in use" : "") + "\n  required: " + joined(record.requirements)
                 + "\n  packages: " + (pins.empty() ? "none beside the sandbox's own" : joined(pins)));
    }
    if (out.json)
        out.document(document);
    else if (document.empty())
        out.note("no layers; a graph's \"requirements\" make one");
    return Done;
}

int install(const Arguments& arguments, const Output& out)
{
    const InterruptWatch interrupt;
    auto project = arguments.place.open();
    if (!project)
        return out.fail(project.error());
    auto spec = (*project)->sessionSpec();
    if (!spec)
        return out.fail(spec.error());
    if (spec->requirements.empty())
        return out.fail(Usage,
                        "the graph of " + (*project)->project().folder.string() + " has no \"requirements\"");
    spec->mode = {};
    spec->keep = false;
    auto session = (*project)->sessions().acquire(ThreadId(kInstallThread), *spec, interrupt.token(),
                                                  [&out](const std::string& line) { out.note(line); });
    if (!session)
        return out.fail(session.error());
    const sessions::SessionInfo info = (*session)->info();
    (*session)->end();
    if (out.json)
        out.document(Value::map({ { "layer", info.layer },
                                  { "packages", ValueList(info.packages.begin(), info.packages.end()) } }));
    out.text(info.layer + ": "
             + (info.packages.empty() ? "no packages beside the sandbox's own" : joined(info.packages)));
    return Done;
}

int remove(const Arguments& arguments, const Output& out)
{
    const auto here = layersHere();
    ValueList removed;
    for (const std::string& id : arguments.ids) {
        if (auto done = here.folder().remove(id, arguments.forget); !done)
            return out.fail(done.error());
        removed.emplace_back(id);
        out.text(id + ": removed");
    }
    if (out.json)
        out.document(Value::map({ { "removed", Value(std::move(removed)) } }));
    return Done;
}

int collect(const Arguments& arguments, const Output& out)
{
    const auto here = layersHere();
    const auto since = std::chrono::system_clock::now() - std::chrono::hours(24 * arguments.days);
    const auto collected = here.collect(since, arguments.dryRun);
    if (!collected)
        return out.fail(collected.error());
    ValueList ids;
    std::int64_t bytes = 0;
    for (const layers::LayerRecord& record : *collected) {
        ids.emplace_back(record.id);
        bytes += record.bytes;
        out.text(record.id + "  " + sizeText(record.bytes) + "  last used " + record.lastUsedAt
                 + (arguments.dryRun ? "  would be removed" : "  removed"));
    }
    if (out.json)
        out.document(Value::map(
            { { "dry_run", arguments.dryRun }, { "removed", Value(std::move(ids)) }, { "bytes", bytes } }));
    else if (collected->empty())
        out.note("nothing to remove");
    return Done;
}

} // namespace

void addLayers(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("layers", "Python packages that graphs require, installed for all projects");
    verb.needsVerb();
    Verb listing = verb.add("list", "list them");
    Verb installing = verb.add("install", "install what the project's graph requires");
    Verb removing = verb.add("remove", "remove some; they come back when they are wanted");
    Verb collecting = verb.add("gc", "remove those that were not used for a while");
    arguments->place.add(installing, true);
    removing.option("LAYER", arguments->ids, "ids, as layers list prints them").required();
    removing.flag("--forget", arguments->forget, "also what they were resolved to: versions are chosen anew");
    collecting.option("--days", arguments->days, "not used for so many days (default: 30)").within(0, 36500);
    collecting.flag("--dry-run", arguments->dryRun, "only say what would be removed");
    listing.onRun([&shell] { shell.exit = list(shell.out); });
    installing.onRun([arguments, &shell] { shell.exit = install(*arguments, shell.out); });
    removing.onRun([arguments, &shell] { shell.exit = remove(*arguments, shell.out); });
    collecting.onRun([arguments, &shell] { shell.exit = collect(*arguments, shell.out); });
}

} // namespace sg::cli
