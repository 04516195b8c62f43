#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

namespace sg::ui {

// An SVG from a sandbox as a picture. What could reach outside of it (files, addresses, scripts, entities) is
// taken out first; what would take too long to draw is refused. Any thread.
struct DrawnSvg {
    QImage image; // null: see `problem`
    QSize size; // as the file says
    QString problem;
};
DrawnSvg drawSvg(const QByteArray& svg, const QSize& most);

// The same file without what could reach outside. Empty: it is no SVG, or too much; `problem` says which.
QByteArray safeSvg(const QByteArray& svg, QString& problem);

} // namespace sg::ui
