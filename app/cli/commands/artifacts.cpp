#include "app/cli/commands/commands.h"
#include "app/cli/project_option.h"
#include "core/workbench/documents.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace sg::cli {
namespace {

struct Arguments {
    PlaceOption place;
    std::string thread;
    std::vector<std::string> ids;
    std::string to = ".";
};

Result<std::unique_ptr<artifacts::ArtifactStore>> openStore(const PlaceOption& place)
{
    auto paths = place.locate();
    if (!paths)
        return std::move(paths.error());
    std::error_code failed;
    if (!std::filesystem::exists(paths->artifacts, failed))
        return Error{ Errc::NotFound, "no artifacts in " + paths->folder.string() + " yet" };
    return artifacts::openArtifactStore(paths->artifacts, paths->blobs);
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
    return store.list(filter);
}

int list(const Arguments& arguments, const Output& out)
{
    auto store = openStore(arguments.place);
    if (!store)
        return out.fail(store.error());
    auto found = choose(**store, arguments);
    if (!found)
        return out.fail(found.error());
    ValueList document;
    for (const artifacts::Artifact& artifact : *found) {
        document.push_back(workbench::artifactDocument(artifact, (*store)->blobPath(artifact)));
        out.text(artifact.id.value + "  " + artifact.origin.thread.value + "  " + artifact.origin.node.value
                 + "  " + artifact.path + "  " + std::to_string(artifact.size) + " bytes  "
                 + artifact.createdAt);
    }
    if (out.json)
        out.document(document);
    else if (found->empty())
        out.note("no artifacts");
    return Done;
}

int exportAll(const Arguments& arguments, const Output& out)
{
    auto store = openStore(arguments.place);
    if (!store)
        return out.fail(store.error());
    auto found = choose(**store, arguments);
    if (!found)
        return out.fail(found.error());
    std::error_code failed;
    std::filesystem::create_directories(arguments.to, failed);
    if (failed)
        return out.fail(Failed, "create " + arguments.to + ": " + failed.message());
    ValueList document;
    std::int64_t lost = 0;
    for (const artifacts::Artifact& artifact : *found) {
        auto file = (*store)->exportTo(artifact, arguments.to);
        if (file) {
            document.push_back(Value::map({ { "id", artifact.id.value }, { "file", file->string() } }));
            out.text(file->string());
            continue;
        }
        if (file.error().code == Errc::NoSpace) // so it would be for all that follow
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

} // namespace

void addArtifacts(CLI::App& app, Shell& shell)
{
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("artifacts", "files that sessions left");
    verb->require_subcommand(1);
    CLI::App* listing = verb->add_subcommand("list", "list them, newest first");
    CLI::App* exporting = verb->add_subcommand("export", "copy them out under their own names, verified");
    for (CLI::App* each : { listing, exporting }) {
        each->add_option("--project", arguments->place.project,
                         "project folder (default: the current one or above it)");
        each->add_option("--thread", arguments->thread, "of this thread alone");
        each->add_option("ID", arguments->ids, "these alone");
    }
    exporting->add_option("--to", arguments->to, "folder (default: the current one)");
    listing->callback([arguments, &shell] { shell.exit = list(*arguments, shell.out); });
    exporting->callback([arguments, &shell] { shell.exit = exportAll(*arguments, shell.out); });
}

} // namespace sg::cli
