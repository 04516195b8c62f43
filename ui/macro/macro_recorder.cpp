#include "ui/macro/macro_recorder.h"

#include <utility>

namespace sg::ui {

MacroRecorder::MacroRecorder(Look look, QObject* parent)
    : QObject(parent)
    , m_look(std::move(look))
{
    m_choiceSoon.setSingleShot(true);
    m_choiceSoon.setInterval(0);
    connect(&m_choiceSoon, &QTimer::timeout, this, &MacroRecorder::takeChoice);
}

// The first step selects what is selected now, so that the macro does not depend on where it is played.
void MacroRecorder::start()
{
    m_macro = {};
    m_told = m_look();
    m_run = {};
    m_runStep.reset();
    m_isRecording = true;
    MacroStep first;
    if (!m_told.thread.empty())
        first.thread = m_told.thread;
    if (!m_told.node.empty())
        first.node = m_told.node;
    if (!std::holds_alternative<MacroHead>(m_told.checkpoint))
        first.checkpoint = m_told.checkpoint;
    if (first != MacroStep())
        m_macro.steps.push_back(first);
    Q_EMIT changed();
}

Macro MacroRecorder::stop()
{
    if (m_choiceSoon.isActive())
        takeChoice();
    m_choiceSoon.stop();
    m_isRecording = false;
    Q_EMIT changed();
    return std::exchange(m_macro, {});
}

void MacroRecorder::noteCommand(const QString& id)
{
    if (!m_isRecording)
        return;
    m_choiceSoon.stop();
    m_told = m_look();
    MacroStep step = std::exchange(m_run, {});
    step.command = id.toStdString();
    m_macro.steps.push_back(step);
    Q_EMIT changed();
}

void MacroRecorder::noteRun(const QString& thread, const QString& json)
{
    if (thread.toStdString() != m_told.thread)
        m_run.thread = thread.toStdString();
    m_run.input = json.trimmed().toStdString();
}

void MacroRecorder::noteChoice()
{
    if (m_isRecording)
        m_choiceSoon.start();
}

MacroStep MacroRecorder::choiceStep(const Chosen& now) const
{
    MacroStep step;
    if (now.thread != m_told.thread && !now.thread.empty())
        step.thread = now.thread;
    if (now.checkpoint != m_told.checkpoint && (!step.thread || now.checkpoint != MacroPlace(MacroHead())))
        step.checkpoint = now.checkpoint; // choosing a thread shows its head
    if (now.node != m_told.node)
        step.node = now.node;
    return step;
}

void MacroRecorder::takeChoice()
{
    if (!m_isRecording)
        return;
    const Chosen now = m_look();
    const MacroStep step = choiceStep(now);
    m_told = now;
    if (step == MacroStep())
        return;
    // A choice that only follows another choice is merged with it.
    if (!m_macro.steps.empty() && m_macro.steps.back().command.empty() && !m_macro.steps.back().waitsForRun
        && !step.thread) {
        MacroStep& last = m_macro.steps.back();
        if (step.checkpoint)
            last.checkpoint = step.checkpoint;
        if (step.node)
            last.node = step.node;
    } else {
        m_macro.steps.push_back(step);
    }
    Q_EMIT changed();
}

void MacroRecorder::noteRunStarted()
{
    if (m_isRecording && !m_macro.steps.empty() && !m_macro.steps.back().command.empty())
        m_runStep = m_macro.steps.size() - 1;
}

// If more was done meanwhile, the wait becomes a step of its own.
void MacroRecorder::noteRunEnded(RunStatus status)
{
    if (!m_isRecording || !m_runStep)
        return;
    if (m_choiceSoon.isActive())
        takeChoice();
    const bool isLast = *m_runStep + 1 == m_macro.steps.size();
    if (!isLast)
        m_macro.steps.emplace_back();
    MacroStep& step = m_macro.steps.back();
    step.waitsForRun = true;
    if (status != RunStatus::Done)
        step.expect = runStatusName(status);
    m_runStep.reset();
    Q_EMIT changed();
}

} // namespace sg::ui
