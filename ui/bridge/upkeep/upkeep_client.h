#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/storage_rows.h"

#include <QStringList>

namespace sg::ui {

class HistoryClient;
class SessionsClient;

// Threads as files, threads that go for good, and what the project takes on the disk.
class UpkeepClient : public Client {
    Q_OBJECT
public:
    UpkeepClient(OpenProject& project, HistoryClient& history, SessionsClient& sessions);

    // A thread as one file, and such a file as a thread. Where something looks like a secret nothing is
    // written before it was allowed.
    void exportThread(const QString& thread, const QString& file, bool allowSecrets);
    void importThread(const QString& file, const QString& asThread); // empty: under its own name
    void removeThreads(const QStringList& threads); // for good
    void loadStorage();
    void pruneStorage(const PruneWish& wish);

Q_SIGNALS:
    void threadExported(const sg::ui::ThreadBundle& bundle, const sg::ui::UserError& error);
    void threadImported(const sg::ui::ThreadBundle& bundle, const sg::ui::UserError& error);
    void storageLoaded(const sg::ui::StorageView& view, const sg::ui::UserError& error);
    void storagePruned(const sg::ui::PruneOutcome& outcome, const sg::ui::UserError& error);

private:
    HistoryClient& m_history;
    SessionsClient& m_sessions;
};

} // namespace sg::ui
