#pragma once

#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QWidget>

namespace sg::ui {

// How the sandbox can be brought back: "exact", "restored", "none", as checkpoints say it.
Rewind rewindFrom(const QString& sandbox);

// That as the dot of a checkpoint, beside words that say it.
class RewindSign : public QWidget {
    Q_OBJECT
public:
    explicit RewindSign(Token ground, QWidget* parent = nullptr); // on which it stands
    void setRewind(Rewind rewind);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Token m_ground;
    Rewind m_rewind = Rewind::None;
};

} // namespace sg::ui
