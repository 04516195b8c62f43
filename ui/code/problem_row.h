#pragma once

#include <QWidget>

namespace sg::ui {

struct CodeMark;

// A problem as it stands under its line of code, with what can be done about it.
class ProblemRow : public QWidget {
    Q_OBJECT
public:
    ProblemRow(const CodeMark& mark, QWidget* parent);

Q_SIGNALS:
    void verbChosen(int verb);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_isWarning;
};

} // namespace sg::ui
