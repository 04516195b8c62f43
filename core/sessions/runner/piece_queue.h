#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace sg::sessions {

// PieceQueue passes pieces of a stream from one producer thread to one consumer thread, so that hashing goes
// on while more comes.
template<typename Piece>
class PieceQueue {
public:
    // Waits for room. False: the consumer has abandoned the queue.
    bool put(Piece piece)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_pieces.size() < kMost || m_isUnwanted; });
        if (m_isUnwanted)
            return false;
        m_pieces.push_back(std::move(piece));
        m_changed.notify_all();
        return true;
    }
    void finish()
    {
        const std::lock_guard lock(m_mutex);
        m_isFinished = true;
        m_changed.notify_all();
    }
    // Waits for a piece; nullopt: there are no more.
    std::optional<Piece> take()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return !m_pieces.empty() || m_isFinished; });
        if (m_pieces.empty())
            return std::nullopt;
        std::optional<Piece> piece(std::move(m_pieces.front()));
        m_pieces.pop_front();
        m_changed.notify_all();
        return piece;
    }
    void abandon()
    {
        const std::lock_guard lock(m_mutex);
        m_isUnwanted = true;
        m_changed.notify_all();
    }

private:
    static constexpr std::size_t kMost = 8;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    // Guarded by m_mutex:
    std::deque<Piece> m_pieces;
    bool m_isFinished = false;
    bool m_isUnwanted = false;
};

} // namespace sg::sessions
