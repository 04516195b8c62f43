#pragma once

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QLabel>

namespace sg::ui {

// One line of plain text in a colour of the theme.
class InkLabel : public QLabel {
    Q_OBJECT
public:
    InkLabel(Token ink, TextSize size, QFont::Weight weight, QWidget* parent);

protected:
    void changeEvent(QEvent* event) override;

private:
    void dye();

    Token m_ink;
};

} // namespace sg::ui
