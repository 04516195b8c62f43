#include "ui/sessions/session_bar.h"

#include "ui/sessions/session_choice.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/style.h"

#include <QAbstractButton>
#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>

namespace sg::ui {

namespace {

constexpr int kWidthOfWords = 800; // from this width on actions have texts
constexpr int kLeastWidth = 500;

QString capitalised(const QString& word)
{
    return word.left(1).toUpper() + word.mid(1);
}

} // namespace

SessionBar::SessionBar(QWidget* parent)
    : QWidget(parent)
    , m_name(new QLabel(this))
    , m_state(new QLabel(this))
    , m_facts(new ElidedLabel({}, this))
    , m_weak(new QLabel(this))
    , m_view(new SegmentedControl(tr("What is seen of the session"), SegmentedControl::Mode::Single, this))
{
    setFixedHeight(scaledLength(32));
    m_name->setFont(monoFont(TextSize::Dense, QFont::DemiBold));
    m_name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setFont(uiFont(TextSize::Dense));
    m_facts->setFont(uiFont(TextSize::Dense));
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_weak->setPixmap(icon(QLatin1String("warn"), &Tokens::warn).pixmap(14, 14));
    m_weak->setAccessibleName(tr("weak limits"));
    m_weak->setToolTip(tr(
        "Weak limits: this sandbox cannot enforce its limits of CPU and memory on this machine. A container "
        "engine can."));
    makeDense(m_view);
    for (const auto& [text, view] :
         { std::pair{ tr("List"), View::List }, std::pair{ tr("Meters"), View::Meters },
           std::pair{ tr("Processes"), View::Processes }, std::pair{ tr("Console"), View::Console },
           std::pair{ tr("Limits"), View::Limits } })
        m_view->addSegment(text, static_cast<int>(view));
    m_view->setCurrentIndex(static_cast<int>(View::Meters));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(scaledLength(36), 0, 4, 1);
    row->setSpacing(8);
    row->addWidget(m_name);
    row->addWidget(m_state);
    row->addWidget(m_weak);
    row->addWidget(m_facts, 1);
    row->addWidget(m_view);
    row->addSpacing(4);
    createActions();
    connect(m_view, &SegmentedControl::activated, this, &SessionBar::viewChanged);
}

QPushButton* SessionBar::addAction(QLatin1String iconName, const QString& text, const char* name,
                                   const QString& tip)
{
    auto* button = new QPushButton(
        icon(iconName, iconName == QLatin1String("stop") ? &Tokens::failed : &Tokens::text2), text, this);
    button->setObjectName(QLatin1String(name));
    button->setProperty("sgFlat", true);
    button->setToolTip(tip);
    makeDense(button);
    layout()->addWidget(button);
    return button;
}

void SessionBar::createActions()
{
    m_extend = addAction(QLatin1String("clock"), tr("Extend"), "extendSession",
                         tr("It lives for so long from now at least"));
    m_times = new QMenu(tr("&Extend"), m_extend);
    m_times->setIcon(icon(QLatin1String("clock")));
    for (const auto& [text, minutes] : { std::pair{ tr("30 minutes"), 30 }, std::pair{ tr("2 hours"), 120 },
                                         std::pair{ tr("1 day"), 24 * 60 } })
        m_times->addAction(text, this, [this, time = minutes] { Q_EMIT extendRequested(time); });
    m_extend->setMenu(m_times);
    m_pause = addAction(QLatin1String("pause"), tr("Pause"), "pauseSession",
                        tr("Its processes stand still and keep their memory; the next cell wakes them"));
    m_restart = addAction(QLatin1String("replay"), tr("Restart"), "restartSession",
                          tr("Ends the sandbox and starts another for the same thread; names and files that "
                             "are not kept are gone"));
    m_stop = addAction(QLatin1String("stop"), tr("Stop"), "stopSession",
                       tr("Ends the sandbox. Checkpoints and artifacts stay."));
    m_stop->setAccessibleName(tr("Stop session"));
    m_pause->setAccessibleName(tr("Pause session"));
    m_restart->setAccessibleName(tr("Restart session"));
    m_extend->setAccessibleName(tr("Extend session"));
    m_pauseAction = new QAction(icon(QLatin1String("pause")), tr("&Pause the session"), this);
    m_restartAction = new QAction(icon(QLatin1String("replay")), tr("&Restart the session"), this);
    m_stopAction = new QAction(icon(QLatin1String("stop")), tr("&Stop the session"), this);
    connect(m_pause, &QPushButton::clicked, m_pauseAction, &QAction::trigger);
    connect(m_restart, &QPushButton::clicked, m_restartAction, &QAction::trigger);
    connect(m_stop, &QPushButton::clicked, m_stopAction, &QAction::trigger);
    connect(m_pauseAction, &QAction::triggered, this,
            [this] { Q_EMIT pauseRequested(!m_session.state.is(sessions::SessionState::Kind::Paused)); });
    connect(m_restartAction, &QAction::triggered, this, &SessionBar::restartRequested);
    connect(m_stopAction, &QAction::triggered, this, [this] {
        m_stop->setEnabled(false);
        m_stopAction->setEnabled(false);
        Q_EMIT stopRequested();
    });
    showActions();
}

void SessionBar::showActions()
{
    const bool lives = !m_session.session.isEmpty() && !hasEnded(m_session);
    const bool paused = m_session.state.is(sessions::SessionState::Kind::Paused);
    m_pauseAction->setText(paused ? tr("Res&ume the session") : tr("&Pause the session"));
    m_times->menuAction()->setEnabled(lives);
    for (QAction* action : verbs()) {
        action->setEnabled(lives);
        action->setToolTip(lives ? QString() : tr("The thread has no session that lives"));
    }
    for (QAction* action : m_times->actions())
        action->setEnabled(lives);
}

void SessionBar::forget()
{
    m_session = {};
    showActions();
}

void SessionBar::show(const SessionRow& session)
{
    m_session = session;
    const bool ended = hasEnded(session);
    const bool paused = session.state.is(sessions::SessionState::Kind::Paused);
    m_name->setText(session.session);
    m_state->setText(capitalised(stateWords(session).section(QLatin1Char(':'), 0, 0)));
    QStringList facts{ session.thread, partWords(session) };
    if (ended) // the cause is the most important fact of an ended session
        facts.prepend(stateWords(session).section(QLatin1String(": "), 1));
    else
        facts << whereWords(session) << session.backend << session.isolation << storageWords(session)
              << dataWords(session);
    facts.removeAll(QString());
    m_facts->setFullText(facts.join(QStringLiteral(", ")));
    m_weak->setVisible(session.weakLimits && !ended);
    m_pause->setIcon(icon(paused ? QLatin1String("play") : QLatin1String("pause")));
    for (QPushButton* button : { m_extend, m_pause, m_restart, m_stop }) {
        button->setEnabled(!ended);
        button->setVisible(!ended || button == m_stop);
    }
    showActions();
    fitWords();
    update();
}

void SessionBar::fitWords()
{
    const bool hasRoom = width() >= scaledLength(kWidthOfWords);
    const bool paused = m_session.state.is(sessions::SessionState::Kind::Paused);
    m_extend->setText(hasRoom ? tr("Extend") : QString());
    m_pause->setText(!hasRoom ? QString() : paused ? tr("Resume") : tr("Pause"));
    m_restart->setText(hasRoom ? tr("Restart") : QString());
    m_stop->setText(hasRoom ? tr("Stop") : QString());
}

void SessionBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitWords();
}

QSize SessionBar::minimumSizeHint() const
{
    return { scaledLength(kLeastWidth), height() };
}

void SessionBar::setListSeen(bool seen)
{
    m_view->segment(static_cast<int>(View::List))->setVisible(!seen);
    if (seen && view() == View::List)
        setView(View::Meters);
}

SessionBar::View SessionBar::view() const
{
    return static_cast<View>(m_view->currentIndex());
}

void SessionBar::setView(View view)
{
    m_view->setCurrentIndex(static_cast<int>(view));
    Q_EMIT viewChanged();
}

void SessionBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), color(&Tokens::window));
    painter.fillRect(0, height() - 1, width(), 1, color(&Tokens::border));
    const double side = scaledLength(16);
    const StateKind kind = hasEnded(m_session)                     ? StateKind::Skipped
        : m_session.state.is(sessions::SessionState::Kind::Busy)   ? StateKind::Running
        : m_session.state.is(sessions::SessionState::Kind::Paused) ? StateKind::Stopped
                                                                   : StateKind::Done;
    paintStateGlyph(painter, kind, QRectF(12, (height() - 1 - side) / 2, side, side), tokens().window);
}

} // namespace sg::ui
