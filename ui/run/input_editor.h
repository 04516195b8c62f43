#pragma once

#include <QFrame>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace sg::ui {

// The JSON that the next run starts with: a popup under its button, checked as it is typed.
class InputEditor : public QFrame {
    Q_OBJECT
public:
    explicit InputEditor(QWidget* parent);

    void setJson(const QString& json);
    [[nodiscard]] QString json() const;
    [[nodiscard]] bool isValid() const { return m_problem.isEmpty(); }
    [[nodiscard]] const QString& problem() const { return m_problem; }
    void popUp(const QPoint& globalTopLeft);

Q_SIGNALS:
    void changed(); // text, and with it isValid()
    void runRequested(); // Ctrl+Enter or the button

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void check();

    QPlainTextEdit* m_text;
    QLabel* m_message;
    QPushButton* m_run;
    QString m_problem;
};

} // namespace sg::ui
