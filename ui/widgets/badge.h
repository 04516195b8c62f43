#pragma once

#include "ui/widgets/palette.h"

#include <QWidget>

namespace sg::ui {

// A count in a round chip 16 px high: on tabs, in lists. Hidden at 0.
class Badge : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Quiet, Waiting, Failed, Accent };
    explicit Badge(Kind kind = Kind::Quiet, QWidget* parent = nullptr);

    void setCount(int count);
    [[nodiscard]] int count() const { return m_count; }
    void setKind(Kind kind);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind;
    int m_count = 0;
};

QString badgeText(int count); // "12"; "999+" for more
double badgeWidth(const QString& text);

// Paints the same chip for delegates, right aligned at `right` and centred at `y`. Returns its left edge.
double paintBadge(QPainter& painter, const QString& text, Badge::Kind kind, double right, double y);

} // namespace sg::ui
