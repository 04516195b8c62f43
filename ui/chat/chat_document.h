#pragma once

#include "ui/chat/chat_view.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace sg::ui {

class ElidedLabel;
class EmptyState;
struct PanelParts;
class SegmentedControl;

// The chat of one thread, with a bar above it: as a conversation or as it is stored, of one agent or all,
// what was found, and what the models took.
class ChatDocument : public QWidget {
    Q_OBJECT
public:
    ChatDocument(const PanelParts& parts, const QString& thread, QWidget* parent = nullptr);
    explicit ChatDocument(const QString& thread, QWidget* parent = nullptr); // shows what it is given

    [[nodiscard]] const QString& thread() const { return m_thread; }
    [[nodiscard]] ChatView& view() const { return *m_view; }
    // `place` names what is looked at: "step 3"; empty: the head.
    void setPlace(const QString& place);
    void setRows(const ChatRows& rows);
    void add(const std::vector<ChatPiece>& pieces); // those of other threads are passed over
    void openFind();

Q_SIGNALS:
    void stepRequested(const sg::ui::ChatRow& row);
    void readAgain();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* createBar();
    QWidget* createFinding();
    void showSums();
    void showSpeakers();
    void showTitle();
    void look(); // for the words
    void stepFound(int by);

    const QString m_thread;
    QString m_place;
    SegmentedControl* m_form;
    QComboBox* m_speakers;
    ElidedLabel* m_sums;
    QPushButton* m_follow;
    QWidget* m_finding;
    QLineEdit* m_words;
    QLabel* m_count;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    ChatView* m_view;
    std::vector<ChatItem> m_found;
    int m_present = -1;
    QString m_currency;
};

} // namespace sg::ui
