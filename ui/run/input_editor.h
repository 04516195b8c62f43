#pragma once

#include "core/base/value.h"
#include "ui/bridge/rows/input_rows.h"
#include "ui/widgets/overlay.h"

#include <vector>

class QLabel;
class QMenu;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace sg::ui {

class InputForm;

// Edits what the next run starts with: a form of the graph's channels, and the same as JSON, checked as it is
// typed. Both always say the same.
class InputEditor : public Overlay {
    Q_OBJECT
public:
    explicit InputEditor(QWidget* parent);

    void setFields(const std::vector<InputFieldRow>& fields);
    void setLastInputs(const std::vector<LastInputRow>& inputs); // newest first
    void setThread(const QString& thread); // that would run
    void setJson(const QString& json);
    [[nodiscard]] QString json() const;
    [[nodiscard]] bool asks() const; // the graph expects runs to be given something
    [[nodiscard]] bool isValid() const { return m_problem.isEmpty(); }
    [[nodiscard]] const QString& problem() const { return m_problem; }
    void popUp(const QPoint& globalTopLeft);
    void submit(); // as its button does

Q_SIGNALS:
    void changed(); // text, and perhaps isValid()
    void runRequested(); // by Ctrl+Enter or the button

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeHead();
    void check();
    void formEdited();
    void showTab(int tab);
    void updateLast();
    void fillLast();
    void take(const ValueMap& values);
    [[nodiscard]] ValueMap example() const; // of the graph; empty: it has none

    QLabel* m_title;
    QTabBar* m_tabs;
    QToolButton* m_last;
    QMenu* m_lastMenu;
    QStackedWidget* m_pages;
    InputForm* m_form;
    QPlainTextEdit* m_text;
    QLabel* m_message;
    QPushButton* m_run;
    std::vector<InputFieldRow> m_fields;
    std::vector<LastInputRow> m_lastInputs;
    QString m_problem;
};

} // namespace sg::ui
