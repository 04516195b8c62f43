#pragma once

#include "ui/bridge/rows/rows.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace sg::ui {

class ElidedLabel;
class RewindSign;

// Tells how the session can be restored at the shown checkpoint, and what would be missing. Hidden if no
// session belongs to the checkpoint.
class RewindLine : public QWidget {
    Q_OBJECT
public:
    explicit RewindLine(QWidget* parent = nullptr);
    // SandboxMark::Unused hides the line. `note` names what would be missing.
    void setRewind(SandboxMark sandbox, const QString& note);

Q_SIGNALS:
    void showRequested(); // asks for the list of variables and files

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RewindSign* m_sign;
    QLabel* m_title;
    ElidedLabel* m_note;
    QGridLayout* m_grid;
};

} // namespace sg::ui
