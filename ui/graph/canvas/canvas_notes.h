#pragma once

#include "ui/graph/canvas/edited_canvas.h"

#include <QString>

namespace sg::ui {

// Commands on notes and frames, which are notes that surround nodes.
void addNoteOrFrame(const EditedCanvas& canvas, bool frame); // and opens the editor of its text
void writeNoteAt(const EditedCanvas& canvas, std::size_t note); // opens the editor of its text
void nudgeCurrentNote(const EditedCanvas& canvas, const QPointF& by);
void removeCurrentNote(const EditedCanvas& canvas);
void goToNextNote(const EditedCanvas& canvas);
bool resizeShownNote(const EditedCanvas& canvas,
                     std::size_t note); // to the size in the scene; false: it has it

// A note that moves, with all that lies completely inside of it where it is a frame.
class MovedNote {
public:
    MovedNote(const EditedCanvas& canvas, std::size_t note);
    [[nodiscard]] std::size_t note() const { return m_notes.front(); }
    void show(const QPointF& by) const; // in the scene alone
    void moveBy(const QPointF& by, const QString& mergeKey) const; // a step of the document

private:
    const EditedCanvas m_canvas;
    std::vector<std::size_t> m_notes; // the first is the one that is held
    std::vector<std::size_t> m_nodes;
};

} // namespace sg::ui
