#include "app/cli/commands/storage/storage_move.h"

#include "app/cli/commands/storage/storage_threads.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/project_option.h"
#include "core/config/artifact_place.h"
#include "core/config/placed_project.h"
#include "core/upkeep/content_move.h"

#include <memory>

namespace sg::cli {
namespace {

constexpr const char* kFolder = "none";
constexpr const char* kAllOfIt = "1073741824"; // MiB: the folder gives nothing up while it is to have all

struct Arguments {
    PlaceOption place;
    std::string blobs;
    ThreadsOption threads;
};

// The places where the artifacts are and where they are to be; empty: in the folder alone.
struct Way {
    projects::ProjectPaths located;
    projects::ProjectPaths project; // with its places
    config::MergedSettings settings;
    std::string from{};
    std::string to{};
};

Result<Way> wayOf(const Arguments& arguments)
{
    auto located = arguments.place.locate();
    if (!located)
        return std::move(located.error());
    const config::SettingValues wanted = config::blobsSettings(arguments.blobs);
    if (wanted.size() != 1)
        return Error{
            Errc::InvalidArgument,
            "storage move carries artifacts to a bucket, --blobs s3://BUCKET/PREFIX, or back to the "
            "project's folder, --blobs none"
        };
    const auto outer = config::outerSettings(*located, {}, config::processEnvironment, {});
    if (!outer)
        return outer.error();
    auto placed = config::placedProject(*located, *outer);
    if (!placed)
        return std::move(placed.error());
    config::SettingValues values = *outer;
    values.push_back({ "blobs_mb", kAllOfIt, config::SettingLayer::CommandLine, "storage move" });
    auto merged = config::mergeSettings(values);
    if (!merged)
        return std::move(merged.error());
    Way way{ .located = std::move(*located), .project = std::move(*placed), .settings = std::move(*merged) };
    auto from = config::bucketAddress(way.project, way.settings);
    // A place that nobody has allowed yet is what this command allows.
    if (!from && from.error().code != Errc::PermissionDenied)
        return std::move(from.error());
    way.from = from ? *from : std::string();
    way.to = wanted.front().text == kFolder ? std::string() : wanted.front().text;
    return way;
}

std::string placeName(const Way& way, const std::string& address)
{
    return address.empty() ? way.project.blobs.string() : address.substr(0, address.find('?'));
}

Result<std::shared_ptr<artifacts::SharedContents>> openPlace(const Way& way, const std::string& address)
{
    if (address.empty())
        return std::shared_ptr<artifacts::SharedContents>();
    auto opened = config::openBucket(address, way.project.blobs, way.settings);
    if (!opened)
        return opened;
    if (auto checked = (*opened)->check(); !checked)
        return std::move(checked.error());
    return opened;
}

// The place where the next run will look all the same, if something is stronger than what was noted.
struct Overruled {
    std::string by; // "SANDGLASS_BLOBS in the environment"; empty: nothing
    std::string address;
};

Result<Overruled> overruledBy(const Way& way)
{
    const auto outer = config::outerSettings(way.located, {}, config::processEnvironment, {});
    const auto merged = outer ? config::mergeSettings(*outer) : Result<config::MergedSettings>(outer.error());
    if (!merged)
        return merged.error();
    const auto found = merged->values.find(std::string_view("bucket"));
    if (found == merged->values.end())
        return Overruled();
    const std::string address = found->second.text == kFolder ? std::string() : found->second.text;
    return config::isSameBucket(address, way.to) ? Overruled() : Overruled{ found->second.from, address };
}

struct Moved {
    upkeep::ContentMove contents;
    Overruled overruled;
};

Result<Moved> carry(const Way& way, const upkeep::MoveProgress& progress, const std::stop_token& stop)
{
    auto from = openPlace(way, config::isSameBucket(way.from, way.to) ? std::string() : way.from);
    if (!from)
        return std::move(from.error());
    auto to = openPlace(way, way.to);
    if (!to)
        return std::move(to.error());
    artifacts::ArtifactStoreOptions options = config::artifactOptions(way.settings);
    options.shared = *to != nullptr ? *to : *from;
    auto store = artifacts::openArtifactStore(way.project.artifacts, way.project.blobs, options);
    if (!store)
        return std::move(store.error());
    auto moved = *to != nullptr ? upkeep::moveToShared(**store, from->get(), progress, stop)
                                : upkeep::moveToFolder(**store, progress, stop);
    if (!moved)
        return std::move(moved.error());
    Moved done{ std::move(*moved), {} };
    if (done.contents.waiting > 0 || !done.contents.fault.empty())
        return done;
    if (auto noted = config::noteBucket(way.project, way.to); !noted)
        return std::move(noted.error());
    auto overruled = overruledBy(way);
    if (!overruled)
        return std::move(overruled.error());
    done.overruled = std::move(*overruled);
    // A place that the next run uses is not left: what it names there would be removed.
    if (*from != nullptr && done.contents.lost.empty() && done.overruled.by.empty())
        if (auto left = (*from)->leave(stop); !left)
            return std::move(left.error()).during("the artifacts were carried over");
    return done;
}

Value moveValue(const Way& way, const upkeep::ContentMove& moved, const Overruled& overruled)
{
    ValueList lost;
    for (const std::string& each : moved.lost)
        lost.emplace_back(each);
    return Value::map({ { "from", placeName(way, way.from) },
                        { "to", placeName(way, way.to) },
                        { "artifacts", moved.artifacts },
                        { "contents", moved.contents },
                        { "bytes", static_cast<std::int64_t>(moved.bytes) },
                        { "carried", moved.carried },
                        { "carried_bytes", static_cast<std::int64_t>(moved.carriedBytes) },
                        { "waiting", moved.waiting },
                        { "error", moved.fault.empty() ? Value() : Value(moved.fault) },
                        { "lost", std::move(lost) },
                        { "overruled_by", overruled.by.empty() ? Value() : Value(overruled.by) } });
}

int tellMove(const Way& way, const Moved& moved, const Output& out)
{
    const upkeep::ContentMove& contents = moved.contents;
    out.text(counted(contents.artifacts, "artifact") + ", " + counted(contents.contents, "content") + " of "
             + std::to_string(contents.bytes) + " bytes: " + std::to_string(contents.carried) + " of "
             + std::to_string(contents.carriedBytes) + " bytes carried from " + placeName(way, way.from)
             + " to " + placeName(way, way.to) + ", the others were there");
    for (const std::string& lost : contents.lost)
        out.note("lost before: " + lost);
    if (contents.waiting > 0 || !contents.fault.empty()) {
        out.note(
            "error: " + std::to_string(contents.waiting) + " could not be carried: " + contents.fault
            + ". Nothing was changed about where the project keeps them; the same command goes on where it "
              "ended");
        return Failed;
    }
    if (!moved.overruled.by.empty()) {
        out.note("error: the artifacts are in both places, and the next run will use "
                 + placeName(way, moved.overruled.address) + ", as " + moved.overruled.by
                 + " says. Change or remove that. What the folder has named in " + placeName(way, way.from)
                 + " stays there");
        return Failed;
    }
    if (way.to.empty())
        out.text(
            "the project keeps its artifacts in its own folder now; what other folders name in the bucket "
            "stays there");
    else
        out.text("the project keeps its artifacts there from now on; " + way.project.blobs.string()
                 + " is their cache");
    return contents.lost.empty() ? Done : Failed;
}

struct Told {
    int exit = Done;
    Value document; // of what was carried; null where that failed
};

Told moveBlobs(const Arguments& arguments, const Output& out, const std::stop_token& stop)
{
    const auto way = wayOf(arguments);
    if (!way)
        return { out.fail(way.error()), {} };
    auto told = std::chrono::steady_clock::now();
    const auto moved = carry(
        *way,
        [&](const upkeep::ContentMove& now) {
            const auto time = std::chrono::steady_clock::now();
            if (time - told < std::chrono::seconds(5))
                return;
            told = time;
            out.note(std::to_string(now.carried) + " of " + counted(now.contents, "content") + " carried");
        },
        stop);
    if (!moved)
        return { failOfPlace(out, moved.error()), {} };
    return { tellMove(*way, *moved, out), moveValue(*way, moved->contents, moved->overruled) };
}

Told moveThreads(const Arguments& arguments, const Output& out, const std::stop_token& stop)
{
    const auto project = arguments.place.locate();
    if (!project)
        return { out.fail(project.error()), {} };
    const auto moved = arguments.threads.move(*project, out, stop);
    if (!moved)
        return { failOfPlace(out, moved.error()), {} };
    return { arguments.threads.tell(*moved, out), threadsDocument(*moved) };
}

// Everything that was said to be carried is carried; artifacts first. An error was printed as the document.
int move(const Arguments& arguments, const Output& out)
{
    if (const auto checked = arguments.threads.check(); !checked)
        return out.fail(checked.error());
    if (arguments.blobs.empty() && !arguments.threads.isGiven())
        return out.fail(Usage,
                        "say what is to be carried: the artifacts, with --blobs s3://BUCKET/PREFIX or "
                        "--blobs none, or the threads, with --db postgresql://HOST/DATABASE");
    InterruptWatch interrupt;
    const std::stop_token stop = interrupt.begin();
    Told blobs;
    if (!arguments.blobs.empty())
        blobs = moveBlobs(arguments, out, stop);
    if (!arguments.blobs.empty() && blobs.document.isNull())
        return blobs.exit;
    ValueMap document = arguments.blobs.empty() ? ValueMap() : blobs.document.asMap();
    if (!arguments.threads.isGiven()) {
        if (out.json)
            out.document(Value(std::move(document)));
        return blobs.exit;
    }
    Told threads = moveThreads(arguments, out, stop);
    if (threads.document.isNull())
        return threads.exit;
    document.set("database", std::move(threads.document));
    if (out.json)
        out.document(Value(std::move(document)));
    return threads.exit == Done ? blobs.exit : threads.exit;
}

} // namespace

int failOfPlace(const Output& out, const Error& error)
{
    if (error.code == Errc::Cancelled) {
        out.note("stopped; the same command goes on where it ended");
        return Stopped;
    }
    return error.code == Errc::Unavailable ? out.fail(Failed, error.message) : out.fail(error);
}

void addStorageMove(Verb storage, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    Verb verb = storage.add("move",
                            "carry artifacts to a bucket or threads to PostgreSQL, for several machines, or "
                            "back into the project");
    verb.option("--project", arguments->place.project,
                "project folder (default: the current one or above it)");
    verb.option("--blobs", arguments->blobs,
                "artifacts to s3://BUCKET/PREFIX, or none: into the project's own folder");
    arguments->threads.add(verb);
    verb.onRun([arguments, &shell] { shell.exit = move(*arguments, shell.out); });
}

} // namespace sg::cli
