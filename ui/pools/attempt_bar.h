#pragma once

#include "ui/pools/story_model.h"

#include <QWidget>

#include <vector>

namespace sg::ui {

// A job's tries along a line, from when it was put in the queue to its end or to now.
class AttemptBar : public QWidget {
    Q_OBJECT
public:
    explicit AttemptBar(QWidget* parent = nullptr);

    void setStory(const JobStoryRow& story);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<JobTry> m_tries;
    double m_fromMs = 0;
    double m_toMs = 0;
    bool m_isDead = false;
};

} // namespace sg::ui
