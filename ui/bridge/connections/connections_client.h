#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/connection_rows.h"

#include <vector>

namespace sg::ui {

// The user's connections to services elsewhere. They stand in no project: this asks without one, too.
class ConnectionsClient : public Client {
    Q_OBJECT
public:
    explicit ConnectionsClient(OpenProject& project)
        : Client(project)
    {
    }

    void load();
    void check(const QString& name); // asks the service; checked() follows
    void save(const ConnectionRow& row); // adds it, or replaces the one of that name
    void remove(const QString& name);
    void endSandbox(const QString& connection, const QString& sandbox);

Q_SIGNALS:
    void loaded(const std::vector<sg::ui::ConnectionRow>& rows, const sg::ui::UserError& error);
    void checked(const sg::ui::ConnectionHealth& health);
    void saved(const QString& name, const sg::ui::UserError& error);
    void removed(const QString& name, const sg::ui::UserError& error);
    void sandboxEnded(const QString& connection, const QString& sandbox, const sg::ui::UserError& error);
};

} // namespace sg::ui
