#include "ui/shell/parts/raw_part.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/state/raw_view.h"
#include "ui/state/state_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

namespace sg::ui {

RawPart::RawPart(const WindowParts& parts, StatePanel& state)
    : WindowPart(parts)
    , m_state(&state)
{
    m_showRaw = new QAction(icon(QLatin1String("file")), tr("Raw &bytes of this checkpoint…"), m_window);
    showVerb();
    const auto show = [this](const QString& pointer) {
        if (m_raw == nullptr) {
            m_raw = new RawView(m_window);
            connect(m_raw, &RawView::pageRequested, &m_clients->search, &SearchClient::loadRaw);
            connect(m_raw, &RawView::saveRequested, &m_clients->search, &SearchClient::saveRaw);
            connect(&m_clients->search, &SearchClient::rawLoaded, m_raw, &RawView::setPage);
            connect(&m_clients->search, &SearchClient::rawSaved, m_raw, &RawView::setSaved);
            connect(&m_clients->project, &OpenProject::closing, m_raw, &QWidget::hide);
        }
        m_raw->open({ m_selection->thread(), rawCheckpoint(), pointer });
    };
    connect(m_history, &ShownHistory::changed, this, &RawPart::showVerb);
    connect(m_history, &ShownHistory::currentChanged, this, &RawPart::showVerb);
    connect(&m_clients->project, &OpenProject::opened, this, &RawPart::showVerb);
    connect(m_showRaw, &QAction::triggered, this, [show] { show({}); });
    connect(m_state, &StatePanel::rawRequested, this, show);
}

QString RawPart::rawCheckpoint() const
{
    return m_selection->checkpoint().isEmpty() ? m_history->current() : m_selection->checkpoint();
}

void RawPart::showVerb()
{
    const bool isOpen = m_clients->project.isOpen();
    m_showRaw->setEnabled(isOpen && !rawCheckpoint().isEmpty());
    m_showRaw->setToolTip(!isOpen                      ? tr("No project is open")
                              : m_showRaw->isEnabled() ? tr("The bytes as they stand in the database")
                                                       : tr("This thread has no checkpoint yet"));
}

} // namespace sg::ui
