#include "ui/run/run_bar.h"

#include "ui/run/chooser_button.h"
#include "ui/run/input_editor.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>

namespace sg::ui {
namespace {

class Separator final : public QWidget {
public:
    explicit Separator(QWidget* parent)
        : QWidget(parent)
    {
        setFixedSize(13, 20);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter(this).fillRect(QRect(6, 0, 1, height()), color(&Tokens::border));
    }
};

} // namespace

RunBar::RunBar(QWidget* parent)
    : QWidget(parent)
    , m_project(new ChooserButton(QLatin1String("graph"), this))
    , m_thread(new QComboBox(this))
    , m_mode(new ChooserButton(QLatin1String("chip"), this))
    , m_input(new InputEditor(this))
{
    createActions();
    m_project->setObjectName(QStringLiteral("projectButton"));
    m_thread->setObjectName(QStringLiteral("threadCombo"));
    m_thread->setAccessibleName(tr("Thread"));
    m_thread->setToolTip(tr("Thread that Run goes on with; a new name starts a new thread"));
    m_thread->setEditable(true);
    // Tab would stop at the line and so go back to the box, again and again. A policy goes to the proxy, too.
    m_thread->lineEdit()->setFocusPolicy(Qt::ClickFocus);
    m_thread->setFocusPolicy(Qt::StrongFocus);
    m_thread->setInsertPolicy(QComboBox::NoInsert);
    m_thread->setMinimumWidth(scaledLength(148));
    m_thread->lineEdit()->setPlaceholderText(tr("Thread name"));
    m_thread->lineEdit()->setMaxLength(200);
    m_thread->lineEdit()->addAction(icon(QLatin1String("hourglass")), QLineEdit::LeadingPosition);
    m_mode->setObjectName(QStringLiteral("modeButton"));
    m_mode->setPrefix(tr("Mode"));
    m_mode->setToolTip(tr("Where sessions live and which data they read: the graph file's \"sandbox\""));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_project);
    layout->addWidget(m_thread);
    layout->addWidget(separator());
    m_runButton = buttonFor(m_run, tr("Run"));
    layout->addWidget(m_runButton);
    for (QAction* action : { m_pause, m_stop, m_step })
        layout->addWidget(buttonFor(action, {}));
    m_resumeButton = buttonFor(m_resume, tr("Resume"));
    layout->addWidget(m_resumeButton);
    layout->addWidget(separator());
    m_inputButton = buttonFor(m_inputAction, tr("Input"));
    layout->addWidget(m_inputButton);
    layout->addWidget(separator());
    layout->addWidget(m_mode);
    layout->addStretch(1);

    connect(m_thread, &QComboBox::textActivated, this, &RunBar::threadChosen);
    connect(m_thread->lineEdit(), &QLineEdit::editingFinished, this,
            [this] { Q_EMIT threadChosen(thread()); });
    connect(m_thread->lineEdit(), &QLineEdit::textChanged, this, &RunBar::updateActions);
    connect(m_mode, &QPushButton::clicked, this, &RunBar::modeRequested);
    connect(m_input, &InputEditor::changed, this, &RunBar::updateActions);
    connect(m_input, &InputEditor::runRequested, this, &RunBar::run);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // changing texts change its width
    setProject({});
}

void RunBar::createActions()
{
    m_run = new QAction(icon(QLatin1String("play"), &Tokens::done), tr("&Run"), this);
    m_run->setShortcut(QKeySequence(Qt::Key_F5));
    m_run->setObjectName(QStringLiteral("run.start"));
    m_resume = new QAction(icon(QLatin1String("resume")), tr("R&esume"), this);
    m_resume->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F5));
    m_resume->setObjectName(QStringLiteral("run.resume"));
    m_pause = new QAction(icon(QLatin1String("pause")), tr("P&ause"), this);
    m_pause->setShortcut(QKeySequence(Qt::Key_Pause));
    m_pause->setObjectName(QStringLiteral("run.pause"));
    connect(m_pause, &QAction::triggered, this, [this] { Q_EMIT pauseRequested(thread()); });
    m_step = new QAction(icon(QLatin1String("step")), tr("Ste&p"), this);
    m_step->setShortcut(QKeySequence(Qt::Key_F10));
    m_step->setObjectName(QStringLiteral("run.step"));
    connect(m_step, &QAction::triggered, this, [this] { Q_EMIT stepRequested(thread()); });
    m_stop = new QAction(icon(QLatin1String("stop")), tr("&Stop"), this);
    m_stop->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F5));
    m_stop->setObjectName(QStringLiteral("run.stop"));
    m_inputAction = new QAction(icon(QLatin1String("text")), tr("&Input…"), this);
    m_inputAction->setObjectName(QStringLiteral("run.input"));
    m_inputAction->setToolTip(tr("Input of the next run"));
    connect(m_run, &QAction::triggered, this, &RunBar::ask);
    connect(m_resume, &QAction::triggered, this, [this] { Q_EMIT resumeRequested(thread()); });
    connect(m_stop, &QAction::triggered, this, [this] { Q_EMIT stopRequested(thread()); });
    connect(m_inputAction, &QAction::triggered, this, &RunBar::popUpInput);
}

void RunBar::setEditActions(QAction* undo, QAction* redo)
{
    auto* row = static_cast<QHBoxLayout*>(layout());
    int at = row->indexOf(m_mode);
    row->insertWidget(at++, buttonFor(undo, {}));
    row->insertWidget(at++, buttonFor(redo, {}));
    row->insertWidget(at, separator());
}

QWidget* RunBar::separator()
{
    return new Separator(this);
}

QToolButton* RunBar::buttonFor(QAction* action, const QString& text)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    QString name = action->text();
    button->setAccessibleName(name.remove(QLatin1Char('&')).remove(QStringLiteral("…")));
    if (!text.isEmpty())
        button->setText(text);
    return button;
}

void RunBar::setProject(const QString& name)
{
    m_open = !name.isEmpty();
    m_project->setText(m_open ? name : tr("No project"));
    m_project->setAccessibleName(m_open ? tr("Project %1").arg(name) : tr("No project"));
    m_thread->setEnabled(m_open);
    if (!m_open) {
        m_thread->clear();
        setMode({});
    }
    updateActions();
}

void RunBar::setMode(const QString& mode)
{
    m_mode->setText(mode);
    m_mode->setAccessibleName(tr("Mode %1").arg(mode));
    m_mode->setVisible(!mode.isEmpty());
    m_mode->updateGeometry();
}

void RunBar::setThreads(const QStringList& threads)
{
    const QString typed = thread();
    const QSignalBlocker quiet(m_thread);
    m_thread->clear();
    m_thread->addItems(threads);
    m_thread->setEditText(typed);
}

void RunBar::setThread(const QString& thread)
{
    if (thread == this->thread())
        return;
    const QSignalBlocker quiet(m_thread);
    m_thread->setEditText(thread);
    updateActions();
}

QString RunBar::thread() const
{
    return m_thread->currentText().trimmed();
}

void RunBar::setInput(const QString& json)
{
    m_isGiven = !json.isEmpty();
    m_input->setJson(json);
}

void RunBar::setInputFields(const std::vector<InputFieldRow>& fields)
{
    m_input->setFields(fields);
}

void RunBar::setLastInputs(const std::vector<LastInputRow>& inputs)
{
    m_input->setLastInputs(inputs);
}

QString RunBar::input() const
{
    return m_input->json();
}

void RunBar::setRunning(bool running)
{
    m_running = running;
    updateActions();
}

void RunBar::setResumable(bool resumable)
{
    m_resumable = resumable;
    updateActions();
}

void RunBar::setProjectMenu(QMenu* menu)
{
    m_project->setMenu(menu);
}

void RunBar::setPaused(const QString& before)
{
    m_paused = before;
    updateActions();
}

void RunBar::setBlocked(const QString& reason)
{
    m_blocked = reason;
    updateActions();
    Q_EMIT blockedChanged(reason);
}

void RunBar::runFirst()
{
    if (thread().isEmpty())
        setThread(tr("main"));
    m_run->trigger();
}

// A graph that says what it is given is asked about before each run. A paused one goes on with what it has.
void RunBar::ask()
{
    if (m_input->isVisible())
        m_input->submit();
    else if (m_run->isEnabled() && m_paused.isEmpty() && m_input->asks() && !m_isGiven)
        popUpInput();
    else
        run();
}

void RunBar::popUpInput()
{
    m_input->setThread(thread());
    m_input->popUp(mapToGlobal(QPoint(m_runButton->geometry().left(), height())));
}

void RunBar::run()
{
    if (!m_run->isEnabled())
        return;
    if (!m_paused.isEmpty())
        Q_EMIT resumeRequested(thread());
    else
        Q_EMIT runRequested(thread(), input().isEmpty() ? QStringLiteral("{}") : input());
}

QString RunBar::whyNotRun() const
{
    if (!m_blocked.isEmpty())
        return m_blocked;
    if (m_running)
        return tr("This thread is running");
    return thread().isEmpty() ? tr("Name a thread first") : QString();
}

void RunBar::updateActions()
{
    const QString why = whyNotRun();
    const bool isPaused = !m_paused.isEmpty() && !m_running;
    QString reason = why;
    if (reason.isEmpty() && !isPaused && !m_input->isValid())
        reason = tr("The input is not valid: %1").arg(m_input->problem());
    m_run->setEnabled(m_open && reason.isEmpty());
    m_run->setText(isPaused ? tr("&Continue") : tr("&Run"));
    m_run->setToolTip(!reason.isEmpty() ? reason
                          : isPaused    ? tr("Go on: paused before %1 (F5)").arg(m_paused)
                                        : tr("Run the graph on thread %1 (F5)").arg(thread()));
    m_runButton->setText(isPaused ? tr("Continue") : tr("Run"));
    m_runButton->setAccessibleName(m_runButton->text());
    m_resume->setEnabled(m_open && why.isEmpty() && m_resumable);
    m_resume->setToolTip(!why.isEmpty()     ? why
                             : !m_resumable ? tr("This thread has no step left to go on with")
                                            : tr("Go on from the last checkpoint (Ctrl+F5)"));
    m_resumeButton->setVisible(m_resume->isEnabled() && !isPaused); // while paused Run does it
    m_pause->setEnabled(m_open && m_running);
    m_pause->setToolTip(m_pause->isEnabled() ? tr("Pause before the next step (Pause)")
                                             : tr("Nothing runs on this thread"));
    m_step->setEnabled(m_resume->isEnabled());
    m_step->setToolTip(m_step->isEnabled() ? tr("Go on by one step and pause (F10)") : m_resume->toolTip());
    m_stop->setEnabled(m_open && (m_running || isPaused));
    m_stop->setToolTip(m_stop->isEnabled() ? tr("Stop the run (Shift+F5)")
                                           : tr("Nothing runs on this thread"));
    m_inputAction->setEnabled(m_open);
    m_inputAction->setToolTip(input().isEmpty() ? tr("Input of the next run: none, {}")
                                                : tr("Input of the next run: %1").arg(input().left(400)));
}

} // namespace sg::ui
