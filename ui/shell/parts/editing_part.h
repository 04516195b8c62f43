#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

// Wires the palette, the outline and the messages of the graph's editor.
class EditingPart : public WindowPart {
    Q_OBJECT
public:
    explicit EditingPart(const WindowParts& parts);

private:
    void connectOutline();
    void say(const QString& words) const;
};

} // namespace sg::ui
