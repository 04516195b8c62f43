#include "core/base/json.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/row_conversion.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>

#include <filesystem>
#include <system_error>

// What people do to the open project: runs, sessions, the sandbox's runtime.
namespace sg::ui {
namespace {

struct Started {
    RunId run; // empty: none was asked for
    UserError error;
    QString forkedAt = {}; // the new branch's first checkpoint
};

UserError refusal(workbench::Workbench& workbench, const Error& error)
{
    std::error_code failed;
    const std::filesystem::path& folder = workbench.project().folder;
    if (std::filesystem::is_directory(folder, failed))
        return userError(error);
    return { ProjectBridge::tr(
                 "The project folder %1 is not there any more: it was moved or deleted. Open it at "
                 "its new place.")
                 .arg(text(folder.string())),
             text(error.message) };
}

// How a branch runs on.
struct HowOn {
    QStringList pauseBefore = {};
    QString sandbox = {};
    [[nodiscard]] rewind::SandboxChoice choice() const
    {
        return rewind::sandboxChoiceNamed(utf8(sandbox)).value_or(rewind::SandboxChoice::Restore);
    }
};

Started startRunOf(workbench::Workbench& workbench, const QString& thread, engine::RunInput input,
                   const QString& checkpoint = {}, const HowOn& how = {})
{
    runs::RunRequest request;
    request.thread = ThreadId(utf8(thread));
    request.input = std::move(input);
    if (!checkpoint.isEmpty())
        request.checkpoint = CheckpointId(utf8(checkpoint));
    for (const QString& node : how.pauseBefore)
        request.pauseBefore.push_back(utf8(node));
    request.sandbox = how.choice();
    auto run = workbench.runs().start(request);
    if (!run)
        return { {}, refusal(workbench, run.error()) };
    return { *run, {} };
}

struct Change {
    QString valuesJson;
    QString asNode;
    bool run = false;
    HowOn how;
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
    auto made = workbench.states().fork(at, update, change.how.choice());
    if (!made)
        return { {}, refusal(workbench, made.error()) };
    Started started;
    if (change.run)
        started = startRunOf(workbench, thread, engine::RunInput::goOn(), {}, change.how);
    started.forkedAt = text(made->checkpoint.value);
    return started;
}

Started rerunOf(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                const QString& node, const HowOn& how)
{
    engine::StateAddress at;
    at.thread = ThreadId(utf8(thread));
    at.checkpoint = CheckpointId(utf8(checkpoint));
    auto made = workbench.states().forkToRerun(at, { NodeId(utf8(node)) }, how.choice());
    if (!made)
        return { {}, refusal(workbench, made.error()) };
    Started started = startRunOf(workbench, thread, engine::RunInput::goOn(), {}, how);
    started.forkedAt = text(made->checkpoint.value);
    return started;
}

} // namespace

void ProjectBridge::begin(const QString& thread, engine::RunInput input)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, input = std::move(input)] {
            return startRunOf(*workbench, thread, input);
        },
        [this, thread](const Started& started) { noteStarted(thread, started.run, started.error); });
}

void ProjectBridge::noteStarted(const QString& thread, const RunId& run, const UserError& error)
{
    if (!error.what.isEmpty())
        Q_EMIT runRefused(thread, error);
    else if (!run.value.empty())
        m_impl->running[thread] = run;
}

void ProjectBridge::step(const QString& thread)
{
    replay(thread, {}, { QStringLiteral("*") });
}

void ProjectBridge::replay(const QString& thread, const QString& checkpoint, const QStringList& pauseBefore,
                           const QString& sandbox)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint, how = HowOn{ pauseBefore, sandbox }] {
            return startRunOf(*workbench, thread, engine::RunInput::goOn(), checkpoint, how);
        },
        [this, thread](const Started& started) { noteStarted(thread, started.run, started.error); });
}

void ProjectBridge::fork(const QString& thread, const QString& checkpoint, const QString& valuesJson,
                         const QString& asNode, bool run, const QStringList& pauseBefore,
                         const QString& sandbox)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint,
         change = Change{ valuesJson, asNode, run, { pauseBefore, sandbox } }] {
            return forkOf(*workbench, thread, checkpoint, change);
        },
        [this, thread](const Started& started) {
            if (!started.forkedAt.isEmpty())
                Q_EMIT forked(thread, started.forkedAt);
            noteStarted(thread, started.run, started.error);
        });
}

void ProjectBridge::rerunNode(const QString& thread, const QString& checkpoint, const QString& node,
                              const QStringList& pauseBefore, const QString& sandbox)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint, node, how = HowOn{ pauseBefore, sandbox }] {
            return rerunOf(*workbench, thread, checkpoint, node, how);
        },
        [this, thread](const Started& started) {
            if (!started.forkedAt.isEmpty())
                Q_EMIT forked(thread, started.forkedAt);
            noteStarted(thread, started.run, started.error);
        });
}

void ProjectBridge::startRun(const QString& thread, const QString& inputJson)
{
    if (inputJson.trimmed().isEmpty()) {
        begin(thread, engine::RunInput::goOn());
        return;
    }
    auto value = parseJson(utf8(inputJson));
    if (value)
        begin(thread, engine::RunInput::input(std::move(*value)));
    else
        Q_EMIT runRefused(thread, { tr("The input is not JSON: %1").arg(text(value.error().message)), {} });
}

void ProjectBridge::answer(const QString& thread, const QString& answerJson)
{
    answerOne(thread, {}, answerJson);
}

void ProjectBridge::stopRun(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread] {
            for (const auto& [run, of] : workbench->runs().running())
                if (text(of.value) == thread)
                    workbench->runs().stop(run);
            return true;
        },
        [](bool) {});
}

void ProjectBridge::checkSandbox()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, info = m_impl->info]() mutable {
            readSandbox(*workbench, info);
            return info;
        },
        [this](ProjectInfo info) {
            m_impl->info = std::move(info);
            Q_EMIT sandboxChecked(m_impl->info);
        });
}

void ProjectBridge::prepareRuntime()
{
    const QPointer<ProjectBridge> self(this);
    m_impl->ask(
        m_impl->slow,
        [self] {
            const auto progress = [self](const std::string& line) {
                QMetaObject::invokeMethod(
                    qApp,
                    [self, shown = text(line)] {
                        if (self)
                            Q_EMIT self->runtimeProgress(shown);
                    },
                    Qt::QueuedConnection);
            };
            auto built = config::buildRuntime(config::locateRuntime(), "bubblewrap", {}, progress);
            return built ? UserError() : userError(built.error());
        },
        [this](const UserError& error) { Q_EMIT runtimeReady(error); });
}

} // namespace sg::ui
