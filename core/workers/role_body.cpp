#include "core/base/code_file.h"
#include "core/base/relative_path.h"
#include "core/graph/node_kinds.h"
#include "core/workers/module_texts.h"
#include "core/workers/parcel.h"
#include "core/workers/role_desk.h"

#include <algorithm>
#include <utility>

namespace sg::workers {
namespace {

using checkpoint::Dispatch;
using engine::Failure;
using engine::TaskContext;

constexpr int kMostRounds = 1000; // answers that arrive while the node waits
constexpr std::size_t kLongestPartition = 256;

Priority priorityOf(const Value& wish)
{
    const std::string word = wish.stringOr("priority", "normal");
    return word == "high" ? Priority::High : word == "low" ? Priority::Low : Priority::Normal;
}

// One line, as a dead letter shows it.
std::string placeOf(const engine::TaskInfo& info)
{
    return "Node " + info.node.value + " (step " + std::to_string(info.step) + ")";
}

class RoleBody final : public engine::NodeBody {
public:
    RoleBody(std::shared_ptr<const RoleWorld> world, const graph::Node& node, std::string role)
        : m_world(std::move(world))
        , m_settings(node.settings)
        , m_role(std::move(role))
        , m_wish(m_world->roles[m_role])
    {
    }

    [[nodiscard]] bool mayBlock() const override { return true; }

    engine::NodeOutcome run(TaskContext& context) override
    {
        auto message = messageOf(context);
        if (!message)
            return failed(context, "OSError", message.error());
        int recorded = 0;
        for (int round = 0; round < kMostRounds; ++round) {
            auto reply = perform(context, *message);
            if (!reply)
                return failed(context, "WorkerError", reply.error());
            if (auto kept = tell(context, *reply); !kept)
                return failed(context, "ArtifactError", kept.error());
            // Questions that were asked again, with answers known, count as asked of the engine, too.
            for (; recorded < reply->answersUsed; ++recorded)
                static_cast<void>(context.interrupt(Value()));
            if (!std::holds_alternative<engine::Interrupted>(reply->outcome))
                return std::move(reply->outcome);
            auto answer = context.interrupt(reply->question);
            if (!answer)
                return engine::Interrupted{};
            message->answers.push_back(std::move(*answer));
            ++recorded;
        }
        return engine::failed("RecursionError", "the node asked more often than it may");
    }

private:
    static Failure failed(const TaskContext& context, const char* type, const Error& error)
    {
        if (error.code == Errc::Cancelled)
            return engine::failed("Stopped", placeOf(context.info()) + " was stopped.");
        return engine::failed(type, placeOf(context.info()) + ": " + error.message);
    }

    Result<TaskMessage> messageOf(const TaskContext& context) const
    {
        TaskMessage message;
        message.info = context.info();
        message.place = context.place();
        message.settings = m_settings;
        const Value* file = m_settings.find("file");
        auto path = RelativePath::parse(file != nullptr && file->isString() ? file->asString() : "");
        if (!path)
            return std::move(path.error());
        auto source = readCodeFile(m_world->projectFolder, *path);
        if (!source)
            return std::move(source.error());
        message.source = std::move(*source);
        auto modules = readModules(m_world->modules);
        if (!modules)
            return std::move(modules.error());
        message.modules = std::move(*modules);
        message.requirements = m_world->requirements;
        message.input = context.input();
        message.config = context.config();
        message.runContext = context.runContext();
        message.answers = context.answersAhead();
        message.wish = m_wish;
        message.seconds = m_world->seconds;
        return message;
    }

    // Returns the name of the task's partition: tasks with the same one share a session.
    Result<std::string> partitionOf(const TaskContext& context) const
    {
        const std::string program = m_wish.stringOr("partition", "thread");
        if (program == "thread" || program.empty() || !m_world->evaluate)
            return context.info().thread.value;
        auto key = m_world->evaluate(program, context.input());
        if (!key)
            return std::move(key.error()).during("partition of role " + m_role);
        if (!key->isString() || key->asString().empty() || key->asString().size() > kLongestPartition)
            return Error{ Errc::InvalidArgument,
                          "the partition of role " + m_role + " must be a text of 1 to 256 bytes" };
        return key->asString();
    }

    // Takes up the task's job that is under way or whose result nobody has stored, else makes a new one.
    Result<Dispatch> dispatch(const engine::TaskInfo& info, const std::string& digest) const
    {
        Dispatch next{ info.thread, info.task, 1, digest, m_role, {}, Dispatch::State::Open };
        if (m_world->log != nullptr) {
            auto newest = m_world->log->newest(info.thread, info.task);
            if (!newest)
                return std::move(newest.error());
            if (*newest && (*newest)->digest == digest && (*newest)->role == m_role) {
                if ((*newest)->state == Dispatch::State::Open)
                    return std::move(**newest);
                // A dead letter may have been tried again meanwhile.
                if ((*newest)->state == Dispatch::State::Failed) {
                    const auto state = m_world->desk->line(m_role).state((*newest)->job);
                    if (state && *state && **state != JobState::Dead && **state != JobState::Cancelled)
                        return std::move(**newest);
                }
            }
            if (*newest)
                next.number = (*newest)->number + 1;
        }
        next.job = info.thread.value + "/" + info.task.value + "/" + std::to_string(next.number) + "-"
            + digest.substr(0, 12);
        if (m_world->log != nullptr)
            if (auto noted = m_world->log->put(next); !noted)
                return std::move(noted.error());
        return next;
    }

    Result<TaskReply> perform(TaskContext& context, const TaskMessage& message) const
    {
        auto partition = partitionOf(context);
        if (!partition)
            return std::move(partition.error());
        auto given = dispatch(message.info, message.digest());
        if (!given)
            return std::move(given.error());
        auto parcel = packParcel(*m_world->blobs, encode(message), context.stopToken());
        if (!parcel)
            return std::move(parcel.error());
        NewJob job;
        job.id = given->job;
        job.payload = std::move(*parcel);
        job.priority = priorityOf(m_wish);
        job.attempts = static_cast<int>(m_wish.intOr("attempts", 1));
        job.partition = std::move(*partition);
        auto ended = m_world->desk->line(m_role).perform(
            std::move(job), context.stopToken(),
            [&](const std::string& line) { context.log(TaskContext::Stream::Event, line); },
            [&](const std::string& bytes) { tellLines(context, decodeTold(bytes)); });
        if (!ended) {
            settle(*given, Dispatch::State::Failed);
            return std::move(ended.error());
        }
        return replyOf(context, *given, *ended);
    }

    Result<TaskReply> replyOf(TaskContext& context, const Dispatch& given, const EndedJob& ended) const
    {
        if (ended.state == JobState::Cancelled) {
            settle(given, Dispatch::State::Failed);
            return Error{ Errc::Conflict,
                          "its job was cancelled in the queue; resume the run to do it again" };
        }
        if (ended.state == JobState::Dead && ended.result.empty()) {
            settle(given, Dispatch::State::Failed);
            return Error{ Errc::Unavailable,
                          ended.error + ". It is a dead letter of role " + m_role
                              + ": sandglass pool dead shows it, pool requeue tries it again; then resume" };
        }
        auto bytes = openParcel(*m_world->blobs, ended.result, context.stopToken());
        if (!bytes)
            return std::move(bytes.error());
        auto reply = decodeReply(*bytes);
        if (!reply)
            return reply;
        context.log(TaskContext::Stream::Event, "done by worker " + ended.worker + " of role " + m_role);
        if (std::holds_alternative<engine::Returned>(reply->outcome) && m_world->receipts != nullptr)
            m_world->receipts->add(given); // stored with what the task returned
        else
            settle(given,
                   std::holds_alternative<Failure>(reply->outcome) ? Dispatch::State::Failed
                                                                   : Dispatch::State::Received);
        return reply;
    }

    void settle(const Dispatch& given, Dispatch::State state) const
    {
        if (m_world->log != nullptr)
            static_cast<void>(m_world->log->settle({ given }, state));
    }

    // Passes on what the node printed and left.
    Result<void> tell(TaskContext& context, const TaskReply& reply) const
    {
        context.waited(std::chrono::duration<double>(reply.waitedSeconds));
        tellLines(context, reply.told);
        for (const LeftArtifact& left : reply.artifacts)
            if (auto kept = keep(context.info(), left, context.stopToken()); !kept)
                return kept;
        return {};
    }

    static void tellLines(TaskContext& context, const std::vector<ToldLine>& told)
    {
        for (const ToldLine& line : told) {
            if (line.kind == 'c') {
                context.emitCustom(line.content);
                continue;
            }
            const TaskContext::Stream stream = line.kind == 'o' ? TaskContext::Stream::Stdout
                : line.kind == 'e'                              ? TaskContext::Stream::Stderr
                                                                : TaskContext::Stream::Event;
            if (line.content.isBytes())
                context.log(stream, line.content.asBytes());
        }
    }

    Result<void> keep(const engine::TaskInfo& info, const LeftArtifact& left,
                      const std::stop_token& stop) const
    {
        auto path = RelativePath::parse(left.path);
        if (!path)
            return std::move(path.error());
        auto bytes = openParcel(*m_world->blobs, left.parcel, stop);
        if (!bytes)
            return std::move(bytes.error()).during("artifact " + left.path);
        auto writer = m_world->artifacts->begin(
            *path, left.modifiedNs,
            { info.thread, info.run, SessionId(), info.node, info.task, info.checkpoint, info.step });
        if (!writer)
            return std::move(writer.error());
        if (auto written = (*writer)->write(*bytes); !written)
            return written;
        auto stored = (*writer)->finish();
        if (!stored)
            return std::move(stored.error());
        if (m_world->artifactStored)
            m_world->artifactStored(info, *stored);
        return {};
    }

    const std::shared_ptr<const RoleWorld> m_world;
    const ValueMap m_settings;
    const std::string m_role;
    const Value m_wish;
};

} // namespace

std::unique_ptr<engine::NodeBody> makeRoleBody(std::shared_ptr<const RoleWorld> world,
                                               const graph::Node& node)
{
    const Value* role = node.settings.find(graph::kRoleKey);
    return std::make_unique<RoleBody>(std::move(world), node,
                                      role != nullptr && role->isString() ? role->asString() : std::string());
}

} // namespace sg::workers
