#include "core/workers/task_message.h"

#include "core/base/hash.h"
#include "core/base/msgpack.h"

#include <utility>

namespace sg::workers {
namespace {

constexpr int kVersion = 1; // of both messages

Error corrupt(const std::string& what)
{
    return { Errc::Corrupt, "the queue holds " + what + " that this program cannot read" };
}

Value listOf(const std::vector<std::string>& texts)
{
    ValueList list;
    for (const std::string& text : texts)
        list.emplace_back(text);
    return list;
}

std::vector<std::string> textList(const Value& list)
{
    std::vector<std::string> texts;
    if (list.isList())
        for (const Value& each : list.asList())
            if (each.isString())
                texts.push_back(each.asString());
    return texts;
}

std::string bytesOf(const Value& value)
{
    return value.isBytes() ? value.asBytes() : value.isString() ? value.asString() : std::string();
}

// The parts of a message that its digest covers: they say what is to be done.
ValueMap workOf(const TaskMessage& message)
{
    ValueList modules;
    for (const ModuleText& each : message.modules)
        modules.push_back(Value::list({ each.folder, each.path, Bytes{ each.text } }));
    return ValueMap{ { "v", kVersion },
                     { "node", message.info.node.value },
                     { "settings", Value(message.settings) },
                     { "source", Bytes{ message.source } },
                     { "modules", std::move(modules) },
                     { "requirements", listOf(message.requirements) },
                     { "input", message.input },
                     { "answers", message.answers },
                     { "context", message.runContext },
                     { "wish", message.wish },
                     { "seconds", message.seconds } };
}

Value failureValue(const engine::Failure& failure)
{
    return Value::map({ { "type", failure.type },
                        { "message", failure.message },
                        { "detail", failure.detail },
                        { "retryable", failure.retryable },
                        { "repr", failure.repr },
                        { "raised", failure.raised } });
}

engine::Failure failureOf(const Value& value)
{
    return { value.stringOr("type", "Error"), value.stringOr("message", ""), value.stringOr("detail", ""),
             value.boolOr("retryable", true), value.stringOr("repr", ""),    value["raised"] };
}

Value toldValue(const std::vector<ToldLine>& told)
{
    ValueList list;
    for (const ToldLine& line : told)
        list.push_back(Value::list({ std::string(1, line.kind), line.content }));
    return list;
}

std::vector<ToldLine> toldOf(const Value& list)
{
    std::vector<ToldLine> told;
    if (list.isList())
        for (const Value& each : list.asList()) {
            const std::string kind = bytesOf(each[std::size_t{ 0 }]);
            told.push_back({ kind.empty() ? 'v' : kind.front(), each[std::size_t{ 1 }] });
        }
    return told;
}

} // namespace

std::string TaskMessage::digest() const
{
    return sha256Hex(encodeMsgpackOfRun(workOf(*this)));
}

std::string encode(const TaskMessage& message)
{
    ValueMap all = workOf(message);
    const engine::TaskInfo& info = message.info;
    all.set("thread", info.thread.value);
    all.set("run", info.run.value);
    all.set("task", info.task.value);
    all.set("ns", info.checkpointNs);
    all.set("checkpoint", info.checkpoint.value);
    all.set("step", info.step);
    all.set("attempt", info.attempt);
    all.set("index", message.place.index);
    all.set("sent", message.place.isSent);
    all.set("config", message.config);
    return encodeMsgpackOfRun(std::move(all));
}

Result<TaskMessage> decodeTask(std::string_view bytes)
{
    const auto value = decodeMsgpack(bytes);
    if (!value || !value->isMap() || value->intOr("v", 0) != kVersion || !(*value)["settings"].isMap())
        return corrupt("a task");
    TaskMessage message;
    engine::TaskInfo& info = message.info;
    info.thread = ThreadId(value->stringOr("thread", ""));
    info.run = RunId(value->stringOr("run", ""));
    info.node = NodeId(value->stringOr("node", ""));
    info.task = TaskId(value->stringOr("task", ""));
    info.checkpointNs = value->stringOr("ns", "");
    info.checkpoint = CheckpointId(value->stringOr("checkpoint", ""));
    info.step = value->intOr("step", 0);
    info.attempt = static_cast<int>(value->intOr("attempt", 1));
    message.place.index = static_cast<std::size_t>(value->intOr("index", 0));
    message.place.isSent = value->boolOr("sent", false);
    message.settings = (*value)["settings"].asMap();
    message.source = bytesOf((*value)["source"]);
    if ((*value)["modules"].isList())
        for (const Value& each : (*value)["modules"].asList())
            message.modules.push_back({ bytesOf(each[std::size_t{ 0 }]), bytesOf(each[std::size_t{ 1 }]),
                                        bytesOf(each[std::size_t{ 2 }]) });
    message.requirements = textList((*value)["requirements"]);
    message.input = (*value)["input"];
    message.config = (*value)["config"];
    message.runContext = (*value)["context"];
    if ((*value)["answers"].isList())
        message.answers = (*value)["answers"].asList();
    message.wish = (*value)["wish"];
    if ((*value)["seconds"].isNumber())
        message.seconds = (*value)["seconds"].asDouble();
    return message;
}

std::string encode(const std::vector<ToldLine>& told)
{
    return encodeMsgpackOfRun(toldValue(told));
}

std::vector<ToldLine> decodeTold(std::string_view bytes)
{
    const auto value = decodeMsgpack(bytes);
    return value ? toldOf(*value) : std::vector<ToldLine>();
}

std::string encode(const TaskReply& reply)
{
    ValueMap all{ { "v", kVersion }, { "used", reply.answersUsed }, { "waited", reply.waitedSeconds } };
    if (const auto* returned = std::get_if<engine::Returned>(&reply.outcome))
        all.set("returned", returned->value);
    else if (const auto* failure = std::get_if<engine::Failure>(&reply.outcome))
        all.set("failure", failureValue(*failure));
    else
        all.set("question", reply.question);
    all.set("told", toldValue(reply.told));
    ValueList artifacts;
    for (const LeftArtifact& each : reply.artifacts)
        artifacts.push_back(Value::list({ each.path, each.modifiedNs, Bytes{ each.parcel } }));
    all.set("artifacts", std::move(artifacts));
    return encodeMsgpackOfRun(std::move(all));
}

Result<TaskReply> decodeReply(std::string_view bytes)
{
    const auto value = decodeMsgpack(bytes);
    if (!value || !value->isMap() || value->intOr("v", 0) != kVersion)
        return corrupt("a result");
    TaskReply reply;
    if (const Value* returned = value->find("returned"))
        reply.outcome = engine::Returned{ *returned };
    else if (const Value* failure = value->find("failure"))
        reply.outcome = failureOf(*failure);
    else if (const Value* question = value->find("question")) {
        reply.outcome = engine::Interrupted{};
        reply.question = *question;
    } else {
        return corrupt("a result");
    }
    reply.answersUsed = static_cast<int>(value->intOr("used", 0));
    if ((*value)["waited"].isNumber())
        reply.waitedSeconds = (*value)["waited"].asDouble();
    reply.told = toldOf((*value)["told"]);
    if ((*value)["artifacts"].isList())
        for (const Value& each : (*value)["artifacts"].asList()) {
            const Value& modified = each[std::size_t{ 1 }];
            reply.artifacts.push_back({ bytesOf(each[std::size_t{ 0 }]),
                                        modified.isInt() ? modified.asInt() : 0,
                                        bytesOf(each[std::size_t{ 2 }]) });
        }
    return reply;
}

} // namespace sg::workers
