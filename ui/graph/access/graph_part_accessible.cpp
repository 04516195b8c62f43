#include "ui/graph/access/graph_part_accessible.h"

#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/inner_graph.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"

#include <QAccessible>
#include <QPointer>

namespace sg::ui {

namespace {

class Part : public QAccessibleInterface {
public:
    Part(GraphView& view, std::size_t index)
        : m_view(&view)
        , m_index(index)
    {
    }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QWindow* window() const override
    {
        return m_view ? m_view->window()->windowHandle() : nullptr;
    }
    void setText(QAccessible::Text, const QString&) override { }

protected:
    [[nodiscard]] GraphView& view() const { return *m_view; }
    [[nodiscard]] GraphScene& scene() const { return m_view->graphScene(); }
    [[nodiscard]] const GraphDrawing& drawing() const { return scene().document().drawing(); }
    [[nodiscard]] bool hasView() const { return !m_view.isNull(); }
    [[nodiscard]] std::size_t index() const { return m_index; }
    [[nodiscard]] bool isOnScreen() const
    {
        const QRect canvas(m_view->mapToGlobal(QPoint(0, 0)), m_view->size());
        return canvas.intersects(rect());
    }

private:
    QPointer<GraphView> m_view;
    std::size_t m_index;
};

class NodePart : public Part, public QAccessibleActionInterface {
public:
    using Part::Part;
    [[nodiscard]] bool isValid() const override { return hasView() && index() < scene().nodes().size(); }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QRect rect() const override
    {
        return isValid() ? view().nodeRectOnScreen(index()) : QRect();
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const bool current = node().node().id == scene().currentNode();
        state.focusable = true;
        state.selectable = true;
        state.selected = current;
        state.focused = current && view().hasFocus();
        state.offscreen = !isOnScreen();
        state.busy = node().state().kind == StateKind::Running;
        return state;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return name();
        if (kind == QAccessible::Description)
            return description();
        return {};
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override { return { pressAction(), setFocusAction() }; }
    void doAction(const QString& action) override
    {
        if (!isValid())
            return;
        scene().setCurrentNode(node().node().id);
        view().reveal(node().node().id);
        if (action == setFocusAction())
            view().setFocus();
        else if (action == pressAction())
            view().activateCurrent();
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString& action) const override
    {
        return action == pressAction() ? QStringList{ QStringLiteral("Return") } : QStringList();
    }

private:
    [[nodiscard]] const NodeItem& node() const { return *scene().nodes()[index()]; }
    [[nodiscard]] QString name() const
    {
        int in = 0;
        int out = 0;
        for (const DrawnEdge& edge : drawing().edges) {
            in += !edge.open && edge.to == index() ? 1 : 0;
            out += edge.from == index() ? 1 : 0;
        }
        QStringList words{ node().title() };
        if (node().node().kind == DrawnNode::Kind::Card) {
            const QString kind = QString::fromStdString(node().node().nodeKind);
            words << (kind.isEmpty() ? tr("node") : tr("%1 node").arg(kind)); // a skeleton has no kind
            words << stateWord(node().state().kind).toLower();
        }
        if (const InnerGraph* inside = node().inside())
            words << tr("inside: %1").arg(inside->spoken().join(QStringLiteral("; ")));
        words << tr("%1 in").arg(in) << tr("%1 out").arg(out);
        return words.join(QStringLiteral(", "));
    }
    [[nodiscard]] QString description() const
    {
        const NodeState& state = node().state();
        QStringList words;
        for (const QString& word : { node().secondLine(), state.note, state.tooltip, state.problem })
            if (!word.isEmpty())
                words << word;
        if (state.breakpointBefore || state.breakpointAfter)
            words << (state.breakCondition.isEmpty() ? tr("breakpoint")
                                                     : tr("breakpoint when %1").arg(state.breakCondition));
        return words.join(QStringLiteral(", "));
    }
};

class EdgePart : public Part, public QAccessibleActionInterface {
public:
    using Part::Part;
    [[nodiscard]] bool isValid() const override { return hasView() && index() < scene().edges().size(); }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::StaticText; }
    [[nodiscard]] QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect inView =
            view().mapFromScene(scene().edges()[index()]->route().path.boundingRect()).boundingRect();
        return { view().viewport()->mapToGlobal(inView.topLeft()), inView.size() };
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const bool current = scene().currentEdge() == index();
        state.selectable = true;
        state.selected = current;
        state.focused = current && view().hasFocus();
        state.offscreen = !isOnScreen();
        state.readOnly = true;
        return state;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (!isValid() || kind != QAccessible::Name)
            return {};
        const DrawnEdge& edge = drawing().edges[index()];
        const QString from = scene().nodes()[edge.from]->title();
        QString name = edge.open ? tr("edge from %1, decided while the graph runs").arg(from)
                                 : tr("edge from %1 to %2").arg(from, scene().nodes()[edge.to]->title());
        if (!edge.label.empty())
            name += QStringLiteral(", ") + tr("when %1").arg(QString::fromStdString(edge.label));
        if (edge.ofCommand)
            name += QStringLiteral(", ") + tr("where %1 says so").arg(from);
        if (edge.join != kNoJoin)
            name += QStringLiteral(", ") + tr("waits for the others");
        if (scene().edges()[index()]->look() != EdgeLook::Idle)
            name += QStringLiteral(", ")
                + (scene().edges()[index()]->look() == EdgeLook::Taken ? tr("taken") : tr("not taken"));
        return name;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override { return { pressAction() }; }
    void doAction(const QString&) override
    {
        if (!isValid())
            return;
        scene().setCurrentEdge(index());
        view().setFocus();
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override
    {
        return { QStringLiteral("E") };
    }
};

class NotePart : public Part, public QAccessibleActionInterface {
public:
    using Part::Part;
    [[nodiscard]] bool isValid() const override { return hasView() && index() < scene().notes().size(); }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::Note; }
    [[nodiscard]] QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect inView = view().mapFromScene(scene().notes()[index()]->rect()).boundingRect();
        return { view().viewport()->mapToGlobal(inView.topLeft()), inView.size() };
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const bool current = scene().currentNote() == index();
        state.focusable = true;
        state.selectable = true;
        state.selected = current;
        state.focused = current && view().hasFocus();
        state.offscreen = !isOnScreen();
        return state;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (!isValid() || kind != QAccessible::Name)
            return {};
        const NoteItem& note = *scene().notes()[index()];
        return (note.isFrame() ? tr("frame: %1") : tr("note: %1")).arg(note.text());
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this)
                                                    : nullptr;
    }
    [[nodiscard]] QStringList actionNames() const override { return { pressAction(), setFocusAction() }; }
    void doAction(const QString& action) override
    {
        if (!isValid())
            return;
        scene().setCurrentNote(index());
        view().revealNote(index());
        view().setFocus();
        if (action == pressAction() && view().editor())
            view().editor()->writeNote(index());
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString& action) const override
    {
        return action == pressAction() ? QStringList{ QStringLiteral("Return") } : QStringList();
    }
};

} // namespace

QAccessibleInterface* makeNoteAccessible(GraphView& view, std::size_t index)
{
    return new NotePart(view, index);
}

QAccessibleInterface* makeNodeAccessible(GraphView& view, std::size_t index)
{
    return new NodePart(view, index);
}

QAccessibleInterface* makeEdgeAccessible(GraphView& view, std::size_t index)
{
    return new EdgePart(view, index);
}

} // namespace sg::ui
