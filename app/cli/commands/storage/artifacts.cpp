#include "app/cli/blobs_option.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/storage/storage_move.h"
#include "app/cli/documents.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/config/artifact_place.h"
#include "core/servers/artifacts/artifact_service.h"

#include <algorithm>
#include <memory>
#include <set>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    BlobsOption blobs;
    std::string thread;
    std::vector<std::string> ids;
    std::string to = ".";
    bool dryRun = false;
    std::int64_t graceMinutes = 60;
    std::int64_t seconds = 600;
    std::string base;
};

Result<std::unique_ptr<artifacts::ArtifactStore>> openStore(const Arguments& arguments)
{
    auto located = arguments.place.locate();
    if (!located)
        return std::move(located.error());
    auto paths = config::placedByEnvironment(*located);
    if (!paths)
        return std::move(paths.error());
    std::error_code failed;
    if (!std::filesystem::exists(paths->artifacts, failed))
        return Error{ Errc::NotFound, "no artifacts in " + paths->folder.string() + " yet" };
    return config::openArtifacts(*located, arguments.blobs.settings());
}

bool hasThread(const Arguments& arguments)
{
    const auto database = arguments.place.openDatabase();
    if (!database)
        return false;
    const auto threads = (*database)->history().threads();
    return threads && std::ranges::any_of(*threads, [&](const history::ThreadRow& row) {
               return row.thread.value == arguments.thread;
           });
}

std::string noneText(const Arguments& arguments)
{
    return arguments.thread.empty()
        ? "no artifacts"
        : "thread '" + arguments.thread + "' has no artifacts. See all threads with: sandglass threads";
}

Result<std::vector<artifacts::Artifact>> choose(artifacts::ArtifactStore& store, const Arguments& arguments)
{
    if (!arguments.ids.empty()) {
        std::vector<artifacts::Artifact> chosen;
        for (const std::string& id : arguments.ids) {
            auto artifact = store.find(ArtifactId(id));
            if (!artifact)
                return std::move(artifact.error());
            chosen.push_back(std::move(*artifact));
        }
        return chosen;
    }
    artifacts::ArtifactFilter filter;
    if (!arguments.thread.empty())
        filter.thread = ThreadId(arguments.thread);
    auto found = store.list(filter);
    if (found && found->empty() && !arguments.thread.empty() && !hasThread(arguments))
        return Error{ Errc::NotFound, noneText(arguments) };
    return found;
}

int list(const Arguments& arguments, const Output& out)
{
    auto store = openStore(arguments);
    if (!store)
        return out.fail(store.error());
    auto found = choose(**store, arguments);
    if (!found)
        return out.fail(found.error());
    ValueList document;
    for (const artifacts::Artifact& artifact : *found) {
        document.push_back(artifactDocument(artifact, (*store)->blobPath(artifact)));
        out.text(artifact.id.value + "  " + artifact.origin.thread.value + "  " + artifact.origin.node.value
                 + "  " + artifact.path + "  " + std::to_string(artifact.size) + " bytes  "
                 + artifact.createdAt);
    }
    if (out.json)
        out.document(document);
    else if (found->empty())
        out.note(noneText(arguments));
    return Done;
}

int exportAll(const Arguments& arguments, const Output& out)
{
    auto store = openStore(arguments);
    if (!store)
        return out.fail(store.error());
    auto found = choose(**store, arguments);
    if (!found)
        return out.fail(found.error());
    if (found->empty())
        out.note(noneText(arguments));
    std::error_code failed;
    if (!found->empty())
        std::filesystem::create_directories(arguments.to, failed);
    if (failed)
        return out.fail(Failed, "create " + arguments.to + ": " + failed.message());
    std::set<ThreadId> threads;
    for (const artifacts::Artifact& artifact : *found)
        threads.insert(artifact.origin.thread);
    ValueList document;
    std::int64_t lost = 0;
    for (const artifacts::Artifact& artifact : *found) {
        auto file =
            (*store)->exportTo(artifact, servers::exportFolder(artifact, arguments.to, threads.size() > 1));
        if (file) {
            document.push_back(Value::map({ { "id", artifact.id.value }, { "file", file->string() } }));
            out.text(file->string());
            continue;
        }
        if (file.error().code == Errc::NoSpace) // so it would be for the following ones
            return out.fail(file.error());
        ++lost; // the others may be whole
        document.push_back(Value::map({ { "id", artifact.id.value }, { "error", file.error().message } }));
        out.note("error: " + artifact.id.value + ": " + file.error().message);
    }
    if (out.json)
        out.document(document);
    if (lost == 0)
        return Done;
    out.note(
        counted(lost, "artifact") + " of " + std::to_string(found->size())
        + " could not be exported. Run the node that made it again, or put a copy of .sandglass/blobs in "
          "its place.");
    return Failed;
}

int address(const Arguments& arguments, const Output& out)
{
    if (arguments.ids.empty())
        return out.fail(Usage, "name the artifacts: sandglass artifacts list shows their ids");
    auto located = arguments.place.locate();
    if (!located)
        return out.fail(located.error());
    const auto paths = config::placedByEnvironment(std::move(*located));
    if (!paths)
        return out.fail(paths.error());
    ValueList document;
    for (const std::string& id : arguments.ids) {
        const auto url =
            servers::artifactAddress(*paths, ArtifactId(id), std::chrono::seconds(arguments.seconds),
                                     arguments.base, SystemClock().now());
        if (!url)
            return out.fail(url.error());
        document.push_back(Value::map({ { "id", id }, { "url", *url }, { "seconds", arguments.seconds } }));
        out.text(*url);
    }
    if (out.json)
        out.document(document);
    return Done;
}

int verify(const Arguments& arguments, const Output& out)
{
    auto store = openStore(arguments);
    if (!store)
        return out.fail(store.error());
    const auto check = (*store)->verify({});
    if (!check)
        return out.fail(check.error());
    ValueList problems;
    for (const artifacts::ArtifactCheck::Problem& problem : check->problems) {
        problems.push_back(Value::map({ { "id", problem.artifact.id.value },
                                        { "path", problem.artifact.path },
                                        { "problem", problem.isMissing ? "missing" : "damaged" },
                                        { "text", problem.text } }));
        out.text(problem.artifact.id.value + "  " + problem.artifact.path + "  "
                 + (problem.isMissing ? "missing: " : "damaged: ") + problem.text);
    }
    if (out.json)
        out.document(Value::map({ { "artifacts", check->artifacts },
                                  { "contents", check->contents },
                                  { "bytes", static_cast<std::int64_t>(check->bytes) },
                                  { "problems", std::move(problems) } }));
    out.text(counted(check->artifacts, "artifact") + ", " + counted(check->contents, "content") + ", "
             + std::to_string(check->bytes) + " bytes read, "
             + counted(static_cast<std::int64_t>(check->problems.size()), "problem"));
    return check->problems.empty() ? Done : Failed;
}

int remove(const Arguments& arguments, const Output& out)
{
    if (arguments.ids.empty() && arguments.thread.empty())
        return out.fail(Usage, "name the artifacts to delete, or --thread for all of one");
    auto store = openStore(arguments);
    if (!store)
        return out.fail(store.error());
    const auto found = choose(**store, arguments);
    if (!found)
        return out.fail(found.error());
    std::vector<ArtifactId> ids;
    ValueList document;
    for (const artifacts::Artifact& artifact : *found) {
        ids.push_back(artifact.id);
        document.emplace_back(artifact.id.value);
    }
    if (auto removed = (*store)->remove(ids); !removed)
        return out.fail(removed.error());
    if (out.json)
        out.document(Value::map({ { "deleted", std::move(document) } }));
    out.text(counted(static_cast<std::int64_t>(ids.size()), "artifact")
             + " deleted; their contents go, an hour after they were stored, with: sandglass artifacts gc "
               "(at once with "
               "--grace 0)");
    return Done;
}

Value sharedValue(const std::optional<artifacts::SharedGarbage>& garbage)
{
    if (!garbage)
        return {};
    return Value::map({ { "contents", garbage->contents },
                        { "bytes", static_cast<std::int64_t>(garbage->bytes) },
                        { "uploads", garbage->uploads },
                        { "others", garbage->others } });
}

int push(const Arguments& arguments, const Output& out)
{
    auto store = openStore(arguments);
    if (!store)
        return out.fail(store.error());
    const auto& shared = (*store)->contents().shared();
    if (shared == nullptr)
        return out.fail(Usage,
                        "this project's artifacts are in its folder alone. Name a bucket with --blobs "
                        "s3://BUCKET/PREFIX, or carry them over: sandglass storage move");
    const auto before = shared->waiting();
    const auto state = before ? shared->settle({}, {}) : before;
    if (!state)
        return out.fail(state.error());
    if (out.json)
        out.document(Value::map({ { "place", shared->place() },
                                  { "pushed", before->count - state->count },
                                  { "waiting", state->count },
                                  { "bytes", static_cast<std::int64_t>(state->bytes) },
                                  { "error", state->fault.empty() ? Value() : Value(state->fault) } }));
    out.text(counted(before->count - state->count, "content") + " uploaded to " + shared->place() + ", "
             + std::to_string(state->count) + " waiting");
    if (!state->fault.empty())
        out.note("error: " + state->fault);
    return state->count == 0 && state->fault.empty() ? Done : Failed;
}

int collect(const Arguments& arguments, const Output& out)
{
    InterruptWatch interrupt;
    auto located = arguments.place.locate();
    if (!located)
        return out.fail(located.error());
    auto store = openStore(arguments);
    if (!store)
        return out.fail(store.error());
    auto options = config::collectOptions(*located);
    if (!options)
        return out.fail(options.error());
    options->stop = interrupt.begin(); // others wait for who collects in a bucket, so it ends in order
    options->dryRun = arguments.dryRun;
    options->grace = std::chrono::minutes(arguments.graceMinutes);
    const auto garbage = (*store)->collect(*options);
    if (!garbage)
        return failOfPlace(out, garbage.error());
    // Contents without a name that were stored a moment ago are only counted.
    options->dryRun = true;
    options->grace = std::chrono::seconds(0);
    options->collectsShared = false;
    const auto recent = (*store)->collect(*options);
    if (!recent)
        return out.fail(recent.error());
    const std::int64_t kept = recent->contents - (arguments.dryRun ? garbage->contents : 0);
    const auto keptBytes = static_cast<std::int64_t>(recent->bytes)
        - static_cast<std::int64_t>(arguments.dryRun ? garbage->bytes : 0);
    ValueList expired;
    for (const artifacts::Artifact& artifact : garbage->expired) {
        expired.emplace_back(artifact.id.value);
        out.text(artifact.id.value + "  " + artifact.path + "  " + artifact.createdAt);
    }
    if (out.json)
        out.document(Value::map({ { "dry_run", arguments.dryRun },
                                  { "expired", std::move(expired) },
                                  { "contents", garbage->contents },
                                  { "bytes", static_cast<std::int64_t>(garbage->bytes) },
                                  { "recent", kept },
                                  { "bucket", sharedValue(garbage->shared) } }));
    out.text(std::string(arguments.dryRun ? "would remove " : "removed ")
             + counted(static_cast<std::int64_t>(garbage->expired.size()), "artifact") + " and "
             + counted(garbage->contents, "content") + " of " + std::to_string(garbage->bytes) + " bytes");
    if (garbage->shared)
        out.text("in " + (*store)->contents().shared()->place() + ": "
                 + (arguments.dryRun ? "would remove " : "removed ")
                 + counted(garbage->shared->contents, "content") + " of "
                 + std::to_string(garbage->shared->bytes) + " bytes and "
                 + counted(garbage->shared->uploads, "upload") + " that broke off a week ago or more; what "
                 + counted(garbage->shared->others, "other folder") + " named stays");
    if (kept > 0)
        out.text(counted(kept, "content") + " of " + std::to_string(keptBytes) + " bytes that nothing names "
                 + (kept == 1 ? "stays: it was" : "stay: they were") + " stored less than "
                 + counted(arguments.graceMinutes, "minute")
                 + " ago. Remove at once with: sandglass artifacts gc --grace 0");
    return Done;
}

} // namespace

void addArtifacts(Verb app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = app.add("artifacts", "files that sessions left");
    verb.needsVerb();
    Verb listing = verb.add("list", "list them, newest first");
    Verb exporting = verb.add("export", "copy them out under their own names, verified");
    Verb verifying = verb.add("verify", "read every content and compare it with its hash");
    Verb pushing = verb.add("push", "upload what no run could bring to the bucket yet");
    Verb deleting = verb.add("delete", "take artifacts off the list");
    Verb collecting =
        verb.add("gc", "remove what the project's retention gives up, and contents that nothing names");
    Verb addressing =
        verb.add("url", "signed addresses, by which who has one gets it from `sandglass serve`");
    addressing.option("ID", arguments->ids, "artifacts").required();
    addressing.option("--seconds", arguments->seconds, "how long they are good (default 600, at most 900)")
        .variable("ARTIFACTS_TOKEN_TTL_SECONDS")
        .within(1, 900);
    addressing.option("--base", arguments->base,
                      "address of the server (default: ARTIFACTS_PUBLIC_BASE_URL, http://localhost:8000)");
    for (Verb each : { listing, exporting, verifying, pushing, deleting, collecting })
        arguments->blobs.add(each);
    for (Verb each : { listing, exporting, verifying, pushing, deleting, collecting, addressing })
        each.option("--project", arguments->place.project,
                    "project folder (default: the current one or above it)");
    for (Verb each : { listing, exporting, deleting }) {
        each.option("--thread", arguments->thread, "of this thread alone");
        each.option("ID", arguments->ids, "these alone");
    }
    exporting.option("-o,--output,--to", arguments->to,
                     "folder (default: the current one); the files' own folders stand in it, in one of each "
                     "thread where there are several");
    collecting.flag("--dry-run", arguments->dryRun, "tell what would be removed");
    collecting
        .option("--grace", arguments->graceMinutes,
                "minutes that a content which nothing names stays after it was stored (default 60)")
        .within(0, 1'000'000);
    const auto add = [&](Verb each, int (*run)(const Arguments&, const Output&)) {
        each.onRun([arguments, run, &shell] { shell.exit = run(*arguments, shell.out); });
    };
    add(listing, list);
    add(exporting, exportAll);
    add(addressing, address);
    add(verifying, verify);
    add(pushing, push);
    add(deleting, remove);
    add(collecting, collect);
}

} // namespace sg::cli
