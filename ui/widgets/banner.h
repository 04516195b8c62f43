#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace sg::ui {

// A message for a whole view, 32 px high, hidden until showMessage(). `text` may hold **names** and `code`;
// long text wraps.
class Banner : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Viewing, Info, Paused, Warning, Error };
    explicit Banner(QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& text);
    void setIcon(QLatin1String name); // replaces the kind's icon until the next showMessage()
    QPushButton* addButton(const QString& text); // stays until clearActions()
    QPushButton* addLink(const QString& text);
    void clearActions();
    void setClosable(bool closable);
    void setFramed(bool framed); // draws a frame around it, for a banner over a view
    [[nodiscard]] Kind kind() const { return m_kind; }

Q_SIGNALS:
    void closed(); // by the user; the banner is hidden then

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QPushButton* addAction(const QString& text, const char* variant);
    void showIcon();

    Kind m_kind = Kind::Info;
    bool m_isFramed = false;
    QLatin1String m_iconName;
    QLabel* m_icon;
    QLabel* m_text;
    QHBoxLayout* m_actions;
    QToolButton* m_close;
};

} // namespace sg::ui
