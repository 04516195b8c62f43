#pragma once

#include "ui/replay/replay_plan.h"
#include "ui/widgets/strip.h"

class QLabel;

namespace sg::ui {

class ElidedLabel;

// The first line of the preview: what would happen, and where in the thread.
class ReplayTitle : public Strip {
    Q_OBJECT
public:
    explicit ReplayTitle(QWidget* parent);

    // `again` is the node of ReplayVerb::Rerun.
    void setPlan(const ReplayPlan& plan, ReplayVerb verb, const QString& again);
    void setViewed(bool isViewed); // the other panels show the previewed checkpoint

Q_SIGNALS:
    void closeAsked();

private:
    QLabel* m_sign;
    QLabel* m_title;
    ElidedLabel* m_where;
    QLabel* m_promise;
    QString m_thread;
    QString m_place; // "after load → analyze"
};

} // namespace sg::ui
