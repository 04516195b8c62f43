#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace sg::ui {

// Placeholder for missing content: an icon, one sentence, at most one button and one link. Text between
// backquotes is shown as code.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(QLatin1String iconName, const QString& sentence, QWidget* parent = nullptr);

    void setSentence(const QString& sentence);
    void setIcon(QLatin1String name);
    QPushButton* setButton(const QString& text); // created on first use; connect its clicked()
    QPushButton* setLink(const QString& text);
    [[nodiscard]] QSize minimumSizeHint() const override; // of the sentence and what can be pressed

private:
    void showIcon();
    [[nodiscard]] int heightOfWords(int width) const;
    [[nodiscard]] int widthOf(const QString& plain) const; // that a sentence is given
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

    QLatin1String m_iconName;
    QLabel* m_icon;
    QLabel* m_sentence;
    QWidget* m_actions;
    QPushButton* m_button = nullptr;
    QPushButton* m_link = nullptr;
};

} // namespace sg::ui
