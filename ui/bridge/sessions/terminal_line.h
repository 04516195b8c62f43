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

// Bytes between a terminal's view and the shell in a session, in bounded memory: who prints waits for who
// shows. The view's side belongs to the GUI thread, the shell's to the bridge's workers.
class TerminalLine : public QObject {
    Q_OBJECT
public:
    explicit TerminalLine(TerminalGrid grid)
        : m_grid(grid)
    {
    }
    // Whichever side lets go of it last.
    static std::shared_ptr<TerminalLine> make(TerminalGrid grid);

    // --- the view's side ---
    // What is not read yet waits, up to 4 MiB; what does not fit is refused whole.
    void type(const QByteArray& bytes);
    void resize(TerminalGrid grid);
    QByteArray take(qsizetype most); // what was printed and not taken yet, and room for more
    void close(); // nobody looks any more: the shell is ended
    [[nodiscard]] bool holdsMore() const;

    // --- the shell's side ---
    struct Wish {
        QByteArray typed;
        std::optional<TerminalGrid> grid; // where it has changed
    };
    [[nodiscard]] TerminalGrid grid() const;
    // Waits for something to be done. nullopt: it is closed, or stopped.
    std::optional<Wish> nextWish(const std::stop_token& stop);
    bool print(const QByteArray& bytes); // waits while there is no room; false: it is closed
    [[nodiscard]] bool isClosed() const;
    void end(const QString& how); // once: "The shell has ended (exit 0)."

Q_SIGNALS:
    void refused(qint64 bytes); // what runs there does not read, and as much waits as may
    void printed(); // something can be taken; once until it was
    void ended(const QString& how); // after all that it printed

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    // Guarded by m_mutex:
    QByteArray m_typed;
    QByteArray m_printed;
    TerminalGrid m_grid;
    bool m_gridChanged = false;
    bool m_told = false; // printed() was emitted and nothing taken since
    bool m_closed = false;
};

} // namespace sg::ui
