#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace sg::ui {

class Badge;
class RewindSign;

// A column of the preview: a title with a count, and content below it.
class ReplaySection : public QWidget {
    Q_OBJECT
public:
    ReplaySection(const QString& title, QWidget* parent);

    void setBody(QWidget* body); // gets the remaining height; called once
    QLabel* setWords(const QString& name); // a text as body, which scrolls
    void addFoot(QWidget* foot); // below the body
    void setTitle(const QString& title);
    void setCount(int count);
    RewindSign* addSign(); // before the title
    QPushButton* addLink(const QString& text); // at the right of the title
    QLabel* addNote(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_title;
    Badge* m_count;
    QHBoxLayout* m_head;
    QVBoxLayout* m_column;
};

} // namespace sg::ui
