#include "core/workers/task_runner.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/expressions/jq_evaluator.h"
#include "core/graph/node_kinds.h"
#include "core/graph/requirement.h"
#include "core/nodes/node_catalog.h"
#include "core/workers/module_texts.h"
#include "core/workers/parcel.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace sg::workers {
namespace {

namespace fs = std::filesystem;
using engine::Failure;

constexpr std::chrono::duration<double> kSayEvery{ 0.1 };
constexpr double kSaysAtOnce = 20;
constexpr std::size_t kMostTold = 16U << 20U; // bytes of output that go back with a result

// A body sees this of the engine: the message, and the answers in it. It gathers what goes back.
class MessageContext final : public engine::TaskContext {
public:
    MessageContext(const TaskMessage& message, engine::TaskInfo info, std::stop_token stop,
                   const Worker::Say& say)
        : m_message(message)
        , m_say(say)
        , m_info(std::move(info))
        , m_stop(std::move(stop))
    {
    }

    [[nodiscard]] const engine::TaskInfo& info() const override { return m_info; }
    [[nodiscard]] const Value& input() const override { return m_message.input; }
    [[nodiscard]] Value config() const override { return m_message.config; }
    [[nodiscard]] Value runContext() const override { return m_message.runContext; }
    [[nodiscard]] std::stop_token stopToken() const override { return m_stop; }
    [[nodiscard]] engine::TaskPlace place() const override { return m_message.place; }
    void waited(std::chrono::duration<double> time) override { m_reply.waitedSeconds += time.count(); }

    std::optional<Value> interrupt(const Value& value) override
    {
        if (static_cast<std::size_t>(m_reply.answersUsed) < m_message.answers.size())
            return m_message.answers[static_cast<std::size_t>(m_reply.answersUsed++)];
        m_reply.question = value;
        return std::nullopt;
    }
    [[nodiscard]] ValueList answersAhead() const override { return m_message.answers; }

    void emitCustom(Value value) override { tell('c', std::move(value), 0); }
    void log(Stream stream, std::string_view bytes) override
    {
        const char kind = stream == Stream::Stdout ? 'o' : stream == Stream::Stderr ? 'e' : 'v';
        tell(kind, Bytes{ std::string(bytes) }, bytes.size());
    }

    TaskReply& reply() { return m_reply; }

private:
    void tell(char kind, Value content, std::size_t size)
    {
        const std::lock_guard lock(m_mutex);
        if (m_told + size > kMostTold)
            return;
        m_told += size;
        m_reply.told.push_back({ kind, std::move(content) });
        if (!m_say || !maySay())
            return; // it comes with what is told next, or with the result
        if (m_say(encode(m_reply.told)))
            m_reply.told.clear();
    }

    // Tells whether a line may be told at once. As long as little is told, it may: a line before a long
    // silence is not held back.
    bool maySay()
    {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> gone = now - m_said;
        m_said = now;
        m_says = std::min<double>(kSaysAtOnce, m_says + gone / kSayEvery);
        if (m_says < 1)
            return false;
        m_says -= 1;
        return true;
    }

    const TaskMessage& m_message;
    const Worker::Say& m_say;
    const engine::TaskInfo m_info;
    const std::stop_token m_stop;
    std::mutex m_mutex;
    // Guarded by m_mutex, as the reply's output is:
    std::size_t m_told = 0;
    std::chrono::steady_clock::time_point m_said = std::chrono::steady_clock::now();
    double m_says = kSaysAtOnce;
    TaskReply m_reply;
};

Result<fs::path> writeCode(const TaskMessage& message, const fs::path& folder)
{
    const std::string file = Value(message.settings).stringOr("file", "");
    const auto path = RelativePath::parse(file);
    if (!path)
        return Error{ Errc::Corrupt, "a task names a code file outside of its project" };
    const fs::path place = folder / "code" / sha256Hex(path->text() + '\n' + message.source);
    const fs::path target = place / path->text();
    std::error_code failed;
    if (fs::exists(target, failed))
        return place;
    fs::create_directories(target.parent_path(), failed);
    if (auto written = writeFileAtomically(target, message.source); !written)
        return std::move(written.error());
    return place;
}

TaskReply failed(const TaskMessage& message, const char* type, const Error& error, bool mayRetry = false)
{
    TaskReply reply;
    reply.outcome = engine::failed(type,
                                   "Node " + message.info.node.value + " (step "
                                       + std::to_string(message.info.step) + "): " + error.message,
                                   {}, mayRetry);
    return reply;
}

} // namespace

// A node and what it runs in.
struct TaskRunner::Scene {
    std::unique_ptr<nodes::NodeCatalog> catalog; // outlives the body
    std::unique_ptr<engine::NodeBody> body;
    std::shared_ptr<std::vector<artifacts::Artifact>> left =
        std::make_shared<std::vector<artifacts::Artifact>>();
};

Result<TaskRunner::Scene> TaskRunner::sceneOf(const TaskMessage& message) const
{
    auto code = writeCode(message, m_world.folder);
    if (!code)
        return std::move(code.error());
    auto modules = writeModules(message.modules, m_world.folder / "modules");
    if (!modules)
        return std::move(modules.error());
    auto requirements = graph::parseRequirementList(
        Value(ValueList(message.requirements.begin(), message.requirements.end())));
    if (!requirements)
        return std::move(requirements.error());
    Scene scene;
    nodes::NodeWorld world;
    world.projectFolder = std::move(*code);
    world.sessions = &m_world.sessions;
    world.artifacts = &m_world.artifacts;
    world.session = m_world.session;
    world.limits = m_world.limits;
    if (message.seconds > 0)
        world.limits.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(message.seconds * 1000));
    if (auto granted = applyGrant(m_world.grant, message.wish, m_world.role, world.session, world.limits);
        !granted)
        return std::move(granted.error());
    world.session.modules = std::move(*modules);
    world.session.requirements = std::move(*requirements);
    if (message.settings.contains("requirements"))
        world.sharing.ownNodes.insert(message.info.node.value);
    world.missingPackages = m_world.missingPackages;
    world.jqHelper = expressions::findJqHelper();
    world.artifactStored = [left = scene.left](const engine::TaskInfo&, const artifacts::Artifact& artifact) {
        left->push_back(artifact);
    };
    scene.catalog = nodes::makeNodeCatalog(std::move(world));
    graph::Node node;
    node.name = message.info.node;
    node.kind = graph::kPythonKind;
    node.settings = ValueMap();
    for (const auto& [key, value] : message.settings)
        if (!key.isString() || key.asString() != graph::kRoleKey)
            node.settings.set(key, value);
    auto body = scene.catalog->makeNode(node);
    if (!body)
        return std::move(body.error());
    scene.body = std::move(*body);
    return scene;
}

Result<void> TaskRunner::packArtifacts(const std::vector<artifacts::Artifact>& left,
                                       const std::stop_token& lost, TaskReply& reply) const
{
    for (const artifacts::Artifact& artifact : left) {
        LeftArtifact sent{ artifact.path, artifact.modifiedNs, "#" + artifact.sha256 };
        if (artifact.size <= kLargestInline) {
            auto bytes = m_world.artifacts.read(artifact, kLargestInline);
            if (!bytes)
                return std::move(bytes.error());
            sent.parcel = "=" + *bytes;
        } else if (auto published = m_world.blobs->publish(artifact.sha256, lost); !published) {
            return published;
        }
        reply.artifacts.push_back(std::move(sent));
    }
    return {};
}

TaskReply TaskRunner::perform(const TaskMessage& message, const std::string& partition,
                              const std::stop_token& lost, const Worker::Say& say) const
{
    auto scene = sceneOf(message);
    if (!scene)
        return failed(message,
                      scene.error().code == Errc::PermissionDenied ? "PermissionError" : "WorkerError",
                      scene.error());
    engine::TaskInfo info = message.info;
    info.thread = ThreadId(partition);
    MessageContext context(message, std::move(info), lost, say);
    engine::NodeOutcome outcome = scene->body->run(context);
    TaskReply reply = std::move(context.reply());
    reply.outcome = std::move(outcome);
    if (auto packed = packArtifacts(*scene->left, lost, reply); !packed)
        return failed(message, "ArtifactError", packed.error());
    return reply;
}

// A task of ours, or one of GenXAI's, which is JSON.
Result<TaskMessage> TaskRunner::messageOf(const StartedJob& job, const std::string& bytes) const
{
    if (!bytes.starts_with('{'))
        return decodeTask(bytes);
    auto value = parseJson(bytes);
    if (!value || !(*value)["payload"].isMap())
        return Error{ Errc::Corrupt, "the queue holds a task that this program cannot read" };
    if (m_world.handlerSource.empty())
        return Error{
            Errc::Corrupt,
            "it is a task of GenXAI's, and the worker has no code for these: sandglass worker --handler "
            "FILE:FUNCTION"
        };
    TaskMessage message;
    message.info.thread = ThreadId(job.id);
    message.info.run = RunId(value->stringOr("task_id", ""));
    message.info.task = TaskId(job.id);
    message.info.node = NodeId(m_world.role);
    message.info.attempt = job.attempt;
    message.settings = ValueMap{ { "file", m_world.handlerFile }, { "function", m_world.handlerFunction } };
    message.source = m_world.handlerSource;
    message.input = (*value)["payload"];
    message.config = Value(ValueMap{ { "configurable", Value(ValueMap{ { "thread_id", job.id } }) },
                                     { "metadata", (*value)["metadata"] } });
    return message;
}

JobOutcome TaskRunner::run(const StartedJob& job, const std::stop_token& lost, const Worker::Say& say) const
{
    auto bytes = openParcel(*m_world.blobs, job.payload, lost);
    auto message = bytes ? messageOf(job, *bytes) : Result<TaskMessage>(bytes.error());
    if (!message)
        return JobFailure{ message.error().message, {}, message.error().code != Errc::Corrupt, {} };
    const TaskReply reply = perform(*message, job.partition.empty() ? job.id : job.partition, lost, say);
    auto parcel = packParcel(*m_world.blobs, encode(reply), lost);
    if (!parcel)
        return JobFailure{ parcel.error().message, {}, true, {} };
    if (const auto* failure = std::get_if<Failure>(&reply.outcome))
        return JobFailure{
            failure->type + ": " + failure->message, std::move(*parcel), failure->retryable, {}
        };
    return JobDone{ std::move(*parcel) };
}

} // namespace sg::workers
