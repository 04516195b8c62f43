#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/chat_rows.h"

#include <QHash>

#include <map>
#include <memory>
#include <vector>

namespace sg::ui {

class ChatBook;

// Reads what was said in threads: as it is stored, and piece by piece while models answer.
class ChatClient : public Client {
    Q_OBJECT
public:
    explicit ChatClient(OpenProject& project);

    // An empty checkpoint means the newest. Of each thread the newest question is answered.
    void load(const QString& thread, const QString& checkpoint);
    // Returns what has come of messages that are not stored yet, a piece a task.
    [[nodiscard]] std::vector<ChatPiece> pieces(const QString& thread) const;

Q_SIGNALS:
    void loaded(const sg::ui::ChatRows& rows);
    void piecesCame(const std::vector<sg::ui::ChatPiece>& pieces); // soon after they left the engine
    void taskEnded(const QString& thread, const QString& task); // its pieces are a message, or nothing

private:
    void take(const std::vector<ChatPiece>& pieces);
    void end(const QString& thread, const QString& task);

    std::map<QString, std::unique_ptr<Latest>> m_questions; // by thread
    std::shared_ptr<ChatBook> m_book; // null until it is needed
    QHash<QString, QHash<QString, ChatPiece>> m_begun; // by thread and task
};

} // namespace sg::ui
