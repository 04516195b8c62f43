#pragma once

#include "ui/widgets/empty_state.h"

#include <QPointer>

#include <vector>

namespace sg::ui {

// In the place of a panel whose content cannot be read: what failed, why, and a button to read it again. It
// covers all of the panel while it is shown, so that nothing old is taken for what is there now; what is
// covered takes no focus.
class ErrorCover : public EmptyState {
    Q_OBJECT
public:
    explicit ErrorCover(QWidget& panel); // its child; hidden at first

    void showError(const QString& what, const QString& why);

Q_SIGNALS:
    void readAgain();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void holdFocus(); // here, and not in what is covered
    void freeFocus();

    QPushButton* m_again;
    std::vector<QPointer<QWidget>> m_disabled;
};

} // namespace sg::ui
