#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/widgets/state_look.h"

#include <QWidget>

class QLabel;

namespace sg::ui {

// Shows what happens next at the shown checkpoint, or why nothing does: "Next: analyze", "model failed",
// "approve waits for you". Hidden if there is nothing to say.
class StateFooter : public QWidget {
    Q_OBJECT
public:
    explicit StateFooter(QWidget* parent = nullptr);
    void setState(const StateView& state);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void say(StateKind kind, const QString& title, const QString& detail, const QString& whole = {});
    void dye();

    StateKind m_kind = StateKind::Idle;
    QLabel* m_title;
    QLabel* m_detail;
};

} // namespace sg::ui
