#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

// The palette, the outline and what the editor of the graph says.
class EditingPart : public WindowPart {
    Q_OBJECT
public:
    explicit EditingPart(const WindowParts& parts);

private:
    void connectOutline();
    void say(const QString& words) const;
};

} // namespace sg::ui
