#pragma once

#include "ui/widgets/empty_state.h"

#include <QPointer>

#include <vector>

namespace sg::ui {

// Covers a panel whose content cannot be read with what failed, why, and a button to read it again. It hides
// the whole panel, so that nobody takes old content for the present one; covered widgets cannot get the
// focus.
class ErrorCover : public EmptyState {
    Q_OBJECT
public:
    explicit ErrorCover(QWidget& panel); // becomes the panel's child, hidden at first

    void showError(const QString& what, const QString& why);

Q_SIGNALS:
    void readAgain();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void holdFocus(); // keeps it here instead of in the covered widgets
    void freeFocus();

    QPushButton* m_again;
    std::vector<QPointer<QWidget>> m_disabled;
};

} // namespace sg::ui
