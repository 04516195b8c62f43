#include "ui/bridge/runs/runs_client.h"

#include "core/base/json.h"
#include "ui/bridge/history/history_query.h"
#include "ui/bridge/rows/row_conversion.h"

#include <filesystem>
#include <system_error>

namespace sg::ui {
namespace {

struct Started {
    RunId run; // empty if no run was asked for
    UserError error;
    QString forkedAt = {}; // first checkpoint of the new branch
};

UserError refusal(workbench::Workbench& workbench, const Error& error)
{
    std::error_code failed;
    const std::filesystem::path& folder = workbench.project().folder;
    if (std::filesystem::is_directory(folder, failed))
        return userError(error);
    return { RunsClient::tr(
                 "The project folder %1 is not there any more: it was moved or deleted. Open it at "
                 "its new place.")
                 .arg(text(folder.string())),
             text(error.message) };
}

// The ways in which a branch continues; see RunsClient::replay().
struct GoOn {
    QStringList pauseBefore = {};
    rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore;
};

Started startRunOf(workbench::Workbench& workbench, const QString& thread, engine::RunInput input,
                   const QString& checkpoint = {}, const GoOn& how = {})
{
    runs::RunRequest request;
    request.thread = ThreadId(utf8(thread));
    request.input = std::move(input);
    request.streamModes = { "messages" }; // for chats
    if (!checkpoint.isEmpty())
        request.checkpoint = CheckpointId(utf8(checkpoint));
    for (const QString& node : how.pauseBefore)
        request.pauseBefore.push_back(utf8(node));
    request.sandbox = how.sandbox;
    auto run = workbench.runs().start(request);
    if (!run)
        return { {}, refusal(workbench, run.error()) };
    return { *run, {} };
}

struct Change {
    QString valuesJson;
    QString asNode;
    bool run = false;
    GoOn how;
};

Started forkOf(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
               const Change& change)
{
    engine::StateUpdate update;
    auto values = parseJson(utf8(change.valuesJson));
    if (!values)
        return { {}, userError(values.error()) };
    if (values->isMap() && !values->asMap().empty())
        update.values = std::move(*values);
    if (!change.asNode.isEmpty())
        update.asNode = utf8(change.asNode);
    engine::StateAddress at;
    at.thread = ThreadId(utf8(thread));
    at.checkpoint = CheckpointId(utf8(checkpoint));
    auto made = workbench.states().fork(at, update, change.how.sandbox);
    if (!made)
        return { {}, refusal(workbench, made.error()) };
    Started started;
    if (change.run)
        started = startRunOf(workbench, thread, engine::RunInput::goOn(), {}, change.how);
    started.forkedAt = text(made->checkpoint.value);
    return started;
}

Started rerunOf(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                const QString& node, const GoOn& how)
{
    engine::StateAddress at;
    at.thread = ThreadId(utf8(thread));
    at.checkpoint = CheckpointId(utf8(checkpoint));
    auto made = workbench.states().forkToRerun(at, { NodeId(utf8(node)) }, how.sandbox);
    if (!made)
        return { {}, refusal(workbench, made.error()) };
    Started started = startRunOf(workbench, thread, engine::RunInput::goOn(), {}, how);
    started.forkedAt = text(made->checkpoint.value);
    return started;
}

} // namespace

RunsClient::RunsClient(OpenProject& project)
    : Client(project)
    , m_waiting(*this)
{
    const LiveEvents* live = &access().live();
    connect(live, &LiveEvents::runStarted, this, &RunsClient::runStarted);
    connect(live, &LiveEvents::tasksChanged, this, &RunsClient::tasksChanged);
    connect(live, &LiveEvents::checkpointsAdded, this, &RunsClient::checkpointsAdded);
    connect(live, &LiveEvents::innerChanged, this, &RunsClient::innerChanged);
    connect(live, &LiveEvents::runFinished, this, &RunsClient::runFinished);
}

// `start` is a blocking function of the workbench that returns Started.
template<typename Start>
void RunsClient::begin(const QString& thread, Start start)
{
    ask(readers(), std::move(start), [this, thread](const Started& started) {
        if (!started.forkedAt.isEmpty())
            Q_EMIT forked(thread, started.forkedAt);
        if (!started.error.what.isEmpty())
            Q_EMIT runRefused(thread, started.error);
    });
}

void RunsClient::begin(const QString& thread, engine::RunInput input)
{
    begin(thread, [thread, input = std::move(input)](workbench::Workbench& workbench) {
        return startRunOf(workbench, thread, input);
    });
}

// Parses JSON. If that fails, runRefused() is emitted with `refusal`, whose %1 is the reason.
std::optional<Value> RunsClient::parsed(const QString& thread, const QString& json, const QString& refusal)
{
    auto value = parseJson(utf8(json));
    if (value)
        return std::move(*value);
    Q_EMIT runRefused(thread, { refusal.arg(text(value.error().message)), {} });
    return std::nullopt;
}

void RunsClient::startRun(const QString& thread, const QString& inputJson)
{
    if (inputJson.trimmed().isEmpty())
        begin(thread, engine::RunInput::goOn());
    else if (auto value = parsed(thread, inputJson, tr("The input is not JSON: %1")))
        begin(thread, engine::RunInput::input(std::move(*value)));
}

void RunsClient::step(const QString& thread)
{
    replay(thread, {}, { QStringLiteral("*") });
}

void RunsClient::pauseRun(const QString& thread)
{
    ask(
        readers(),
        [thread](workbench::Workbench& workbench) {
            for (const auto& [run, of] : workbench.runs().running())
                if (text(of.value) == thread)
                    workbench.runs().pause(run);
            return true;
        },
        [](bool) {});
}

void RunsClient::stopRun(const QString& thread)
{
    ask(
        readers(),
        [thread](workbench::Workbench& workbench) {
            bool runs = false;
            for (const auto& [run, of] : workbench.runs().running())
                if (text(of.value) == thread) {
                    workbench.runs().stop(run);
                    runs = true;
                }
            return !runs && workbench.runs().stopPaused(ThreadId(utf8(thread)));
        },
        [this, thread](bool wasPaused) {
            if (wasPaused)
                Q_EMIT runFinished(thread, RunStatus::Stopped, {});
        });
}

void RunsClient::answerOne(const QString& thread, const QString& interrupt, const QString& answerJson)
{
    if (!interrupt.isEmpty())
        answerAll(thread, { { interrupt, answerJson } });
    else if (auto value = parsed(thread, answerJson, tr("The answer is not JSON: %1")))
        begin(thread, engine::RunInput::resume(std::move(*value)));
}

void RunsClient::answerAll(const QString& thread, const QHash<QString, QString>& answers)
{
    ValueMap byId;
    for (auto each = answers.begin(); each != answers.end(); ++each) {
        auto value = parsed(thread, each.value(), tr("The answer is not JSON: %1"));
        if (!value)
            return;
        byId.set(utf8(each.key()), std::move(*value));
    }
    begin(thread, engine::RunInput::resumeById(std::move(byId)));
}

void RunsClient::replay(const QString& thread, const QString& checkpoint, const QStringList& pauseBefore,
                        rewind::SandboxChoice sandbox)
{
    begin(thread, [thread, checkpoint, how = GoOn{ pauseBefore, sandbox }](workbench::Workbench& workbench) {
        return startRunOf(workbench, thread, engine::RunInput::goOn(), checkpoint, how);
    });
}

void RunsClient::fork(const QString& thread, const QString& checkpoint, const QString& valuesJson,
                      const QString& asNode, bool run, const QStringList& pauseBefore,
                      rewind::SandboxChoice sandbox)
{
    begin(thread,
          [thread, checkpoint, change = Change{ valuesJson, asNode, run, { pauseBefore, sandbox } }](
              workbench::Workbench& workbench) { return forkOf(workbench, thread, checkpoint, change); });
}

void RunsClient::rerunNode(const QString& thread, const QString& checkpoint, const QString& node,
                           const QStringList& pauseBefore, rewind::SandboxChoice sandbox)
{
    begin(thread,
          [thread, checkpoint, node, how = GoOn{ pauseBefore, sandbox }](workbench::Workbench& workbench) {
              return rerunOf(workbench, thread, checkpoint, node, how);
          });
}

void RunsClient::loadWaiting()
{
    m_waiting.ask(
        readers(), [](workbench::Workbench& workbench) { return readWaiting(workbench); },
        [this](const Answer<std::vector<WaitingRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT waitingLoaded(answer.value);
            else
                Q_EMIT waitingFailed(answer.error);
        });
}

} // namespace sg::ui
