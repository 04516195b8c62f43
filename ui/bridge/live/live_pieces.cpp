#include "ui/bridge/live/live_pieces.h"

#include "core/base/printable.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace sg::ui {
namespace {

constexpr qint64 kTogetherMs = 4; // pieces that come within this time after others

qint64 steadyNs()
{
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void addContent(const Value& content, ChatPiece& piece)
{
    if (content.isString())
        piece.text += text(printableText(content.asString()));
    for (const Value& block : content.isList() ? content.asList() : ValueList()) {
        if (block.stringOr("type", "") == "text" || block.stringOr("type", "") == "text_delta")
            piece.text += text(printableText(block.stringOr("text", "")));
        for (const char* key : { "thinking", "reasoning" })
            piece.reasoning += text(printableText(block.stringOr(key, "")));
    }
}

// "analyst:5ea0…|model:c73e…": the task is the last one, the node of the graph the first.
void readPlace(std::string_view ns, ChatPiece& piece)
{
    piece.node = text(std::string(ns.substr(0, ns.find_first_of(":|"))));
    const std::size_t last = ns.rfind('|') == std::string_view::npos ? 0 : ns.rfind('|') + 1;
    const std::string_view part = ns.substr(last);
    const std::size_t colon = part.find(':');
    const std::string_view task = colon == std::string_view::npos ? part : part.substr(colon + 1);
    piece.task = text(std::string(task.substr(0, task.find(':'))));
}

// nullopt: it is no piece of a model's answer.
std::optional<ChatPiece> pieceOf(const engine::RunEvent& event)
{
    const auto* chunk = std::get_if<engine::StreamChunk>(&event.body);
    if (chunk == nullptr || chunk->mode != "messages")
        return std::nullopt;
    const auto message = checkpoint::asMessage(chunk->data[0]);
    if (!message || message->stringOr("type", "") != "AIMessageChunk")
        return std::nullopt;
    ChatPiece piece;
    piece.thread = text(event.thread.value);
    readPlace(chunk->data[1].stringOr("checkpoint_ns", ""), piece);
    addContent((*message)["content"], piece);
    const Value& more = (*message)["additional_kwargs"];
    piece.reasoning += text(printableText(more.stringOr("reasoning_content", "")));
    const Value& calls = (*message)["tool_call_chunks"];
    for (const Value& call : calls.isList() ? calls.asList() : ValueList()) {
        piece.call += text(printableText(call.stringOr("name", "")));
        piece.arguments += text(printableText(call.stringOr("args", "")));
    }
    if (piece.text.isEmpty() && piece.reasoning.isEmpty() && piece.call.isEmpty()
        && piece.arguments.isEmpty())
        return std::nullopt;
    piece.cameNs = steadyNs();
    return piece;
}

} // namespace

struct LivePieces::Queue {
    std::mutex mutex;
    LivePieces* owner = nullptr; // guarded by mutex; null after stop()
    bool isWoken = false; // guarded by mutex
    std::vector<ChatPiece> pieces; // guarded by mutex
};

LivePieces::LivePieces()
{
    m_rest.setSingleShot(true);
    m_rest.setTimerType(Qt::PreciseTimer);
    connect(&m_rest, &QTimer::timeout, this, &LivePieces::flush);
}

LivePieces::~LivePieces()
{
    stop();
}

std::function<void(const engine::RunEvent&)> LivePieces::listener()
{
    stop();
    m_queue = std::make_shared<Queue>();
    m_queue->owner = this;
    return [queue = m_queue](const engine::RunEvent& event) {
        auto piece = pieceOf(event);
        if (!piece)
            return;
        const std::lock_guard lock(queue->mutex);
        if (queue->owner == nullptr)
            return;
        queue->pieces.push_back(*std::move(piece));
        if (!std::exchange(queue->isWoken, true))
            QMetaObject::invokeMethod(queue->owner, &LivePieces::wake, Qt::QueuedConnection);
    };
}

void LivePieces::stop()
{
    m_rest.stop();
    if (!m_queue)
        return;
    const std::lock_guard lock(m_queue->mutex);
    m_queue->owner = nullptr;
    m_queue->pieces.clear();
}

void LivePieces::wake()
{
    const qint64 since = m_sinceFlush.isValid() ? m_sinceFlush.elapsed() : kTogetherMs;
    if (since >= kTogetherMs)
        flush();
    else if (!m_rest.isActive())
        m_rest.start(static_cast<int>(kTogetherMs - since));
}

void LivePieces::flush()
{
    std::vector<ChatPiece> pieces;
    if (!m_queue)
        return;
    {
        const std::lock_guard lock(m_queue->mutex);
        pieces.swap(m_queue->pieces);
        m_queue->isWoken = false;
    }
    m_sinceFlush.start();
    if (!pieces.empty())
        Q_EMIT came(pieces);
}

} // namespace sg::ui
