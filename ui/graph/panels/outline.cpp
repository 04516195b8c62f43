#include "ui/graph/panels/outline.h"

#include "ui/graph/edits/graph_document.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/edits/note_edits.h"
#include "ui/graph/kind_look.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/scene/node_card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTreeWidget>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kSoonMs = 60;
constexpr int kIndent = 14;
constexpr std::size_t kMostListed = 20'000;

} // namespace

Outline::Outline(GraphDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_tree(new QTreeWidget(this))
    , m_stack(new QStackedLayout(this))
{
    setAccessibleName(tr("Outline"));
    m_tree->setObjectName(QStringLiteral("outline"));
    m_tree->setAccessibleName(tr("Outline"));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setHeaderHidden(true);
    m_tree->setColumnCount(2);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(1, QHeaderView::Fixed);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->resizeSection(1, scaledLength(24));
    m_tree->setIndentation(scaledLength(kIndent));
    m_tree->setUniformRowHeights(true);
    m_tree->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_tree->setExpandsOnDoubleClick(false);
    m_stack->addWidget(
        new EmptyState(QLatin1String("list"), tr("The graph's nodes and notes appear here."), this));
    m_stack->addWidget(m_tree);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &Outline::rebuild);
    for (auto changed : { &GraphDocument::graphEdited, &GraphDocument::graphReset })
        connect(&m_document, changed, this, &Outline::takeSoon);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &Outline::choose);
    connect(m_tree, &QTreeWidget::itemActivated, this, &Outline::activated);
    connect(m_tree, &QTreeWidget::itemChanged, this, &Outline::rename);
    auto* remove = new QAction(tr("Delete"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(remove, &QAction::triggered, this, &Outline::removeCurrent);
    addAction(remove);
}

void Outline::setCurrent(const QString& node)
{
    m_current = node;
    if (!m_isOld)
        showCurrent();
}

void Outline::setProblems(const std::vector<graph::Problem>& problems)
{
    m_problems = problems;
    takeSoon();
}

void Outline::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isOld)
        rebuild();
}

void Outline::takeSoon()
{
    m_isOld = true;
    if (isVisible())
        m_soon.start();
}

void Outline::rebuild()
{
    m_soon.stop();
    m_isOld = false;
    const graph::Graph whole = m_document.whole();
    QString shape = shapeOf(whole);
    for (const graph::Problem& problem : m_problems)
        shape += QString::fromStdString(problem.pointer) + QLatin1Char('!');
    for (const NodeId& id : m_document.path())
        shape += QString::fromStdString(id.value) + QLatin1Char('>');
    for (const graph::Note& note : m_document.graph().notes)
        shape += QString::fromStdString(note.text) + QLatin1Char('"');
    if (shape == std::exchange(m_shape, shape)) // a moved node changes no row
        return showCurrent();
    const QSignalBlocker quiet(m_tree);
    m_paths.clear();
    m_notes.clear();
    m_tree->clear();
    add(whole, m_tree->invisibleRootItem(), {}, {});
    addNotes();
    m_tree->expandAll();
    m_stack->setCurrentIndex(m_tree->topLevelItemCount() == 0 ? 0 : 1);
    showCurrent();
}

QString Outline::shapeOf(const graph::Graph& graph)
{
    QString shape;
    for (const graph::Node& node : graph.nodes) {
        shape += QString::fromStdString(node.name.value) + QLatin1Char('\n')
            + QString::fromStdString(node.kind) + QLatin1Char('\n');
        if (node.subgraph)
            shape += QLatin1Char('(') + shapeOf(*node.subgraph) + QLatin1Char(')');
    }
    return shape;
}

void Outline::addNotes()
{
    const auto& notes = m_document.graph().notes;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const QString text = QString::fromStdString(notes[i].text);
        auto* row = new QTreeWidgetItem(m_tree);
        row->setText(0, text.section(QLatin1Char('\n'), 0, 0));
        row->setIcon(0, icon(QLatin1String(notes[i].frame ? "grid" : "text"), &Tokens::muted));
        row->setToolTip(0, text.toHtmlEscaped());
        row->setData(0, Qt::AccessibleTextRole,
                     (notes[i].frame ? tr("frame: %1") : tr("note: %1")).arg(text));
        if (m_document.isEditable())
            row->setFlags(row->flags() | Qt::ItemIsEditable);
        m_notes.emplace(row, i);
    }
}

void Outline::add(const graph::Graph& graph, QTreeWidgetItem* under, const Path& around,
                  const std::string& pointer)
{
    for (std::size_t i = 0; i < graph.nodes.size() && m_paths.size() < kMostListed; ++i) {
        const graph::Node& node = graph.nodes[i];
        auto* row = new QTreeWidgetItem(under);
        row->setText(0, QString::fromStdString(node.name.value));
        row->setIcon(0, icon(iconOfKind(node.kind), &Tokens::text2));
        row->setToolTip(0, nodeKindTitle(node.kind));
        if (m_document.isEditable())
            row->setFlags(row->flags() | Qt::ItemIsEditable);
        Path path = around;
        path.push_back(node.name);
        const std::string at = pointer + "/nodes/" + std::to_string(i);
        mark(*row, at);
        m_paths.emplace(row, path);
        if (node.subgraph)
            add(*node.subgraph, row, path, at + "/graph");
    }
}

void Outline::mark(QTreeWidgetItem& row, const std::string& pointer) const
{
    for (const graph::Problem& problem : m_problems) {
        if (problem.severity == graph::Problem::Severity::Hint
            || !(problem.pointer + "/").starts_with(pointer + "/"))
            continue;
        const bool isError = problem.severity == graph::Problem::Severity::Error;
        row.setIcon(1,
                    isError ? icon(QLatin1String("warn"), &Tokens::failed)
                            : icon(QLatin1String("warn"), &Tokens::warn));
        row.setToolTip(1, QString::fromStdString(problem.message));
        row.setData(1, Qt::AccessibleTextRole, isError ? tr("has an error") : tr("has a warning"));
        if (isError)
            return;
    }
}

void Outline::showCurrent()
{
    Path wanted = m_document.path();
    wanted.emplace_back(m_current.toStdString());
    const QSignalBlocker quiet(m_tree);
    for (const auto& [row, path] : m_paths)
        if (path == wanted) {
            m_tree->setCurrentItem(const_cast<QTreeWidgetItem*>(row)); // the tree owns it
            return;
        }
    m_tree->setCurrentItem(nullptr);
}

void Outline::goAround(const Path& path)
{
    m_document.goTo(Path(path.begin(), path.end() - 1));
}

void Outline::choose(const QTreeWidgetItem* row)
{
    if (const auto note = m_notes.find(row); note != m_notes.end()) {
        Q_EMIT noteChosen(note->second);
        return;
    }
    const auto found = m_paths.find(row);
    if (found == m_paths.end())
        return;
    const Path path = found->second;
    goAround(path);
    Q_EMIT chosen(QString::fromStdString(path.back().value));
}

void Outline::write(std::size_t note, const QString& text)
{
    m_document.edit(tr("Write note"), [&](graph::Graph& graph) {
        if (note >= graph.notes.size())
            return;
        const std::string& before = graph.notes[note].text;
        const std::size_t end = std::min(before.find('\n'), before.size());
        setNoteText(graph, note, text.toStdString() + before.substr(end)); // the row has the first line
    });
}

void Outline::rename(QTreeWidgetItem* row)
{
    if (const auto note = m_notes.find(row); note != m_notes.end())
        return write(note->second, row->text(0));
    const auto found = m_paths.find(row);
    if (found == m_paths.end())
        return;
    const Path path = found->second;
    const std::string name = row->text(0).trimmed().toStdString();
    goAround(path);
    const std::string fault = nodeNameFault(m_document.graph(), name, path.back().value);
    if (!fault.empty())
        Q_EMIT hinted(QString::fromStdString(fault));
    else if (m_document.edit(tr("Rename"),
                             [&](graph::Graph& graph) { renameNode(graph, path.back(), NodeId(name)); }))
        Q_EMIT chosen(QString::fromStdString(name));
    m_shape.clear();
    takeSoon(); // restores the node's name in the row
}

void Outline::removeCurrent()
{
    if (!m_document.isEditable())
        return;
    if (const auto note = m_notes.find(m_tree->currentItem()); note != m_notes.end()) {
        const std::size_t index = note->second;
        m_document.editPlaced(tr("Delete note"), [&](graph::Graph& graph) { removeNote(graph, index); });
        return;
    }
    const auto found = m_paths.find(m_tree->currentItem());
    if (found == m_paths.end())
        return;
    const Path path = found->second;
    goAround(path);
    m_document.editPlaced(tr("Delete %1").arg(QString::fromStdString(path.back().value)),
                          [&](graph::Graph& graph) { removeNodes(graph, { path.back() }); });
}

} // namespace sg::ui
