#include "app/cli/run_choices.h"

#include "app/cli/project_option.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace sg::cli {
namespace {

// "" is as the graph says
std::optional<engine::Durability> durabilityNamed(const std::string& name)
{
    if (name.empty())
        return std::nullopt;
    return name == "sync" ? engine::Durability::Sync
        : name == "async" ? engine::Durability::Async
                          : engine::Durability::Exit;
}

} // namespace

void RunChoices::add(CLI::App& verb)
{
    verb.add_option("--stream", stream, "print chunks as the run goes")
        ->check(CLI::IsMember({ "updates", "values", "tasks", "checkpoints", "custom", "debug" }));
    verb.add_option("--recursion-limit", recursionLimit, "most supersteps of this run")->check(atLeastOne());
    verb.add_option("--durability", durability,
                    "when checkpoints are on disk (default: as the graph says, else sync)")
        ->check(CLI::IsMember({ "sync", "async", "exit" }));
    addSandboxChoice(verb, sandbox);
}

Result<void> RunChoices::apply(workbench::Workbench& project, workbench::RunRequest& request) const
{
    if (!stream.empty())
        request.streamModes = { stream };
    if (recursionLimit > 0)
        request.recursionLimit = recursionLimit;
    request.durability = durabilityNamed(durability);
    request.sandbox = workbench::sandboxChoiceNamed(sandbox).value_or(workbench::SandboxChoice::Restore);
    if (checkpoint.empty())
        return {};
    request.checkpoint = CheckpointId(checkpoint);
    if (auto known = project.history().state(request.thread, "", request.checkpoint); !known)
        return std::move(known.error());
    return {};
}

void addSandboxChoice(CLI::App& verb, std::string& choice)
{
    verb.add_option(
            "--sandbox", choice,
            "restore (default): names and files as they were at the checkpoint, as far as they were kept; "
            "exact: the same, or fail; stored: from what was written out; fresh: an empty sandbox; keep: as "
            "the last run left it")
        ->check(CLI::IsMember({ "restore", "exact", "stored", "fresh", "keep" }));
}

} // namespace sg::cli
