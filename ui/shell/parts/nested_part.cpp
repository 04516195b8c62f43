#include "ui/shell/parts/nested_part.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/timeline/timeline_panel.h"

namespace sg::ui {

NestedPart::NestedPart(const WindowParts& parts)
    : WindowPart(parts)
{
    connect(&m_clients->history, &HistoryClient::historyLoaded, this, [this](const HistoryRows& rows) {
        if (rows.thread == m_selection->thread())
            m_clients->history.loadNamespaces(rows.thread);
    });
    connect(&m_clients->history, &HistoryClient::namespacesLoaded, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (thread == m_selection->thread())
                    m_timeline->setNamespaces(namespaces);
            });
    connect(m_timeline, &TimelinePanel::nestedWanted, this, [this](const QStringList& namespaces) {
        m_clients->history.loadNested(m_selection->thread(), namespaces);
    });
    connect(&m_clients->history, &HistoryClient::nestedLoaded, this,
            [this](const std::vector<HistoryRows>& runs) {
                if (!runs.empty() && runs.front().thread == m_selection->thread())
                    m_timeline->setNested(runs);
            });
    connect(&m_clients->runs, &RunsClient::innerChanged, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (thread != m_selection->thread())
                    return;
                m_timeline->addNamespaces(namespaces);
                m_parts.canvas->readInnerAgain(); // one of them may be shown there
            });
}

} // namespace sg::ui
