#include "ui/graph/compare/graph_compare.h"

#include "core/graph/graph_file.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/compare/line_diff.h"
#include "ui/graph/scene/diff_mark.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/node_item.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBlock>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

using graph::PartChange;
using graph::PartKind;

constexpr int kListHeight = 180;

QString lineOf(const graph::Difference& difference)
{
    QString text = QString::fromStdString(graph::describe(difference));
    return text.mid(2); // the sign is shown in a column of its own
}

// The name that graph::Difference uses for this end of an edge.
std::string endName(const DrawnNode& node)
{
    return node.kind == DrawnNode::Kind::Start ? "Start"
        : node.kind == DrawnNode::Kind::End    ? "End"
                                               : node.id.value;
}

bool names(const std::string& edge, const std::string& from, const std::string& to)
{
    const std::string arrow = " → ";
    const std::size_t at = edge.find(arrow);
    if (at == std::string::npos || edge.substr(at + arrow.size()) != to)
        return false;
    const std::string starts = " + " + edge.substr(0, at) + " + ";
    return starts.find(" + " + from + " + ") != std::string::npos;
}

} // namespace

GraphCompare::GraphCompare(QWidget* parent)
    : QWidget(parent)
    , m_list(new QTreeWidget(this))
    , m_text(new QPlainTextEdit(this))
    , m_summary(new QLabel(this))
{
    setObjectName(QStringLiteral("graphCompare"));
    setAccessibleName(tr("Two versions of the graph"));
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->setChildrenCollapsible(false);
    sides->setHandleWidth(1);
    sides->addWidget(makeSide(m_before));
    sides->addWidget(makeSide(m_after));
    connect(m_before.view, &GraphView::visibleRectChanged, this, [this] { follow(m_before, m_after); });
    connect(m_after.view, &GraphView::visibleRectChanged, this, [this] { follow(m_after, m_before); });

    m_list->setAccessibleName(tr("What differs"));
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->header()->setMinimumSectionSize(scaledLength(20));
    m_list->header()->resizeSection(0, scaledLength(34));
    connect(m_list, &QTreeWidget::currentItemChanged, this,
            [this](QTreeWidgetItem* row) { showDifference(m_list->indexOfTopLevelItem(row)); });
    m_text->setAccessibleName(tr("The file's lines that differ"));
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(monoFont());
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->addTab(m_list, tr("Parts"));
    tabs->addTab(m_text, tr("Lines of the file"));
    tabs->setMinimumHeight(scaledLength(kListHeight));

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 6, 12, 6);
    m_summary->setTextFormat(Qt::PlainText);
    head->addWidget(m_summary, 1);
    auto* restore = new QPushButton(tr("Restore the older as new…"), this);
    makeDense(restore);
    connect(restore, &QPushButton::clicked, this, [this] { Q_EMIT restoreRequested(m_older); });
    head->addWidget(restore);
    auto* rows = new QSplitter(Qt::Vertical, this);
    rows->setChildrenCollapsible(false);
    rows->setHandleWidth(1);
    rows->addWidget(sides);
    rows->addWidget(tabs);
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(rows, 1);
}

GraphCompare::~GraphCompare()
{
    clearMarks(m_before);
    clearMarks(m_after);
    delete m_before.view; // views must go before the scenes that they show
    delete m_after.view;
}

QWidget* GraphCompare::makeSide(Side& side)
{
    auto* page = new QWidget(this);
    side.scene = std::make_unique<GraphScene>(side.document);
    side.label = new QLabel(page);
    side.label->setTextFormat(Qt::PlainText);
    side.label->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    side.label->setContentsMargins(12, 6, 12, 6);
    side.view = new GraphView(*side.scene, page);
    side.view->setPlain(true);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(side.label);
    column->addWidget(side.view, 1);
    return page;
}

void GraphCompare::follow(Side& moved, Side& other)
{
    if (m_following || !isVisible())
        return;
    m_following = true;
    if (other.view->zoom() != moved.view->zoom())
        other.view->setZoom(moved.view->zoom());
    other.view->centerOn(moved.view->visibleRect().center());
    m_following = false;
}

void GraphCompare::compare(const Version& before, const Version& after)
{
    m_older = before.graph;
    m_found = graph::differences(before.graph, after.graph);
    clearMarks(m_before);
    clearMarks(m_after);
    m_before.document.setGraph(before.graph);
    m_after.document.setGraph(after.graph);
    m_before.label->setText(before.label);
    m_after.label->setText(after.label);
    m_before.view->setAccessibleName(before.label);
    m_after.view->setAccessibleName(after.label);
    const auto count = [this](PartChange change) {
        return static_cast<int>(std::ranges::count(m_found, change, &graph::Difference::change));
    };
    m_summary->setText(m_found.empty() ? tr("Both versions are the same.")
                                       : tr("%1 added, %2 removed, %3 changed")
                                             .arg(count(PartChange::Added))
                                             .arg(count(PartChange::Removed))
                                             .arg(count(PartChange::Changed)));
    fillList();
    fillText();
    mark(m_before, PartChange::Removed);
    mark(m_after, PartChange::Added);
    m_after.view->fitAll();
}

void GraphCompare::fillList()
{
    m_list->clear();
    for (const graph::Difference& difference : m_found) {
        auto* row = new QTreeWidgetItem(m_list);
        row->setText(0, diffSign(difference.change));
        row->setTextAlignment(0, Qt::AlignCenter);
        row->setForeground(0, diffInk(difference.change));
        row->setText(1, lineOf(difference));
        QStringList lines;
        for (const graph::FieldChange& field : difference.fields)
            lines << QStringLiteral("%1: %2 → %3")
                         .arg(QString::fromStdString(field.field),
                              QString::fromStdString(graph::shortText(field.before)),
                              QString::fromStdString(graph::shortText(field.after)))
                         .toHtmlEscaped();
        row->setToolTip(1, lines.join(QStringLiteral("<br>")));
        row->setData(0, Qt::AccessibleTextRole,
                     QString::fromLatin1(graph::partChangeName(difference.change).data()));
    }
}

void GraphCompare::fillText()
{
    m_text->clear();
    QTextCursor cursor(m_text->document());
    const auto lines = lineDiff(QString::fromStdString(graph::graphText(m_before.document.whole())),
                                QString::fromStdString(graph::graphText(m_after.document.whole())));
    for (const DiffLine& line : lines) {
        QTextCharFormat format;
        if (line.sign == QLatin1Char('+'))
            format.setForeground(diffInk(PartChange::Added));
        else if (line.sign == QLatin1Char('-'))
            format.setForeground(diffInk(PartChange::Removed));
        const QString words = line.sign == QLatin1Char('@')
            ? QStringLiteral("   …")
            : QString(line.sign) + QLatin1Char(' ') + line.text;
        cursor.insertText(words + QLatin1Char('\n'), format);
    }
    m_text->moveCursor(QTextCursor::Start);
}

void GraphCompare::clearMarks(Side& side)
{
    for (QGraphicsItem* mark : side.marks)
        delete mark;
    side.marks.clear();
}

// Marks what only this side has, and what differs on both sides.
void GraphCompare::mark(Side& side, PartChange own)
{
    clearMarks(side);
    const auto add = [&](DiffMark* item) {
        side.scene->addItem(item);
        side.marks.push_back(item);
    };
    const GraphDrawing& drawing = side.document.drawing();
    for (const graph::Difference& difference : m_found) {
        if (difference.path != side.document.path()
            || (difference.change != own && difference.change != PartChange::Changed))
            continue;
        if (difference.kind == PartKind::Node || difference.kind == PartKind::Branch) {
            if (const NodeItem* node = side.scene->findNode(NodeId(difference.name)))
                add(new DiffMark(node->card(),
                                 difference.kind == PartKind::Node ? difference.change
                                                                   : PartChange::Changed));
        } else if (difference.kind == PartKind::Edge) {
            for (std::size_t i = 0; i < drawing.edges.size(); ++i)
                if (const DrawnEdge& edge = drawing.edges[i]; !edge.ofBranch && !edge.ofCommand
                    && names(difference.name, endName(drawing.nodes[edge.from]),
                             endName(drawing.nodes[edge.to])))
                    add(new DiffMark(side.scene->edges()[i]->route().path, difference.change));
        }
    }
    // A node is also marked if something differs inside its subgraph.
    for (const graph::Difference& difference : m_found)
        if (difference.path.size() > side.document.path().size() && difference.countsAtRun()
            && std::equal(side.document.path().begin(), side.document.path().end(), difference.path.begin()))
            if (const NodeItem* node = side.scene->findNode(difference.path[side.document.path().size()]))
                add(new DiffMark(node->card(), PartChange::Changed));
}

void GraphCompare::showDifference(int row)
{
    if (row < 0 || row >= static_cast<int>(m_found.size()))
        return;
    const graph::Difference& difference = m_found[static_cast<std::size_t>(row)];
    for (auto [side, own] :
         { std::pair(&m_before, PartChange::Removed), std::pair(&m_after, PartChange::Added) }) {
        if (side->document.path() != difference.path) {
            clearMarks(*side);
            side->document.goTo(difference.path);
            mark(*side, own);
        }
        const NodeId id(difference.name);
        side->scene->setCurrentNode(side->scene->findNode(id) ? id : NodeId());
        m_following = true; // the sides must not follow each other yet; one of them leads below
        side->view->reveal(id);
        m_following = false;
    }
    Side& leading = m_after.scene->currentNode().empty() ? m_before : m_after;
    follow(leading, &leading == &m_after ? m_before : m_after);
}

} // namespace sg::ui
