#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

namespace sg::ui {

// Draws an SVG from a sandbox. References to anything outside (files, addresses, scripts, entities) are
// removed first; an SVG that would take too long to draw is refused. Any thread.
struct DrawnSvg {
    QImage image; // null if there is a problem
    QSize size; // as written in the file
    QString problem;
};
DrawnSvg drawSvg(const QByteArray& svg, const QSize& most);

// Returns the same file without references to the outside. Empty if it is no SVG or too much; `problem` says
// which.
QByteArray safeSvg(const QByteArray& svg, QString& problem);

} // namespace sg::ui
