#pragma once

#include "core/history/conversation.h"
#include "core/history/usage_book.h"
#include "ui/bridge/rows/chat_rows.h"

#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>
#include <unordered_map>

namespace sg::ui {

// Keeps what questions about one project's chats share.
class ChatBook {
public:
    ChatBook(history::History& history, const std::filesystem::path& database)
        : m_conversations(history, database)
    {
    }
    // Blocking. Any thread; questions run one after the other.
    ChatRows read(history::UsageBook& usage, const QString& thread, const QString& checkpoint,
                  const std::stop_token& stop);

private:
    struct Made {
        Value message;
        ChatRow row;
    };
    const ChatRow& rowOf(const history::SaidMessage& said);

    history::Conversations m_conversations;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    QString m_thread; // that was asked for last
    std::unordered_map<std::string, Made> m_made; // its rows, by their messages' keys
};

// Returns what is shown of a message. On any thread.
ChatRow chatRow(const Value& message);

} // namespace sg::ui
