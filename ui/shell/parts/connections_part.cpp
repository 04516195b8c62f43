#include "ui/shell/parts/connections_part.h"

#include "ui/bridge/clients.h"
#include "ui/connections/connections_panel.h"
#include "ui/documents/document_area.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

namespace sg::ui {

ConnectionsPart::ConnectionsPart(const WindowParts& parts, ConnectionsPanel& panel)
    : WindowPart(parts)
    , m_panel(&panel)
    , m_open(new QAction(icon(QLatin1String("link")), tr("&Connections"), parts.window))
{
    m_open->setObjectName(QStringLiteral("session.connections"));
    connect(m_open, &QAction::triggered, this, [this] {
        m_parts.documents->open({ QStringLiteral("connections"), {} });
        m_panel->setFocus(Qt::OtherFocusReason);
    });
    using Panel = ConnectionsPanel;
    ConnectionsClient* client = &m_clients->connections;
    connect(m_panel, &Panel::loadRequested, client, &ConnectionsClient::load);
    connect(m_panel, &Panel::checkRequested, client, &ConnectionsClient::check);
    connect(m_panel, &Panel::saveRequested, client, &ConnectionsClient::save);
    connect(m_panel, &Panel::removeRequested, client, &ConnectionsClient::remove);
    connect(m_panel, &Panel::endRequested, client, &ConnectionsClient::endSandbox);
    connect(client, &ConnectionsClient::loaded, m_panel, &Panel::setConnections);
    connect(client, &ConnectionsClient::checked, m_panel, &Panel::setHealth);
    connect(client, &ConnectionsClient::saved, m_panel, &Panel::setSaved);
    connect(client, &ConnectionsClient::removed, m_panel, &Panel::setRemoved);
    connect(client, &ConnectionsClient::sandboxEnded, m_panel,
            [this](const QString&, const QString& sandbox, const UserError& error) {
                m_panel->setEnded(sandbox, error);
            });
}

} // namespace sg::ui
