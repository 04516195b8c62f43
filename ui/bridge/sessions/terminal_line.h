#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace sg::ui {

struct TerminalGrid {
    int rows = 24;
    int columns = 80;
    friend bool operator==(const TerminalGrid&, const TerminalGrid&) = default;
};

// The bytes between a terminal's view and the shell in a session, in bounded memory: a shell that prints
// faster than the view reads must wait. The view's side is for the GUI thread, the shell's for worker
// threads.
class TerminalLine : public QObject {
    Q_OBJECT
public:
    explicit TerminalLine(TerminalGrid grid)
        : m_grid(grid)
    {
    }
    // The last of both sides to release it deletes it, on the calling thread of make().
    static std::shared_ptr<TerminalLine> make(TerminalGrid grid);

    // These functions are for the view's side.
    // Input that the shell has not read waits, up to 4 MiB; input that does not fit is refused as a whole.
    void type(const QByteArray& bytes);
    void resize(TerminalGrid grid);
    QByteArray take(qsizetype most); // returns printed bytes, which makes space for more
    void close(); // nobody reads any more: ends the shell
    [[nodiscard]] bool holdsMore() const;

    // These functions are for the shell's side.
    struct Wish {
        QByteArray typed;
        std::optional<TerminalGrid> grid; // set if it has changed
    };
    [[nodiscard]] TerminalGrid grid() const;
    // Waits for input or a resize; nullopt if the line is closed or `stop` is requested.
    std::optional<Wish> nextWish(const std::stop_token& stop);
    bool print(const QByteArray& bytes); // waits for space; false if it is closed
    [[nodiscard]] bool isClosed() const;
    void end(const QString& how); // once: "The shell has ended (exit 0)."

Q_SIGNALS:
    void refused(qint64 bytes); // the program does not read, and the buffer is full
    void printed(); // take() has something; emitted once until it is called
    void ended(const QString& how); // comes after all output

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    QByteArray m_typed;
    QByteArray m_printed;
    TerminalGrid m_grid;
    bool m_gridChanged = false;
    bool m_told = false; // printed() was emitted, and take() not called since
    bool m_closed = false;
};

} // namespace sg::ui
