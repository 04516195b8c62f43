#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/pool_rows.h"

namespace sg::ui {

// Asks the server of the queue behind roles, and steers its pools. The queue is the user's, not a project's:
// this asks without a project, too.
class PoolsClient : public Client {
    Q_OBJECT
public:
    explicit PoolsClient(OpenProject& project)
        : Client(project)
    {
    }

    // Looks at another queue than the one that the environment names. It is kept for this window alone.
    void setAddress(const QString& address) { m_address = address; }
    void load(); // loaded() follows
    void loadStory(const QString& role, const QString& job);
    void change(const PoolChange& change);

Q_SIGNALS:
    void loaded(const sg::ui::PoolsLook& look);
    void storyLoaded(const sg::ui::JobStoryRow& story);
    void changed(const sg::ui::PoolChange& change, const sg::ui::UserError& error);

private:
    QString m_address;
};

} // namespace sg::ui
