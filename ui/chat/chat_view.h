#pragma once

#include "ui/chat/chat_entries.h"
#include "ui/chat/chat_layout.h"

#include <QAbstractScrollArea>
#include <QHash>
#include <QSet>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

class QPushButton;

namespace sg::ui {

struct ChatMarks;

// A message, or a call of it.
struct ChatItem {
    std::size_t entry = 0;
    int call = -1; // -1: the message itself
    friend bool operator==(const ChatItem&, const ChatItem&) = default;
};

// Messages below one another. Up and down go through messages and calls, Enter and a click fold and unfold,
// Ctrl+C copies; dragging selects text. The view follows the end until the user scrolls up.
class ChatView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ChatView(QWidget* parent = nullptr);
    ~ChatView() override;

    [[nodiscard]] const ChatEntries& entries() const { return m_entries; }
    void clear(); // another thread
    void setRows(const ChatRows& rows);
    void add(const std::vector<ChatPiece>& pieces); // of this thread
    void endTask(const QString& task) { m_entries.end(task); }
    void setSpeaker(const QString& speaker); // empty: all
    void setAsSent(bool asSent); // messages as they are stored
    // The step that made what started at a checkpoint; −1: unknown.
    void setSteps(std::function<int(const QString& checkpoint)> stepOf);
    void showSteps() { changedFrom(0); } // they are known otherwise now
    void setUnanswered(StateKind state); // what calls without an answer are
    void setFollowing(bool following);
    [[nodiscard]] bool isFollowing() const { return m_isFollowing; }

    // Marks the words, and goes to the first item from the present one on that holds them. Returns all.
    std::vector<ChatItem> find(const QString& words);
    void goTo(const ChatItem& item); // and opens it
    [[nodiscard]] ChatItem current() const { return m_current; }
    [[nodiscard]] int laidOut() const { return static_cast<int>(m_layouts.size()); } // entries; for tests

    // For the accessible tree.
    [[nodiscard]] const std::vector<ChatItem>& items() const;
    [[nodiscard]] QString nameOf(const ChatItem& item) const;
    [[nodiscard]] QRect rectOf(const ChatItem& item); // in the viewport; empty: it is not seen
    [[nodiscard]] bool isOpen(const ChatItem& item) const;
    void toggle(const ChatItem& item);

Q_SIGNALS:
    void followingChanged(bool following);
    void stepRequested(const sg::ui::ChatRow& row); // that made it
    void painted(); // what had come by then is seen

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Place { // in the viewport
        std::size_t entry = 0;
        double top = 0;
    };
    struct Selected {
        QString entry; // its key; empty: nothing
        int part = -1;
        int from = 0;
        int to = 0;
    };
    [[nodiscard]] ChatLook lookOf(std::size_t index) const;
    const ChatLayout& layoutOf(std::size_t index);
    void changedFrom(std::size_t index);
    void forget(); // all layouts
    void arrange(); // which entries are seen, and shows them
    void place();
    void grow(std::size_t first);
    void showScrollBar();
    void scrolled(int value);
    void placeJump();
    [[nodiscard]] ChatMarks marksOf(std::size_t index) const;
    [[nodiscard]] const Place* placeAt(const QPointF& at) const;
    [[nodiscard]] QString partKey(const ChatItem& item, const QString& part = {}) const;
    void setOpen(const QString& key, bool open);
    void moveTo(const ChatItem& item);
    void announce();
    [[nodiscard]] QString copied() const;

    ChatEntries m_entries;
    std::vector<double> m_heights; // measured, or guessed
    QHash<QString, std::shared_ptr<ChatLayout>> m_layouts; // of entries near those that are seen
    std::vector<Place> m_seen;
    Place m_anchor; // the first entry that is seen
    bool m_isFollowing = true;
    bool m_isSettling = false; // the scroll bar is moved by code
    bool m_isAsSent = false;
    StateKind m_unanswered = StateKind::Skipped;
    QString m_currency;
    std::function<int(const QString&)> m_stepOf;
    QSet<QString> m_open; // parts
    ChatItem m_current;
    QString m_found;
    Selected m_selected;
    bool m_isSelecting = false;
    mutable std::vector<ChatItem> m_items; // empty: to be made anew
    QPushButton* m_jump;
};

} // namespace sg::ui
