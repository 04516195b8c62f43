#pragma once

#include "core/engine/run_event.h"
#include "ui/bridge/rows/chat_rows.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace sg::ui {

// Brings pieces of messages to the GUI thread. A person reads along, so they do not wait for the batches of
// LiveEvents: the first comes at once, and more that come within some milliseconds come together.
class LivePieces : public QObject {
    Q_OBJECT
public:
    LivePieces();
    ~LivePieces() override;

    // Returns a function that takes events from any thread, until stop(). It ignores all but chunks of
    // messages.
    [[nodiscard]] std::function<void(const engine::RunEvent&)> listener();
    void stop(); // what waited is dropped

Q_SIGNALS:
    void came(const std::vector<sg::ui::ChatPiece>& pieces);

private:
    struct Queue;
    void wake();
    void flush();

    std::shared_ptr<Queue> m_queue; // shared with listeners that may still run after the destruction
    QTimer m_rest;
    QElapsedTimer m_sinceFlush;
};

} // namespace sg::ui
