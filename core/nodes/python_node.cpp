#include "core/nodes/python_node.h"

#include "core/base/code_file.h"
#include "core/base/printable.h"
#include "core/graph/requirement.h"
#include "core/nodes/kept_displays.h"
#include "core/nodes/session_failure.h"
#include "core/sandbox/backend_kinds.h"

#include <algorithm>
#include <utility>

namespace sg::nodes {
namespace {

using engine::failed;
using engine::Failure;
using engine::TaskContext;
using sessions::CellResult;
using sessions::CellStatus;

constexpr int kMostRounds = 1000; // answers that arrive while the node runs

TaskContext::Stream streamOf(sessions::CellOutput::Stream stream)
{
    switch (stream) {
    case sessions::CellOutput::Stream::Stdout: return TaskContext::Stream::Stdout;
    case sessions::CellOutput::Stream::Stderr: return TaskContext::Stream::Stderr;
    case sessions::CellOutput::Stream::Event: break;
    }
    return TaskContext::Stream::Event;
}

// Returns LangGraph's config, with what the runner's Runtime knows about the run, see PROTOCOL.md.
Value configOf(const TaskContext& context)
{
    ValueMap config = context.config().asMap();
    ValueMap run{ { "checkpoint_id", context.info().checkpoint.value },
                  { "attempt", context.info().attempt } };
    if (Value given = context.runContext(); !given.isNull())
        run.set("context", std::move(given));
    config.set("run", Value(std::move(run)));
    return Value(std::move(config));
}

// Returns the failure in the runner's form.
Value failedOf(const engine::HandledError& handled)
{
    const Failure& failure = handled.failure;
    ValueMap failed{ { "node", handled.node },
                     { "type", failure.type },
                     { "message", failure.message },
                     { "repr", failure.repr } };
    if (failure.raised.isMap())
        for (const auto& [key, value] : failure.raised.asMap())
            failed.set(key, value);
    return Value(std::move(failed));
}

checkpoint::RunPackages importedModules(const std::vector<sessions::ImportedModule>& modules)
{
    checkpoint::RunPackages packages{ checkpoint::kProjectModules, {} };
    for (const sessions::ImportedModule& module : modules)
        packages.pins.push_back(module.file + " sha256:" + module.sha256);
    return packages;
}

class PythonBody final : public engine::NodeBody {
public:
    PythonBody(std::shared_ptr<const NodeWorld> world, PythonFunction function)
        : m_world(std::move(world))
        , m_function(std::move(function))
    {
    }

    [[nodiscard]] bool mayBlock() const override { return true; }

    engine::NodeOutcome run(TaskContext& context) override
    {
        // The file is read each time, so that the next task runs an edited version.
        auto source = m_function.isFileless ? Result<std::string>(std::string())
                                            : readCodeFile(m_world->projectFolder, m_function.file);
        if (!source)
            return codeFailure(context.info(), source.error());
        sessions::CellLimits limits = m_world->limits;
        auto session = acquire(context, limits);
        if (!session)
            return sessionFailure(context.info(), session.error());
        sessions::FunctionCall call;
        call.file = m_function.file.text();
        call.source = std::move(*source);
        call.source += m_function.appended;
        call.function = m_function.function;
        const engine::HandledError* handled = context.handled();
        call.state = handled != nullptr ? context.input()["state"] : context.input();
        if (handled != nullptr)
            call.failed = failedOf(*handled);
        call.config = configOf(context);
        call.answers = context.answersAhead();
        call.world = m_world->sessionWorld;
        call.isOfRun = true;
        call.caller = { context.info().task, m_function.keepsFailed ? 1 : context.info().attempt,
                        context.info().checkpointNs, m_world->sharing.partOfAnyRun(context.info().node) };
        call.keepsFailed = m_function.keepsFailed;
        if (runsBeside(context))
            call.beside = besideOf(context);
        if (m_world->askStore)
            call.asks = { "store" };
        int recorded = 0;
        for (int round = 0; round < kMostRounds; ++round) {
            CellResult result = execute(**session, call, limits, context);
            // Questions that the function asked again, with answers known, count as asked of the engine, too.
            for (; recorded < result.answersUsed; ++recorded)
                static_cast<void>(context.interrupt(Value()));
            if (result.status == CellStatus::Ok && result.lostFile && !result.storeFailure)
                return failed(sessions::kArtifactRefused,
                              *result.lostFile + ". Mend that, then resume: the node runs again");
            if (result.status == CellStatus::Ok && result.storeFailure)
                return failed("ArtifactError",
                              *result.storeFailure + ". Mend that, then resume: the node runs again");
            if (result.status == CellStatus::Ok)
                return engine::Returned{ std::move(result.value) };
            if (result.status != CellStatus::Interrupt)
                return cellFailure(context.info(), result,
                                   { limits, m_function.timeout.has_value(), !m_function.tool.empty(),
                                     (*session)->info(), m_world->missingPackages });
            auto answer = context.interrupt(result.interruptValue);
            if (!answer)
                return engine::Interrupted{};
            call.answers.push_back(std::move(*answer));
            ++recorded;
        }
        return failed("RecursionError", "the node asked more often than it may");
    }

private:
    // True where the superstep has, or by a Send could have had, other tasks in the same session. It is the
    // same when a superstep goes on of which some tasks have finished.
    [[nodiscard]] bool runsBeside(const TaskContext& context) const
    {
        // A failed attempt leaves its names for the next one, which must be in the thread's interpreter.
        if (m_function.parallel == PythonFunction::Parallel::Alone || m_function.keepsFailed
            || m_world->sessionWorld == nullptr || context.handled() != nullptr)
            return false;
        if (context.place().isSent)
            return true;
        const auto part = [&](const NodeId& node) { return m_world->sharing.part(node, context.info().run); };
        const sessions::SessionPart own = part(context.info().node);
        return std::ranges::count_if(context.nodesOfSuperstep(),
                                     [&](const NodeId& node) {
                                         return m_world->pythonNodes->contains(node.value)
                                             && part(node) == own;
                                     })
            > 1;
    }

    [[nodiscard]] sessions::BesideOthers besideOf(const TaskContext& context) const
    {
        const engine::TaskInfo& info = context.info();
        const std::size_t outer = info.checkpointNs.rfind('|');
        const std::string ns =
            outer == std::string::npos ? std::string() : info.checkpointNs.substr(0, outer);
        const std::string number = std::to_string(context.place().index + 1);
        return { info.checkpoint.value + " " + ns, "node '" + info.node.value + "' (task " + number + ")",
                 info.node.value + " " + number,
                 m_function.parallel == PythonFunction::Parallel::ForkKeepingNames };
    }

    // If no worker does the tasks of a role, the node has its own session with the settings that the role
    // asks for.
    Result<void> takeRole(TaskContext& context, sessions::SessionSpec& spec,
                          sessions::CellLimits& limits) const
    {
        if (m_function.role.empty() || !m_world->asOfRole)
            return {};
        if (m_world->startsTold->isFirst("role " + m_function.role))
            context.log(TaskContext::Stream::Event,
                        "role " + m_function.role
                            + ": no queue is configured, so its tasks run here, in a session of their own");
        return m_world->asOfRole(m_function.role, spec, limits);
    }

    Result<std::shared_ptr<sessions::Session>> acquire(TaskContext& context,
                                                       sessions::CellLimits& limits) const
    {
        if (m_world->sessions == nullptr)
            return Error{ Errc::Unavailable, "this run was started without sandbox sessions" };
        sessions::SessionSpec spec = m_world->sharing.specOf(
            m_world->session, m_world->sharing.part(context.info().node, context.info().run));
        if (auto taken = takeRole(context, spec, limits); !taken)
            return std::move(taken.error());
        if (m_function.timeout)
            limits.deadline = *m_function.timeout;
        if (!m_function.requirements.empty()) {
            if (m_world->sharing.partOfAnyRun(context.info().node).node().empty())
                return Error{
                    Errc::InvalidArgument,
                    "node '" + context.info().node.value
                        + "' names requirements of its own, but shares its session: with \"scope\": "
                          "\"node\", or by \"own_sessions\", it has one for itself"
                };
            spec.requirements.insert(spec.requirements.end(), m_function.requirements.begin(),
                                     m_function.requirements.end());
            spec.requirements = graph::sortedRequirements(std::move(spec.requirements));
        }
        const bool isNew = m_world->sessions->find(context.info().thread, spec.part) == nullptr;
        auto session = m_world->sessions->acquire(
            context.info().thread, spec, context.stopToken(),
            [&](const std::string& line) { context.log(TaskContext::Stream::Event, line); },
            sessions::SessionManager::For::Run);
        const sessions::SessionInfo info = session ? (*session)->info() : sessions::SessionInfo();
        if (session && !info.layer.empty() && m_world->packagesUsed)
            m_world->packagesUsed({ info.layer, info.packages });
        if (session && isNew && m_world->startsTold->isFirst(info.id.value)) {
            context.log(TaskContext::Stream::Event,
                        "session " + info.id.value + (info.isTakenUp ? " taken up: " : " started: ")
                            + info.backend + " (" + info.isolation + ")"
                            + (info.limitsEnforced ? "" : ", weak limits")
                            + (sandbox::runsOnEnvironment(info.backend) && !m_world->missingPackages.empty()
                                   ? ", on the system's Python alone (for packages: sandglass image build)"
                                   : ""));
        }
        return session;
    }

    // Datasets that the agent may not have are not there for its code, whichever way that asks.
    Result<Value> permitted(TaskContext& context, const Value& request,
                            const std::function<Result<Value>()>& answer) const
    {
        const std::string& agent = context.info().node.value;
        const auto refusalOf = [&](const Value& id) {
            return agents::datasetRefusal(m_function.permissions, agent, id.isString() ? id.asString() : "");
        };
        if (const Value& id = request["id"]; !id.isNull())
            if (auto why = refusalOf(id)) {
                const std::string subject = id.isString() ? id.asString() : std::string();
                context.log(TaskContext::Stream::Event,
                            "refused: " + m_function.tool + " (" + printableText(subject) + ")");
                if (m_world->refused)
                    m_world->refused(context.info(), { m_function.tool, subject, *why });
                return Error{ Errc::PermissionDenied, std::move(*why) };
            }
        auto answered = answer();
        if (!answered || !answered->isList())
            return answered;
        ValueList all;
        for (const Value& each : answered->asList())
            if (!refusalOf(each["id"]))
                all.push_back(each);
        return Value(std::move(all));
    }

    CellResult execute(sessions::Session& session, const sessions::FunctionCall& call,
                       const sessions::CellLimits& limits, TaskContext& context) const
    {
        const engine::TaskInfo& info = context.info();
        const artifacts::ArtifactOrigin origin{ info.thread, info.run,        session.info().id, info.node,
                                                info.task,   info.checkpoint, info.step };
        KeptDisplays displays(m_world->artifacts, origin);
        sessions::CellHandlers handlers{
            [&](const sessions::CellOutput& output) { context.log(streamOf(output.stream), output.bytes); },
            [&](const Value& value) { context.emitCustom(value); },
            [this](const std::string& kind, const Value& request) -> Result<Value> {
                if (kind == "store" && m_world->askStore)
                    return m_world->askStore(request);
                return Error{
                    Errc::Unsupported,
                    "this graph has no store: \"store\": true in the graph file opens it to its nodes"
                };
            },
            [&](const Value& bundle) {
                const KeptDisplays::Shown shown = displays.keep(bundle);
                if (!shown.text.empty())
                    context.log(TaskContext::Stream::Stdout, shown.text + "\n");
                if (!shown.note.empty())
                    context.log(TaskContext::Stream::Event, shown.note);
                if (shown.artifact && m_world->artifactStored)
                    m_world->artifactStored(info, *shown.artifact);
            },
        };
        if (m_function.permissions.datasets)
            handlers.datasets = [&](const Value& request, const std::function<Result<Value>()>& answer) {
                return permitted(context, request, answer);
            };
        CellResult result = session.call(call, limits, origin, handlers, context.stopToken());
        context.waited(std::chrono::duration<double>(result.waitedSeconds));
        if (result.restored) {
            context.log(
                TaskContext::Stream::Event,
                (result.restored->keepsEdits ? "the sandbox goes on " : "the sandbox was brought back: ")
                    + sessions::describe(*result.restored));
            context.restored(sessions::toValue(*result.restored));
            if (result.restored->givesUpEdits)
                context.warn("what was done by hand in the session since its step is given up; to go on with "
                             "the session as it is, run with --sandbox keep");
        }
        for (const std::string& warning : result.warnings)
            context.warn(warning);
        if (m_world->modulesImported && !result.modules.empty())
            m_world->modulesImported(importedModules(result.modules));
        if (m_world->artifactStored)
            for (const artifacts::Artifact& artifact : result.artifacts)
                m_world->artifactStored(info, artifact);
        return result;
    }

    const std::shared_ptr<const NodeWorld> m_world;
    const PythonFunction m_function;
};

} // namespace

std::unique_ptr<engine::NodeBody> makePythonBody(std::shared_ptr<const NodeWorld> world,
                                                 PythonFunction function)
{
    return std::make_unique<PythonBody>(std::move(world), std::move(function));
}

} // namespace sg::nodes
