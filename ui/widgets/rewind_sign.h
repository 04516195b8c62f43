#pragma once

#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QWidget>

namespace sg::ui {

// The dot of a checkpoint as a widget, next to words with the same meaning.
class RewindSign : public QWidget {
    Q_OBJECT
public:
    explicit RewindSign(Token ground, QWidget* parent = nullptr); // colour of its background
    void setRewind(Rewind rewind);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Token m_ground;
    Rewind m_rewind = Rewind::None;
};

} // namespace sg::ui
