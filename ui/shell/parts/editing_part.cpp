#include "ui/shell/parts/editing_part.h"

#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/panels/outline.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/panel_table.h"

#include <QMainWindow>
#include <QStatusBar>

namespace sg::ui {
namespace {

constexpr int kSaidMs = 6000;

} // namespace

EditingPart::EditingPart(const WindowParts& parts)
    : WindowPart(parts)
{
    CanvasEditor* editor = parts.canvas->view().editor();
    auto& palette = parts.panels->of<NodePalette>();
    palette.setEntries(nodeKindEntries());
    connect(&palette, &NodePalette::chosen, editor, &CanvasEditor::addNodeOfKind);
    connect(editor, &CanvasEditor::hinted, this, &EditingPart::say);
    connect(parts.runBar, &RunBar::modeRequested, this, [this] {
        m_docks->raise(m_parts.inspector);
        m_selection->setNode({});
        m_parts.canvas->inspector()->showMode();
    });
    connect(parts.canvas, &CanvasPanel::renameRequested, this, [this] { m_docks->raise(m_parts.inspector); });
    connect(parts.canvas, &CanvasPanel::inspectionRequested, this,
            [this] { m_docks->raise(m_parts.inspector); });
    connectOutline();
}

void EditingPart::connectOutline()
{
    auto* outline = &m_parts.panels->of<Outline>();
    connect(m_selection, &Selection::nodeChanged, outline, &Outline::setCurrent);
    connect(outline, &Outline::chosen, m_selection, &Selection::setNode);
    connect(outline, &Outline::noteChosen, this, [this](std::size_t note) {
        m_parts.canvas->view().graphScene().setCurrentNote(note);
        m_parts.canvas->view().revealNote(note);
    });
    connect(outline, &Outline::activated, this, [this] { m_docks->raise(m_parts.inspector); });
    connect(outline, &Outline::hinted, this, &EditingPart::say);
}

void EditingPart::say(const QString& words) const
{
    m_window->statusBar()->showMessage(words, words.isEmpty() ? 1 : kSaidMs);
}

} // namespace sg::ui
