#pragma once

#include "ui/bridge/rows/rows.h"

#include <QHash>
#include <QImage>
#include <QString>
#include <QStringList>

namespace sg::ui {

// The pictures that nodes have shown, small, for the rows that tell of them: "[figure 12 kB: plot-1.png]".
// They were drawn from stored contents; nothing of a row is executed. The oldest are forgotten.
class LogPictures {
public:
    void add(const QString& name, const QImage& picture);
    // The picture of which the row tells; null: it tells of none, or it is not there (yet).
    [[nodiscard]] const QImage* of(const LogRow& row) const;
    // The name in a row that tells of something shown; empty: it tells of nothing.
    [[nodiscard]] static QString nameIn(const LogRow& row);
    // Rich text with the picture and its name.
    [[nodiscard]] static QString toolTip(const QImage& picture, const QString& name);

private:
    QHash<QString, QImage> m_pictures;
    QStringList m_order; // oldest first
};

} // namespace sg::ui
