#include "ui/sessions/session_panel.h"

#include "ui/sessions/meters_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QHash>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

namespace {

bool hasEnded(const SessionRow& row)
{
    return row.state.startsWith(QLatin1String("ended"));
}

StateKind kindOf(const SessionRow& row)
{
    return hasEnded(row)                     ? StateKind::Skipped
        : row.state == QLatin1String("busy") ? StateKind::Running
                                             : StateKind::Done;
}

QString capitalised(const QString& word)
{
    return word.left(1).toUpper() + word.mid(1);
}

// "docker, container, memory, local data"
QString factsOf(const SessionRow& row)
{
    QStringList facts{ row.backend, row.isolation, row.storage, row.datasets };
    facts.removeAll(QString());
    return facts.join(QStringLiteral(", "));
}

// 32 px on the window's colour; the state's glyph stands at its left.
class SessionBar final : public QWidget {
public:
    explicit SessionBar(QWidget* parent)
        : QWidget(parent)
    {
        setFixedHeight(scaledLength(32));
    }
    void setKind(StateKind kind)
    {
        m_kind = kind;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(rect(), color(&Tokens::window));
        painter.fillRect(0, height() - 1, width(), 1, color(&Tokens::border));
        const double side = scaledLength(16);
        paintStateGlyph(painter, m_kind, QRectF(12, (height() - 1 - side) / 2, side, side), tokens().window);
    }

private:
    StateKind m_kind = StateKind::Idle;
};

} // namespace

struct SessionPanel::Impl : QObject {
    explicit Impl(SessionPanel* panel);
    void createBar(QWidget* parent);
    void show();
    [[nodiscard]] const SessionRow* shown() const; // null: none

    QString thread;
    std::vector<SessionRow> sessions;
    QHash<QString, SampleHistory> samples; // by session

    QStackedWidget* pages;
    EmptyState* empty;
    QWidget* filled;
    SessionBar* bar;
    QLabel* name;
    QLabel* state;
    ElidedLabel* facts;
    QLabel* weak;
    QLabel* weakIcon;
    SegmentedControl* span;
    QPushButton* stop;
    MetersView* meters;
};

SessionPanel::Impl::Impl(SessionPanel* panel)
    : QObject(panel)
    , pages(new QStackedWidget(panel))
    , empty(new EmptyState(QLatin1String("chip"), SessionPanel::tr("This graph has not started a sandbox."),
                           pages))
    , filled(new QWidget(pages))
{
    createBar(filled);
    meters = new MetersView(filled);
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(meters, 1);
    pages->addWidget(empty);
    pages->addWidget(filled);
    auto* outer = new QVBoxLayout(panel);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages);
    connect(span, &SegmentedControl::activated, this,
            [this] { meters->setSpan(span->currentData().toDouble()); });
    connect(stop, &QPushButton::clicked, panel, [this, panel] {
        if (const SessionRow* row = shown()) {
            stop->setEnabled(false);
            Q_EMIT panel->stopRequested(row->session);
        }
    });
}

void SessionPanel::Impl::createBar(QWidget* parent)
{
    bar = new SessionBar(parent);
    name = new QLabel(bar);
    name->setFont(monoFont(TextSize::Dense, QFont::DemiBold));
    name->setTextInteractionFlags(Qt::TextSelectableByMouse);
    state = new QLabel(bar);
    state->setFont(uiFont(TextSize::Dense));
    facts = new ElidedLabel({}, bar);
    facts->setFont(uiFont(TextSize::Dense));
    facts->setForegroundRole(QPalette::PlaceholderText);
    weakIcon = new QLabel(bar);
    weakIcon->setPixmap(icon(QLatin1String("warn"), &Tokens::warn).pixmap(14, 14));
    weak = new QLabel(SessionPanel::tr("weak limits"), bar);
    weak->setFont(uiFont(TextSize::Dense));
    weak->setToolTip(SessionPanel::tr(
        "This sandbox cannot enforce its limits of CPU and memory on this machine. A container engine can."));
    span = new SegmentedControl(SessionPanel::tr("How far back the meters reach"),
                                SegmentedControl::Mode::Single, bar);
    makeDense(span);
    span->addSegment(SessionPanel::tr("1 min"), 60'000);
    span->addSegment(SessionPanel::tr("5 min"), 300'000);
    span->addSegment(SessionPanel::tr("1 h"), 3'600'000);
    span->setCurrentIndex(1);
    stop =
        new QPushButton(icon(QLatin1String("stop"), &Tokens::failed), SessionPanel::tr("Stop session"), bar);
    stop->setObjectName(QStringLiteral("stopSession"));
    stop->setProperty("sgFlat", true);
    stop->setToolTip(SessionPanel::tr("Ends the sandbox. Checkpoints and artifacts stay."));
    makeDense(stop);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(scaledLength(36), 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(name);
    row->addWidget(state);
    row->addWidget(facts, 1);
    row->addWidget(weakIcon);
    row->addWidget(weak);
    row->addSpacing(4);
    row->addWidget(span);
    row->addWidget(stop);
}

// The thread's session that is alive, or the last one that was.
const SessionRow* SessionPanel::Impl::shown() const
{
    const SessionRow* found = nullptr;
    for (const SessionRow& row : sessions) {
        if (row.thread != thread || thread.isEmpty())
            continue;
        const bool better = !found || (hasEnded(*found) && !hasEnded(row))
            || (hasEnded(*found) == hasEnded(row) && row.startedMs >= found->startedMs);
        if (better)
            found = &row;
    }
    return found;
}

void SessionPanel::Impl::show()
{
    const SessionRow* row = shown();
    pages->setCurrentWidget(row ? filled : static_cast<QWidget*>(empty));
    if (!row)
        return;
    bar->setKind(kindOf(*row));
    name->setText(row->session);
    state->setText(capitalised(row->state));
    facts->setFullText(factsOf(*row));
    weak->setVisible(row->weakLimits);
    weakIcon->setVisible(row->weakLimits);
    stop->setEnabled(!hasEnded(*row));
    meters->show(*row, samples.value(row->session));
}

SessionPanel::SessionPanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Session"));
}

void SessionPanel::clear()
{
    m_impl->thread.clear();
    m_impl->sessions.clear();
    m_impl->samples.clear();
    m_impl->show();
}

void SessionPanel::setMode(const QString& mode)
{
    const QString words = mode.toLower().replace(QStringLiteral(" · "), QStringLiteral(", "));
    m_impl->empty->setSentence(words.isEmpty()
                                   ? tr("This graph has not started a sandbox.")
                                   : tr("This graph has not started a sandbox. Mode: %1.").arg(words));
}

void SessionPanel::setThread(const QString& thread)
{
    m_impl->thread = thread;
    m_impl->show();
}

void SessionPanel::setSessions(const std::vector<SessionRow>& sessions)
{
    m_impl->sessions = sessions;
    for (const QString& known : m_impl->samples.keys())
        if (std::ranges::find(sessions, known, &SessionRow::session) == sessions.end())
            m_impl->samples.remove(known);
    m_impl->show();
}

void SessionPanel::addSamples(const QString& session, const std::vector<SampleRow>& samples)
{
    m_impl->samples[session].add(samples);
    const SessionRow* row = m_impl->shown();
    if (row && row->session == session)
        m_impl->meters->show(*row, m_impl->samples[session]);
}

} // namespace sg::ui
