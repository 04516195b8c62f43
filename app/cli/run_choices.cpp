#include "app/cli/run_choices.h"

#include "app/cli/project_option.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace sg::cli {
namespace {

// Keys of config["configurable"] that the program sets itself.
constexpr std::array<std::string_view, 5> kOwnKeys{ "thread_id", "checkpoint_id", "checkpoint_ns",
                                                    "checkpoint_map", "tenant" };

} // namespace

void RunChoices::add(Verb verb)
{
    verb.option("--stream", stream, "print chunks as the run goes")
        .oneOf({ "updates", "values", "messages", "tasks", "checkpoints", "custom", "debug" });
    verb.flag("--subgraphs", subgraphs, "with --stream: chunks of subgraphs and of agents' loops, too");
    verb.option("--recursion-limit", recursionLimit, "most supersteps of this run").check(atLeastOne());
    verb.option("--durability", durability,
                "when checkpoints are on disk (default: as the graph says, else sync)")
        .oneOf({ "sync", "async", "exit" });
    verb.option("--config", config, "what nodes read as config[\"configurable\"]: a JSON object or @FILE");
    verb.option("--context", context, "what nodes read as Runtime.context: JSON or @FILE; never stored");
    addSandboxChoice(verb, sandbox);
}

// Applies what the caller tells the nodes.
Result<void> RunChoices::applyTold(runs::RunRequest& request) const
{
    if (!context.empty()) {
        auto given = jsonArgument(context, "--context");
        if (!given)
            return std::move(given.error());
        request.context = std::move(*given);
    }
    if (config.empty())
        return {};
    auto given = jsonArgument(config, "--config");
    if (!given)
        return std::move(given.error());
    if (!given->isMap())
        return Error{
            Errc::InvalidArgument,
            R"(--config must be a JSON object of what nodes find in config["configurable"], such as )"
            R"({"user": "ada"})"
        };
    for (const auto& [key, value] : given->asMap())
        if (const std::string name = key.asString();
            std::ranges::find(kOwnKeys, name) != kOwnKeys.end() || name.starts_with("__"))
            return Error{ Errc::InvalidArgument,
                          "--config cannot set '" + name + "': the run sets it itself"
                              + (name == "thread_id"           ? ". Use --thread"
                                     : name == "tenant"        ? ". Use --tenant"
                                     : name == "checkpoint_id" ? ". Use --checkpoint"
                                                               : "") };
    request.configurable = given->asMap();
    return {};
}

Result<void> RunChoices::apply(workbench::Workbench& project, runs::RunRequest& request) const
{
    if (!stream.empty())
        request.streamModes = { stream };
    if (subgraphs && stream.empty())
        return Error{ Errc::InvalidArgument, "--subgraphs belongs to --stream: say which chunks" };
    request.streamSubgraphs = subgraphs;
    if (recursionLimit > 0)
        request.recursionLimit = recursionLimit;
    request.durability = kindNamed<engine::Durability>(durability);
    request.sandbox = rewind::sandboxChoiceNamed(sandbox).value_or(rewind::SandboxChoice::Restore);
    if (auto read = applyTold(request); !read)
        return std::move(read.error());
    if (checkpoint.empty())
        return {};
    request.checkpoint = CheckpointId(checkpoint);
    if (auto known = project.history().state(request.thread, "", request.checkpoint); !known)
        return std::move(known.error());
    return {};
}

void addSandboxChoice(Verb verb, std::string& choice)
{
    verb.option(
            "--sandbox", choice,
            "restore (default): names and files as they were at the checkpoint, as far as they were kept; "
            "exact: the same, or fail; stored: from what was written out; fresh: an empty sandbox; keep: as "
            "the last run left it")
        .oneOf({ "restore", "exact", "stored", "fresh", "keep" });
}

} // namespace sg::cli
