#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/storage_rows.h"

#include <QStringList>

namespace sg::ui {

class HistoryClient;
class NotesClient;
class SessionsClient;

// Exports, imports and removes threads, and shows and reduces disk use.
class UpkeepClient : public Client {
    Q_OBJECT
public:
    UpkeepClient(OpenProject& project, HistoryClient& history, NotesClient& notes, SessionsClient& sessions);

    // Writes a thread to one file, or reads one. If something looks like a secret, nothing is written unless
    // `allowSecrets` is set.
    void exportThread(const QString& thread, const QString& file, bool allowSecrets);
    void importThread(const QString& file, const QString& asThread); // an empty name keeps the thread's own
    void removeThreads(const QStringList& threads); // they cannot be restored
    void loadStorage();
    void pruneStorage(const PruneWish& wish);

Q_SIGNALS:
    void threadExported(const sg::ui::ThreadBundle& bundle, const sg::ui::UserError& error);
    void threadImported(const sg::ui::ThreadBundle& bundle, const sg::ui::UserError& error);
    void storageLoaded(const sg::ui::StorageView& view, const sg::ui::UserError& error);
    void storagePruned(const sg::ui::PruneOutcome& outcome, const sg::ui::UserError& error);

private:
    HistoryClient& m_history;
    NotesClient& m_notes;
    SessionsClient& m_sessions;
};

} // namespace sg::ui
