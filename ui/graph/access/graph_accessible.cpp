#include "ui/graph/access/graph_accessible.h"

#include "ui/graph/access/graph_part_accessible.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/canvas/mini_map.h"
#include "ui/graph/canvas/note_editor.h"
#include "ui/graph/canvas/zoom_control.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <vector>

namespace sg::ui {

namespace {

class GraphAccessible : public QAccessibleWidget {
public:
    explicit GraphAccessible(GraphView* view)
        : QAccessibleWidget(view, QAccessible::Canvas)
        , m_view(view)
    {
        const GraphScene& scene = view->graphScene();
        QObject::connect(&scene, &GraphScene::rebuilt, &m_context, [this] { forgetParts(); });
        QObject::connect(&scene, &GraphScene::nodeStateChanged, &m_context, [this](std::size_t index) {
            announce(static_cast<int>(index), QAccessible::NameChanged);
        });
        QObject::connect(&scene, &GraphScene::currentNodeChanged, &m_context, [this] { announceCurrent(); });
        QObject::connect(&scene, &GraphScene::currentNoteChanged, &m_context, [this] { announceCurrent(); });
        QObject::connect(&scene, &GraphScene::currentEdgeChanged, &m_context, [this] { announceCurrent(); });
        // Adding or removing a note does not rebuild the scene.
        QObject::connect(&scene, &GraphScene::edited, &m_context, [this] {
            if (!m_parts.empty() && m_parts.size() != static_cast<std::size_t>(partCount()))
                forgetParts();
        });
    }
    ~GraphAccessible() override { deleteParts(); }

    [[nodiscard]] int childCount() const override
    {
        return partCount() + static_cast<int>(overlays().size());
    }
    [[nodiscard]] QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        if (index >= partCount())
            return QAccessible::queryAccessibleInterface(overlays().at(index - partCount()));
        if (m_parts.size() < static_cast<std::size_t>(partCount()))
            m_parts.resize(static_cast<std::size_t>(partCount()), 0);
        QAccessible::Id& id = m_parts[static_cast<std::size_t>(index)];
        if (id == 0)
            id = QAccessible::registerAccessibleInterface(makePart(index));
        return QAccessible::accessibleInterface(id);
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* wanted) const override
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            if (m_parts[i] != 0 && QAccessible::accessibleInterface(m_parts[i]) == wanted)
                return static_cast<int>(i);
        for (int i = 0; i < overlays().size(); ++i)
            if (wanted && wanted->object() == overlays().at(i))
                return partCount() + i;
        return -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override
    {
        for (int i = partCount(); i < childCount(); ++i)
            if (QAccessibleInterface* overlay = child(i); overlay && overlay->rect().contains(x, y))
                return overlay;
        for (int i = 0; i < nodeCount(); ++i)
            if (m_view->nodeRectOnScreen(static_cast<std::size_t>(i)).contains(x, y))
                return child(i);
        return nullptr;
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override
    {
        const int index = currentIndex();
        return index >= 0 && m_view->hasFocus() ? child(index) : nullptr;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Description)
            return GraphView::tr("%n nodes", nullptr, nodeCount()) + QStringLiteral(", ")
                + GraphView::tr("%n edges", nullptr, edgeCount());
        return QAccessibleWidget::text(kind);
    }

private:
    [[nodiscard]] int nodeCount() const { return static_cast<int>(m_view->graphScene().nodes().size()); }
    [[nodiscard]] int edgeCount() const { return static_cast<int>(m_view->graphScene().edges().size()); }
    [[nodiscard]] int partCount() const
    {
        return nodeCount() + edgeCount() + static_cast<int>(m_view->graphScene().notes().size());
    }
    [[nodiscard]] QList<QWidget*> overlays() const
    {
        QList<QWidget*> widgets;
        for (QObject* object : m_view->children())
            if (auto* widget = qobject_cast<QWidget*>(object); widget && widget->isVisible()
                && (qobject_cast<ZoomControl*>(widget) || qobject_cast<MiniMap*>(widget)))
                widgets << widget;
        for (QObject* object : m_view->viewport()->children())
            if (auto* editor = qobject_cast<NoteEditor*>(object); editor && editor->isVisible())
                widgets << editor;
        return widgets;
    }
    [[nodiscard]] QAccessibleInterface* makePart(int index) const
    {
        if (index < nodeCount())
            return makeNodeAccessible(*m_view, static_cast<std::size_t>(index));
        if (index < nodeCount() + edgeCount())
            return makeEdgeAccessible(*m_view, static_cast<std::size_t>(index - nodeCount()));
        return makeNoteAccessible(*m_view, static_cast<std::size_t>(index - nodeCount() - edgeCount()));
    }
    [[nodiscard]] int currentIndex() const
    {
        const std::size_t note = m_view->graphScene().currentNote();
        if (note != kNoNote)
            return nodeCount() + edgeCount() + static_cast<int>(note);
        if (const std::size_t edge = m_view->graphScene().currentEdge(); edge != kNoEdge)
            return nodeCount() + static_cast<int>(edge);
        const auto& nodes = m_view->graphScene().nodes();
        const NodeItem* current = m_view->graphScene().findNode(m_view->graphScene().currentNode());
        const auto found = std::find(nodes.begin(), nodes.end(), current);
        return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
    }
    void announce(int index, QAccessible::Event what)
    {
        if (!QAccessible::isActive())
            return;
        QAccessibleEvent event(child(index), what);
        QAccessible::updateAccessibility(&event);
    }
    void announceCurrent()
    {
        const int index = currentIndex();
        if (index < 0)
            return;
        announce(index, QAccessible::Selection);
        if (m_view->hasFocus())
            announce(index, QAccessible::Focus);
    }
    void deleteParts()
    {
        for (const QAccessible::Id id : m_parts)
            if (id != 0)
                QAccessible::deleteAccessibleInterface(id);
        m_parts.clear();
    }
    void forgetParts()
    {
        deleteParts();
        if (!QAccessible::isActive())
            return;
        QAccessibleEvent event(m_view, QAccessible::ObjectReorder);
        QAccessible::updateAccessibility(&event);
    }

    GraphView* m_view;
    QObject m_context; // its destruction ends the connections when this interface goes
    mutable std::vector<QAccessible::Id> m_parts; // by child index; 0 until the child was asked for
};

QAccessibleInterface* makeGraphAccessible(const QString& className, QObject* object)
{
    if (className != QLatin1String(GraphView::staticMetaObject.className()))
        return nullptr;
    auto* view = qobject_cast<GraphView*>(object);
    return view ? new GraphAccessible(view) : nullptr;
}

} // namespace

void installGraphAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(makeGraphAccessible);
        return true;
    }();
    Q_UNUSED(installed)
}

} // namespace sg::ui
