#pragma once

#include "core/base/ids.h"
#include "ui/widgets/strip.h"

#include <vector>

class QHBoxLayout;

namespace sg::ui {

// Where the shown graph stands in the whole: each part leads there. Hidden at the top.
class Breadcrumb : public Strip {
    Q_OBJECT
public:
    explicit Breadcrumb(QWidget* parent = nullptr);
    void setPath(const QString& whole, const std::vector<NodeId>& path);

Q_SIGNALS:
    void chosen(std::size_t depth); // 0: the whole

private:
    QHBoxLayout* m_row;
};

} // namespace sg::ui
