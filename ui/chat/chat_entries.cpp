#include "ui/chat/chat_entries.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("sg::ui::ChatView", text);
}

bool isSame(const ChatRow& a, const ChatRow& b)
{
    return a.key == b.key && a.json == b.json && a.checkpoint == b.checkpoint && a.task == b.task
        && (a.seconds == b.seconds || (qIsNaN(a.seconds) && qIsNaN(b.seconds)))
        && (a.cost == b.cost || (qIsNaN(a.cost) && qIsNaN(b.cost))) && a.author == b.author
        && a.node == b.node;
}

bool isSame(const ChatEntry& a, const ChatEntry& b)
{
    return a.isLive == b.isLive && isSame(a.row, b.row) && a.row.text == b.row.text
        && std::equal(a.answers.begin(), a.answers.end(), b.answers.begin(), b.answers.end(),
                      [](const auto& one, const auto& other) {
                          return one.has_value() == other.has_value() && (!one || isSame(*one, *other));
                      });
}

} // namespace

QString speakerOf(const ChatRow& row)
{
    const QString known = row.author.isEmpty() ? row.node : row.author;
    switch (row.role) {
    case ChatRow::Role::Person:
        return row.isInner && !row.node.isEmpty() ? words("to %1").arg(row.node) : words("You");
    case ChatRow::Role::Agent: return known.isEmpty() ? words("Model") : known;
    case ChatRow::Role::Tool: return row.author.isEmpty() ? words("Tool") : row.author;
    case ChatRow::Role::System: return words("System");
    case ChatRow::Role::Other: break;
    }
    return known.isEmpty() ? words("Message") : known;
}

void ChatEntries::build()
{
    m_entries.clear();
    QHash<QString, std::pair<std::size_t, std::size_t>> calls; // by id: entry, call
    const auto isShown = [this](const ChatRow& row) {
        return m_speaker.isEmpty() || speakerOf(row) == m_speaker;
    };
    QSet<QString> hidden; // calls of entries that are not shown
    for (const ChatRow& row : m_rows) {
        if (row.role == ChatRow::Role::Tool && hidden.contains(row.answers))
            continue;
        if (const auto call = calls.constFind(row.answers);
            row.role == ChatRow::Role::Tool && call != calls.constEnd()) {
            m_entries[call->first].answers[call->second] = row;
            continue;
        }
        if (!isShown(row)) {
            for (const ChatCallRow& call : row.calls)
                hidden.insert(call.id);
            continue;
        }
        for (std::size_t i = 0; i < row.calls.size(); ++i)
            calls.insert(row.calls[i].id, { m_entries.size(), i });
        m_entries.push_back({ row, std::vector<std::optional<ChatRow>>(row.calls.size()), false });
    }
    for (const ChatEntry& live : m_live)
        if (isShown(live.row))
            m_entries.push_back(live);
}

std::size_t ChatEntries::reset(const std::vector<ChatRow>& rows)
{
    QSet<QString> made;
    for (const ChatRow& row : rows)
        if (row.role == ChatRow::Role::Agent)
            made.insert(row.task);
    std::erase_if(m_live, [&](const ChatEntry& live) {
        return made.contains(live.row.task) || m_ended.contains(live.row.task);
    });
    m_ended.clear();
    m_rows = rows;
    const std::vector<ChatEntry> before = std::move(m_entries);
    build();
    std::size_t same = 0;
    while (same < before.size() && same < m_entries.size() && isSame(before[same], m_entries[same]))
        ++same;
    return same;
}

std::size_t ChatEntries::add(const ChatPiece& piece)
{
    auto live =
        std::ranges::find_if(m_live, [&](const ChatEntry& one) { return one.row.task == piece.task; });
    if (live == m_live.end()) {
        ChatEntry begun;
        begun.isLive = true;
        begun.row.key = QStringLiteral("live:") + piece.task;
        begun.row.role = ChatRow::Role::Agent;
        begun.row.node = piece.node;
        begun.row.task = piece.task;
        m_live.push_back(std::move(begun));
        live = m_live.end() - 1;
        build();
    }
    ChatRow& row = live->row;
    row.text += piece.text;
    row.reasoning += piece.reasoning;
    if (!piece.call.isEmpty()) {
        row.calls.emplace_back();
        row.calls.back().name = piece.call;
        live->answers.emplace_back();
    }
    if (!row.calls.empty())
        row.calls.back().arguments += piece.arguments;
    for (std::size_t i = m_entries.size(); i-- > 0;)
        if (m_entries[i].isLive && m_entries[i].row.task == piece.task) {
            m_entries[i] = *live;
            return i;
        }
    return m_entries.size(); // another speaker is shown
}

void ChatEntries::end(const QString& task)
{
    m_ended << task;
}

void ChatEntries::setSpeaker(const QString& speaker)
{
    m_speaker = speaker;
    build();
}

QStringList ChatEntries::speakers() const
{
    QStringList names;
    for (const ChatRow& row : m_rows)
        if (const QString name = speakerOf(row); row.role == ChatRow::Role::Agent && !names.contains(name))
            names << name;
    return names;
}

ChatSums ChatEntries::sums() const
{
    ChatSums sums;
    for (const ChatRow& row : m_rows) {
        if (row.role != ChatRow::Role::Agent || (!m_speaker.isEmpty() && speakerOf(row) != m_speaker))
            continue;
        ++sums.turns;
        sums.input += row.input;
        sums.output += row.output;
        if (!qIsNaN(row.cost))
            sums.cost = (qIsNaN(sums.cost) ? 0 : sums.cost) + row.cost;
        else if (row.input + row.output > 0)
            ++sums.unpriced;
    }
    return sums;
}

bool ChatEntries::holds(std::size_t index, int call, const QString& wanted) const
{
    const auto has = [&wanted](const QString& text) { return text.contains(wanted, Qt::CaseInsensitive); };
    const ChatEntry& entry = m_entries[index];
    if (call < 0)
        return has(entry.row.text) || has(entry.row.reasoning);
    const auto at = static_cast<std::size_t>(call);
    const ChatCallRow& made = entry.row.calls[at];
    const auto& answer = entry.answers[at];
    return has(made.name) || has(made.id) || has(made.code) || has(made.whole) || has(made.arguments)
        || (answer && has(answer->text));
}

} // namespace sg::ui
