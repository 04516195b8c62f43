#include "ui/graph/canvas/canvas_notes.h"

#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/note_editor.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/note_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"

#include <QCursor>

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

constexpr double kFrameMargin = 20;

QRectF aroundSelected(const GraphScene& scene)
{
    QRectF around;
    for (const NodeId& id : scene.selectedNodes())
        if (const NodeItem* node = scene.findNode(id))
            around |= node->card();
    return around;
}

// A frame is put around the selected nodes, a note at the pointer or in the middle of the view.
graph::Note placedNote(const EditedCanvas& canvas, bool frame)
{
    graph::Note note;
    note.frame = frame;
    QRectF around = frame ? aroundSelected(canvas.scene) : QRectF();
    if (!around.isNull()) {
        around.adjust(-kFrameMargin, -kFrameMargin - kFrameTitle, kFrameMargin, kFrameMargin);
        note.place = { std::round(around.left()), std::round(around.top()) };
        note.size = { std::round(around.width()), std::round(around.height()) };
        return note;
    }
    const QPoint pointer = canvas.view.viewport()->mapFromGlobal(QCursor::pos());
    const bool inside = canvas.view.underMouse() && canvas.view.viewport()->rect().contains(pointer);
    note.size = frame ? graph::Position{ 2 * kNoteWidth, 2.5 * kNoteHeight }
                      : graph::Position{ kNoteWidth, kNoteHeight };
    const QPointF at =
        onGrid(inside ? canvas.view.mapToScene(pointer)
                      : canvas.view.visibleRect().center() - QPointF(note.size.x, note.size.y) / 2);
    note.place = { at.x(), at.y() };
    return note;
}

} // namespace

void addNoteOrFrame(const EditedCanvas& canvas, bool frame)
{
    const graph::Note note = placedNote(canvas, frame);
    std::size_t added = 0;
    canvas.document.editPlaced(frame ? QObject::tr("Add frame") : QObject::tr("Add note"),
                               [&](graph::Graph& graph) { added = addNote(graph, note); });
    canvas.scene.setCurrentNote(added);
    canvas.view.revealNote(added);
    writeNoteAt(canvas, added);
}

void writeNoteAt(const EditedCanvas& canvas, std::size_t note)
{
    if (note >= canvas.scene.notes().size() || !canvas.document.isEditable())
        return;
    const NoteItem& item = *canvas.scene.notes()[note];
    const std::string before = canvas.document.graph().notes[note].text;
    auto* editor = new NoteEditor(QString::fromStdString(before), item.isFrame(), canvas.view.viewport());
    QFont font = editor->font();
    font.setPixelSize(std::max(9, static_cast<int>(std::lround(12 * canvas.view.transform().m11()))));
    editor->setFont(font);
    QRect place = canvas.view.mapFromScene(item.holdRect()).boundingRect();
    place.setSize(place.size().expandedTo({ 140, item.isFrame() ? 28 : 60 }));
    editor->setGeometry(place);
    QObject::connect(editor, &NoteEditor::finished, &canvas.view,
                     [canvas, note, before](const QString& text) {
                         const auto& notes = canvas.document.graph().notes;
                         if (note < notes.size() && notes[note].text == before)
                             canvas.document.edit(QObject::tr("Write note"), [&](graph::Graph& graph) {
                                 setNoteText(graph, note, text.toStdString());
                             });
                         canvas.view.setFocus();
                     });
    // Moving the note on the screen ends the writing.
    QObject::connect(&canvas.view, &GraphView::visibleRectChanged, editor, &NoteEditor::finish);
    QObject::connect(&canvas.scene, &GraphScene::rebuilt, editor, &NoteEditor::finish);
    editor->show();
    editor->setFocus();
}

void nudgeCurrentNote(const EditedCanvas& canvas, const QPointF& by)
{
    const std::size_t note = canvas.scene.currentNote();
    MovedNote(canvas, note).moveBy(by, QStringLiteral("move/note %1").arg(note));
    canvas.view.revealNote(note);
}

void removeCurrentNote(const EditedCanvas& canvas)
{
    const std::size_t note = canvas.scene.currentNote();
    const bool frame = canvas.scene.notes()[note]->isFrame();
    canvas.document.editPlaced(frame ? QObject::tr("Delete frame") : QObject::tr("Delete note"),
                               [&](graph::Graph& graph) { removeNote(graph, note); });
}

void goToNextNote(const EditedCanvas& canvas)
{
    const std::size_t count = canvas.scene.notes().size();
    const std::size_t current = canvas.scene.currentNote();
    canvas.scene.setCurrentNote(current == kNoNote ? 0 : (current + 1) % count);
    canvas.view.revealNote(canvas.scene.currentNote());
}

bool resizeShownNote(const EditedCanvas& canvas, std::size_t note)
{
    const QSizeF size = canvas.scene.notes()[note]->rect().size();
    return canvas.document.editPlaced(QObject::tr("Resize"), [&](graph::Graph& graph) {
        resizeNote(graph, note, { std::round(size.width()), std::round(size.height()) });
    });
}

MovedNote::MovedNote(const EditedCanvas& canvas, std::size_t note)
    : m_canvas(canvas)
    , m_notes({ note })
{
    const auto& notes = canvas.scene.notes();
    const NoteItem& frame = *notes[note];
    if (!frame.isFrame())
        return;
    for (std::size_t i = 0; i < canvas.scene.nodes().size(); ++i)
        if (frame.rect().contains(canvas.scene.nodes()[i]->card()))
            m_nodes.push_back(i);
    for (std::size_t i = 0; i < notes.size(); ++i)
        if (i != note && frame.rect().contains(notes[i]->rect()))
            m_notes.push_back(i);
}

void MovedNote::show(const QPointF& by) const
{
    for (const std::size_t moving : m_notes)
        m_canvas.scene.notes()[moving]->setShift(by);
    if (!m_nodes.empty())
        m_canvas.scene.showMoved(m_nodes, by);
}

void MovedNote::moveBy(const QPointF& by, const QString& mergeKey) const
{
    std::vector<std::pair<std::size_t, graph::Position>> places;
    for (const std::size_t moving : m_notes) {
        const QPointF to = NoteItem::rectOf(m_canvas.document.graph().notes[moving]).topLeft() + by;
        places.emplace_back(moving, graph::Position{ to.x(), to.y() });
    }
    std::vector<std::pair<NodeId, graph::Position>> nodes;
    for (const std::size_t node : m_nodes) {
        const QPointF to = m_canvas.document.places()[node] + by;
        nodes.emplace_back(m_canvas.document.drawing().nodes[node].id, graph::Position{ to.x(), to.y() });
    }
    const bool moved = !by.isNull()
        && m_canvas.document.editPlaced(
            QObject::tr("Move"),
            [&](graph::Graph& graph) {
                moveNotes(graph, places);
                moveNodes(graph, nodes);
            },
            mergeKey);
    if (!moved)
        show({});
}

} // namespace sg::ui
