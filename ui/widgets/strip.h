#pragma once

#include "ui/widgets/palette.h"

#include <QWidget>

namespace sg::ui {

// A row in the window's colour with a line below or above: filter bars, title rows, rows of buttons.
class Strip : public QWidget {
    Q_OBJECT
public:
    enum class Line { Below, Above };
    // `height` is that for 13 px text.
    Strip(int height, Token line, QWidget* parent, Line place = Line::Below);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Token m_line;
    Line m_place;
};

} // namespace sg::ui
