#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/note_editor.h"
#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/note_edits.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"

#include <QAction>
#include <QCursor>

#include <algorithm>
#include <cmath>

// Notes and frames are written here, moved by their body or title row, and resized by their corner.
namespace sg::ui {
namespace {

constexpr double kNoteGrid = 20;
constexpr double kFrameMargin = 20;

graph::Position snapped(const QPointF& place)
{
    return { std::round(place.x() / kNoteGrid) * kNoteGrid, std::round(place.y() / kNoteGrid) * kNoteGrid };
}

} // namespace

void CanvasEditor::createNoteActions()
{
    m_actions.note =
        make(tr("Add n&ote"), "text", QKeySequence(QStringLiteral("N")), [this] { addNote(false); });
    m_actions.frame =
        make(tr("Add f&rame"), nullptr, QKeySequence(QStringLiteral("F")), [this] { addNote(true); });
    m_actions.nextNote = make(tr("Ne&xt note"), nullptr, QKeySequence(QStringLiteral("Shift+N")), [this] {
        const std::size_t count = m_scene.notes().size();
        const std::size_t current = m_scene.currentNote();
        m_scene.setCurrentNote(current == kNoNote ? 0 : (current + 1) % count);
        m_view.revealNote(m_scene.currentNote());
    });
    connect(&m_scene, &GraphScene::currentNoteChanged, this, &CanvasEditor::updateActions);
}

// A frame is put around the selected nodes, a note at the pointer or in the middle of the view.
void CanvasEditor::addNote(bool frame)
{
    graph::Note note;
    note.frame = frame;
    QRectF around;
    if (frame)
        for (const NodeId& id : m_scene.selectedNodes())
            if (const NodeItem* node = m_scene.findNode(id))
                around |= node->card();
    if (!around.isNull()) {
        around.adjust(-kFrameMargin, -kFrameMargin - kFrameTitle, kFrameMargin, kFrameMargin);
        note.place = { std::round(around.left()), std::round(around.top()) };
        note.size = { std::round(around.width()), std::round(around.height()) };
    } else {
        const QPoint pointer = m_view.viewport()->mapFromGlobal(QCursor::pos());
        const bool inside = m_view.underMouse() && m_view.viewport()->rect().contains(pointer);
        note.size = frame ? graph::Position{ 2 * kNoteWidth, 2.5 * kNoteHeight }
                          : graph::Position{ kNoteWidth, kNoteHeight };
        const QPointF at = inside ? m_view.mapToScene(pointer)
                                  : m_view.visibleRect().center() - QPointF(note.size.x, note.size.y) / 2;
        note.place = snapped(at);
    }
    std::size_t added = 0;
    m_document.editPlaced(frame ? tr("Add frame") : tr("Add note"),
                          [&](graph::Graph& graph) { added = sg::ui::addNote(graph, note); });
    m_scene.setCurrentNote(added);
    m_view.revealNote(added);
    writeNote(added);
}

void CanvasEditor::writeNote(std::size_t index)
{
    if (index >= m_scene.notes().size() || !m_document.isEditable())
        return;
    const NoteItem& item = *m_scene.notes()[index];
    const std::string before = m_document.graph().notes[index].text;
    auto* editor = new NoteEditor(QString::fromStdString(before), item.isFrame(), m_view.viewport());
    QFont font = editor->font();
    font.setPixelSize(std::max(9, static_cast<int>(std::lround(12 * m_view.transform().m11()))));
    editor->setFont(font);
    QRect place = m_view.mapFromScene(item.holdRect()).boundingRect();
    place.setSize(place.size().expandedTo({ 140, item.isFrame() ? 28 : 60 }));
    editor->setGeometry(place);
    connect(editor, &NoteEditor::finished, this, [this, index, before](const QString& text) {
        const auto& notes = m_document.graph().notes;
        if (index < notes.size() && notes[index].text == before)
            m_document.edit(tr("Write note"),
                            [&](graph::Graph& graph) { setNoteText(graph, index, text.toStdString()); });
        m_view.setFocus();
    });
    // Moving the note on the screen ends the writing.
    connect(&m_view, &GraphView::visibleRectChanged, editor, &NoteEditor::finish);
    connect(&m_scene, &GraphScene::rebuilt, editor, &NoteEditor::finish);
    editor->show();
    editor->setFocus();
}

std::size_t CanvasEditor::noteAt(const QPointF& at) const
{
    const auto& notes = m_scene.notes();
    for (std::size_t i = notes.size(); i-- > 0;)
        if (notes[i]->holdRect().contains(at)
            || (i == m_scene.currentNote() && notes[i]->cornerRect().contains(at)))
            return i;
    return kNoNote;
}

void CanvasEditor::selectGroundAt(const QPoint& at)
{
    selectEdgeAt(at);
    if (m_scene.currentEdge() == kNoEdge)
        m_scene.setCurrentNote(noteAt(m_view.mapToScene(at)));
}

bool CanvasEditor::pressNote(const QPointF& at)
{
    const std::size_t note = noteAt(at);
    if (note == kNoNote)
        return false;
    const NoteItem& item = *m_scene.notes()[note];
    const bool onCorner = note == m_scene.currentNote() && item.cornerRect().contains(at);
    m_scene.setCurrentNote(note);
    m_gesture = onCorner ? Gesture::SizeNote : Gesture::MoveNote;
    m_movedBy = {};
    takeAlong(note);
    return true;
}

// Moving a frame also moves everything that lies completely inside it.
void CanvasEditor::takeAlong(std::size_t note)
{
    m_moving.clear();
    m_movingNotes = { note };
    const NoteItem& frame = *m_scene.notes()[note];
    if (!frame.isFrame())
        return;
    for (std::size_t i = 0; i < m_scene.nodes().size(); ++i)
        if (frame.rect().contains(m_scene.nodes()[i]->card()))
            m_moving.push_back(i);
    for (std::size_t i = 0; i < m_scene.notes().size(); ++i)
        if (i != note && frame.rect().contains(m_scene.notes()[i]->rect()))
            m_movingNotes.push_back(i);
}

void CanvasEditor::dragNote(const QPointF& at, bool snap)
{
    const std::size_t note = m_movingNotes.front();
    const QRectF rect = NoteItem::rectOf(m_document.graph().notes[note]);
    const QPointF by = at - m_pressedScene;
    if (m_gesture == Gesture::SizeNote) {
        const QPointF size = rect.bottomRight() + by - rect.topLeft();
        const graph::Position wanted = snap ? snapped(size) : graph::Position{ size.x(), size.y() };
        m_scene.notes()[note]->setSize({ wanted.x, wanted.y });
        return;
    }
    const graph::Position to = snap
        ? snapped(rect.topLeft() + by)
        : graph::Position{ std::round(rect.left() + by.x()), std::round(rect.top() + by.y()) };
    m_movedBy = QPointF(to.x, to.y) - rect.topLeft();
    for (const std::size_t moving : m_movingNotes)
        m_scene.notes()[moving]->setShift(m_movedBy);
    if (!m_moving.empty())
        m_scene.showMoved(m_moving, m_movedBy);
}

void CanvasEditor::dropNote(Gesture gesture)
{
    const std::size_t note = m_movingNotes.front();
    if (gesture == Gesture::SizeNote) {
        const QSizeF size = m_scene.notes()[note]->rect().size();
        if (!m_document.editPlaced(tr("Resize"), [&](graph::Graph& graph) {
                resizeNote(graph, note, { std::round(size.width()), std::round(size.height()) });
            }))
            m_scene.notes()[note]->setNote(m_document.graph().notes[note]);
        return;
    }
    moveNotesBy(m_movedBy, {});
}

void CanvasEditor::moveNotesBy(const QPointF& by, const QString& mergeKey)
{
    std::vector<std::pair<std::size_t, graph::Position>> places;
    for (const std::size_t moving : m_movingNotes) {
        const QPointF to = NoteItem::rectOf(m_document.graph().notes[moving]).topLeft() + by;
        places.emplace_back(moving, graph::Position{ to.x(), to.y() });
    }
    std::vector<std::pair<NodeId, graph::Position>> nodes;
    for (const std::size_t node : m_moving) {
        const QPointF to = m_document.centres()[node] + by;
        nodes.emplace_back(m_document.drawing().nodes[node].id, graph::Position{ to.x(), to.y() });
    }
    const bool moved = !by.isNull()
        && m_document.editPlaced(
            tr("Move"),
            [&](graph::Graph& graph) {
                moveNotes(graph, places);
                moveNodes(graph, nodes);
            },
            mergeKey);
    if (moved)
        return;
    for (const std::size_t moving : m_movingNotes)
        m_scene.notes()[moving]->setShift({});
    if (!m_moving.empty())
        m_scene.showMoved(m_moving, {});
}

void CanvasEditor::nudgeNote(const QPointF& by)
{
    const std::size_t note = m_scene.currentNote();
    takeAlong(note);
    moveNotesBy(by, QStringLiteral("move/note %1").arg(note));
    m_view.revealNote(note);
}

void CanvasEditor::removeCurrentNote()
{
    const std::size_t note = m_scene.currentNote();
    const bool frame = m_scene.notes()[note]->isFrame();
    m_document.editPlaced(frame ? tr("Delete frame") : tr("Delete note"),
                          [&](graph::Graph& graph) { removeNote(graph, note); });
}

} // namespace sg::ui
