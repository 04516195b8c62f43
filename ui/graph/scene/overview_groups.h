#pragma once

#include "ui/widgets/state_look.h"

#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QTransform>

#include <map>
#include <vector>

class QPainter;

namespace sg::ui {

class GraphScene;

// A frame of the graph as the overview shows it: with a head of constant size that counts the states inside.
struct OverviewGroup {
    QRectF
        place; // in the viewport: around the head and the boxes inside, also where they are larger than cards
    QRectF head;
    QString title;
    std::map<StateKind, int> counts; // of the nodes inside; nodes that did not run are not counted
    StateKind worst = StateKind::Idle; // that of the border: what somebody looks for, else idle
};

// The frames with at least one pixel in `visible`, in the graph's order. `box`: the size of a node.
std::vector<OverviewGroup> overviewGroups(const GraphScene& scene, const QTransform& toView,
                                          const QSizeF& box, const QRectF& visible);
void paintGroup(QPainter& painter, const OverviewGroup& group);

} // namespace sg::ui
