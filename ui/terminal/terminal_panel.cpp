#include "ui/terminal/terminal_panel.h"

#include "ui/bridge/clients.h"
#include "ui/bridge/sessions/terminal_line.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/terminal/terminal_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

bool isLive(const SessionRow& session)
{
    return session.state.is(sessions::SessionState::Kind::Idle)
        || session.state.is(sessions::SessionState::Kind::Busy);
}

// Warns the user that the terminal changes the live session.
class LiveMark : public QWidget {
public:
    using QWidget::QWidget;
    [[nodiscard]] QSize sizeHint() const override { return { static_cast<int>(chipWidth(chip())) + 2, 22 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

private:
    static ChipText chip()
    {
        return { {}, QObject::tr("writes to the live session"), &Tokens::warn, &Tokens::warnTint };
    }
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        paintChip(painter, chip(), { 1, height() / 2.0 });
    }
};

} // namespace

TerminalPanel::TerminalPanel(QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState(QLatin1String("terminal"), {}, this))
    , m_openButton(m_empty->setButton(tr("Open a terminal")))
    , m_name(new QLabel(this))
    , m_facts(new ElidedLabel({}, this))
    , m_again(new QPushButton(tr("Open again"), this))
    , m_close(new QPushButton(tr("Close"), this))
    , m_banner(new Banner(this))
    , m_view(new TerminalView(this))
{
    auto* shell = new QWidget(this);
    auto* bar = new QWidget(shell);
    bar->setFixedHeight(scaledLength(32));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 0);
    row->setSpacing(10);
    m_name->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_facts->setFont(uiFont(TextSize::Small));
    row->addWidget(m_name);
    row->addWidget(new LiveMark(bar));
    row->addWidget(m_facts, 1);
    for (QPushButton* button : { m_again, m_close }) {
        makeDense(button);
        row->addWidget(button);
    }
    m_close->setAccessibleName(tr("Close terminal"));
    m_again->setAccessibleName(tr("Open terminal again"));
    auto* column = new QVBoxLayout(shell);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_banner);
    column->addWidget(m_view, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(shell);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_pages);
    connect(m_openButton, &QPushButton::clicked, this, &TerminalPanel::open);
    connect(m_again, &QPushButton::clicked, this, &TerminalPanel::open);
    connect(m_close, &QPushButton::clicked, this, [this] {
        close({});
        m_shellOf.clear();
        showState();
    });
    showState();
}

void TerminalPanel::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), color(&Tokens::base));
}

TerminalPanel::TerminalPanel(const PanelParts& parts, QWidget* parent)
    : TerminalPanel(parent)
{
    SessionsClient* client = &parts.clients.sessions;
    connect(this, &TerminalPanel::openRequested, client, &SessionsClient::openTerminal);
    connect(client, &SessionsClient::sessionsChanged, this, &TerminalPanel::setSessions);
    connect(&parts.selection, &Selection::threadChanged, this, &TerminalPanel::setThread);
    connect(&parts.history, &ShownHistory::momentChanged, this,
            [this, history = &parts.history] { setMoment(history->moment()); });
}

void TerminalPanel::setThread(const QString& thread)
{
    m_thread = thread;
    choose();
}

void TerminalPanel::setSessions(const std::vector<SessionRow>& sessions)
{
    m_sessions = sessions;
    choose();
}

void TerminalPanel::setMoment(double timeMs)
{
    m_view->setMoment(timeMs);
}

void TerminalPanel::clear()
{
    close({});
    m_shellOf.clear();
    m_sessions.clear();
    setThread({});
}

// Chooses the thread's own session before those of its nodes.
void TerminalPanel::choose()
{
    const auto fits = [this](const SessionRow& row) { return row.thread == m_thread && isLive(row); };
    auto found = std::ranges::find_if(
        m_sessions, [&](const SessionRow& row) { return fits(row) && row.part.isThreads(); });
    if (found == m_sessions.end())
        found = std::ranges::find_if(m_sessions, fits);
    m_session = found == m_sessions.end() ? SessionRow() : *found;
    showState();
}

void TerminalPanel::open()
{
    if (m_session.session.isEmpty() || m_line)
        return;
    const QSize grid = m_view->grid();
    m_line = TerminalLine::make({ grid.height(), grid.width() });
    m_shellOf = m_session.session;
    m_banner->hide();
    m_view->attach(m_line);
    connect(m_line.get(), &TerminalLine::ended, this, &TerminalPanel::close);
    connect(m_line.get(), &TerminalLine::refused, this, [this](qint64 bytes) {
        m_banner->showMessage(Banner::Kind::Warning,
                              tr("%1 that were typed or pasted are left out: what runs here does not read, "
                                 "and at most 4 MiB wait "
                                 "for it. Write them to a file of the session instead.")
                                  .arg(QLocale().formattedDataSize(bytes)));
    });
    Q_EMIT openRequested(m_session.session, m_line);
    showState();
    m_view->setFocus();
}

void TerminalPanel::close(const QString& why)
{
    if (!m_line)
        return;
    m_line->disconnect(this);
    m_line.reset();
    m_view->end();
    if (!why.isEmpty())
        m_banner->showMessage(Banner::Kind::Info, why);
    showState();
}

void TerminalPanel::showState()
{
    const bool hasSession = !m_session.session.isEmpty();
    m_pages->setCurrentIndex(static_cast<int>(m_shellOf.isEmpty() ? Page::Empty : Page::Shell));
    m_openButton->setVisible(hasSession);
    m_empty->setSentence(
        hasSession ? tr("A shell in the sandbox of session %1. What it does is done to the live session.")
                         .arg(m_session.session)
                   : tr("No session of this thread runs. A run or a cell of the console starts one."));
    m_name->setText(m_shellOf);
    const auto shown = std::ranges::find(m_sessions, m_shellOf, &SessionRow::session);
    m_facts->setFullText(shown == m_sessions.end() ? QString()
                                                   : tr("thread %1 · %2").arg(shown->thread, shown->backend));
    m_again->setVisible(!m_line);
    m_again->setEnabled(hasSession);
    m_again->setToolTip(hasSession ? QString() : tr("No session of this thread runs."));
}

} // namespace sg::ui
