#pragma once

#include "core/base/ids.h"
#include "ui/widgets/strip.h"

#include <vector>

class QHBoxLayout;

namespace sg::ui {

// The path from the whole graph to the shown subgraph; a click goes there. Hidden for the whole graph.
class Breadcrumb : public Strip {
    Q_OBJECT
public:
    explicit Breadcrumb(QWidget* parent = nullptr);
    void setPath(const QString& whole, const std::vector<NodeId>& path);

Q_SIGNALS:
    void chosen(std::size_t depth); // 0 is the whole graph

private:
    QHBoxLayout* m_row;
};

} // namespace sg::ui
