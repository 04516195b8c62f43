#pragma once

#include "ui/bridge/rows/chat_rows.h"

#include <QHash>
#include <QString>

#include <optional>
#include <vector>

namespace sg::ui {

// A message, with the answers to the calls that it makes.
struct ChatEntry {
    ChatRow row;
    std::vector<std::optional<ChatRow>> answers; // one a call; nullopt: there is none yet
    bool isLive = false; // it is being made
};

// Somebody who speaks in a chat.
QString speakerOf(const ChatRow& row);

struct ChatSums {
    int turns = 0; // answers of models
    qint64 input = 0; // tokens
    qint64 output = 0;
    double cost = kUnknown; // of those with a price
    int unpriced = 0;
};

// The messages of a thread as they are shown, oldest first. Those that are being made come last.
class ChatEntries {
public:
    // Returns the first entry that is another than before. Pieces of tasks whose message is among the rows
    // are dropped.
    std::size_t reset(const std::vector<ChatRow>& rows);
    std::size_t add(const ChatPiece& piece); // the entry that it belongs to
    void end(const QString& task); // what had come of it is dropped with the next reset()
    // Only entries of that speaker are shown; empty: all.
    void setSpeaker(const QString& speaker);
    [[nodiscard]] const QString& speaker() const { return m_speaker; }

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] const ChatEntry& at(std::size_t index) const { return m_entries[index]; }
    [[nodiscard]] QStringList speakers() const; // of models' messages
    [[nodiscard]] ChatSums sums() const;
    // Tells whether the words are in the entry, or in that call of it (from 0).
    [[nodiscard]] bool holds(std::size_t index, int call, const QString& words) const;

private:
    void build();

    std::vector<ChatRow> m_rows;
    std::vector<ChatEntry> m_live;
    QStringList m_ended; // tasks
    QString m_speaker;
    std::vector<ChatEntry> m_entries; // what is shown of both
};

} // namespace sg::ui
