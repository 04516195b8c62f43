#include "ui/shell/parts/pools_part.h"

#include "ui/bridge/clients.h"
#include "ui/documents/document_area.h"
#include "ui/pools/pools_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

namespace sg::ui {

PoolsPart::PoolsPart(const WindowParts& parts, PoolsPanel& panel)
    : WindowPart(parts)
    , m_panel(&panel)
    , m_open(new QAction(icon(QLatin1String("chip")), tr("&Pools"), parts.window))
{
    m_open->setObjectName(QStringLiteral("session.pools"));
    connect(m_open, &QAction::triggered, this, [this] {
        m_parts.documents->open({ QStringLiteral("pools"), {} });
        m_panel->setFocus(Qt::OtherFocusReason);
    });
    PoolsClient* client = &m_clients->pools;
    connect(m_panel, &PoolsPanel::loadRequested, client, &PoolsClient::load);
    connect(m_panel, &PoolsPanel::addressRequested, client, &PoolsClient::setAddress);
    connect(m_panel, &PoolsPanel::storyRequested, client, &PoolsClient::loadStory);
    connect(m_panel, &PoolsPanel::changeRequested, client, &PoolsClient::change);
    connect(client, &PoolsClient::loaded, m_panel, &PoolsPanel::setLook);
    connect(client, &PoolsClient::storyLoaded, m_panel, &PoolsPanel::setStory);
    connect(client, &PoolsClient::changed, m_panel, &PoolsPanel::setChanged);
}

} // namespace sg::ui
