#include "ui/shell/project/places.h"

#include "core/base/word.h"
#include "ui/artifacts/artifacts_panel.h"
#include "ui/commands/quick_popup.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/kind_look.h"
#include "ui/graph/panels/inspector.h"
#include "ui/guide/guide_chapters.h"
#include "ui/guide/guide_window.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/document_table.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/project/project_pages.h"
#include "ui/shell/project/start_part.h"
#include "ui/start/start_page.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>

#include <array>
#include <string_view>
#include <utility>

namespace sg::ui {
namespace {

constexpr std::size_t kMostCheckpoints = 10'000; // that are looked through, the newest

// An item's id is the name of one of these, a colon, and the name of the place.
enum class PlaceKind { Node, Thread, Checkpoint, Artifact, Project, Document, Panel };
constexpr auto namesOf(PlaceKind)
{
    return std::to_array<std::pair<PlaceKind, std::string_view>>({
        { PlaceKind::Node, "node" },
        { PlaceKind::Thread, "thread" },
        { PlaceKind::Checkpoint, "checkpoint" },
        { PlaceKind::Artifact, "artifact" },
        { PlaceKind::Project, "project" },
        { PlaceKind::Document, "document" },
        { PlaceKind::Panel, "panel" },
    });
}

QString checkpointTitle(const CheckpointRow& row)
{
    const auto names = [](const QStringList& nodes, const QString& none) {
        return nodes.isEmpty() ? none : nodes.join(QStringLiteral(", "));
    };
    return Places::tr("Step %1, after %2 → %3")
        .arg(row.step)
        .arg(names(row.after, QString::fromStdString(row.source.text())), names(row.next, Places::tr("end")));
}

// The chapter of the guide about a panel or a document, by its row's name.
QString chapterOf(const QString& name)
{
    for (const PanelRow& row : panelTable())
        if (name == QLatin1String(row.name))
            return QLatin1String(row.chapter);
    for (const DocumentRow& row : documentTable())
        if (name == QLatin1String(row.name))
            return QLatin1String(row.chapter);
    return QStringLiteral("first-graph");
}

// Returns the first widget in there that the keyboard can reach, or itself.
QWidget* focusableIn(QWidget* panel)
{
    QWidget* const proxy = panel->focusProxy();
    if (proxy != nullptr && proxy->isVisible() && proxy->isEnabled())
        return proxy;
    if (proxy == nullptr && (panel->focusPolicy() & Qt::TabFocus))
        return panel;
    for (QWidget* widget = panel->nextInFocusChain(); widget != nullptr && widget != panel;
         widget = widget->nextInFocusChain())
        if (panel->isAncestorOf(widget) && widget->isVisible() && widget->isEnabled()
            && (widget->focusPolicy() & Qt::TabFocus))
            return widget;
    return nullptr;
}

} // namespace

Places::Places(const WindowParts& parts, ArtifactsPanel& artifacts, const StartPart& start,
               ProjectPages& projects)
    : WindowPart(parts)
    , m_artifacts(&artifacts)
    , m_start(&start)
    , m_projects(&projects)
{
}

std::vector<QuickItem> Places::all() const
{
    std::vector<QuickItem> found;
    const auto add = [&](PlaceKind kind, const QString& name, const QString& title, const QString& place,
                         const QIcon& sign) {
        found.push_back(
            { QString::fromLatin1(nameAmong(kind)) + QLatin1Char(':') + name, title, place, {}, sign, {} });
    };
    for (const graph::Node& node : m_parts.canvas->document().graph().nodes)
        add(PlaceKind::Node, QString::fromStdString(node.name.value), QString::fromStdString(node.name.value),
            tr("Node"), icon(iconOfKind(node.kind)));
    for (const QString& thread : m_book->threads())
        add(PlaceKind::Thread, thread, thread, tr("Thread"), icon(QLatin1String("hourglass")));
    for (QAction* action : m_docks->toggleActions())
        add(PlaceKind::Panel, action->text(), action->text(), tr("Panel"), icon(QLatin1String("grid")));
    for (const DocumentRow& row : documentTable())
        if (row.title[0] != 0)
            add(PlaceKind::Document, QLatin1String(row.name), titleOf(row), tr("Panel"),
                icon(QLatin1String(row.icon)));
    for (const ArtifactRow& artifact : m_artifacts->read())
        add(PlaceKind::Artifact, artifact.id, artifact.name, tr("Artifact"), icon(QLatin1String("file")));
    const std::vector<CheckpointRow>& rows = m_history->rows().checkpoints;
    std::size_t left = kMostCheckpoints;
    for (auto row = rows.rbegin(); row != rows.rend() && left > 0; ++row, --left)
        add(PlaceKind::Checkpoint, row->id, checkpointTitle(*row), tr("Checkpoint"),
            icon(QLatin1String("clock")));
    for (const RecentRow& project : m_start->recent())
        add(PlaceKind::Project, project.path, project.name, tr("Project"), icon(QLatin1String("graph")));
    return found;
}

void Places::goTo(const QString& place)
{
    const auto kind = kindNamed<PlaceKind>(place.section(QLatin1Char(':'), 0, 0).toStdString());
    const QString name = place.section(QLatin1Char(':'), 1);
    if (!kind)
        return;
    switch (*kind) {
    case PlaceKind::Node:
        m_selection->setNode(name);
        m_docks->raise(m_parts.inspector);
        m_parts.documents->open({ kGraphDocument, {} });
        m_parts.canvas->view().setFocus(Qt::OtherFocusReason);
        break;
    case PlaceKind::Thread: m_selection->setThread(name); break;
    case PlaceKind::Checkpoint: m_history->goTo(name); break;
    case PlaceKind::Artifact:
        m_docks->raise(m_artifacts);
        m_artifacts->choose(name);
        break;
    case PlaceKind::Project: m_projects->open(name); break;
    case PlaceKind::Document: showDocument(name); break;
    case PlaceKind::Panel:
        if (QWidget* panel = m_docks->showTitled(name))
            if (QWidget* inside = focusableIn(panel))
                inside->setFocus(Qt::OtherFocusReason);
        break;
    }
}

bool Places::showDocument(const QString& kind)
{
    QWidget* document = m_parts.documents->open({ kind, {} });
    if (QWidget* inside = document != nullptr ? focusableIn(document) : nullptr)
        inside->setFocus(Qt::OtherFocusReason);
    return document != nullptr;
}

void Places::cycleFocus(int by)
{
    QList<QWidget*> stops{ m_parts.runBar };
    if (m_parts.pages->currentWidget() == m_parts.start)
        stops << m_parts.start;
    else
        for (QWidget* document : m_parts.documents->seen())
            stops << (document == m_parts.canvas ? &m_parts.canvas->view() : document);
    stops << m_docks->seenPanels();
    const QWidget* focused = QApplication::focusWidget();
    qsizetype at = 0;
    for (qsizetype i = 0; i < stops.size(); ++i)
        if (focused != nullptr && (stops[i] == focused || stops[i]->isAncestorOf(focused)))
            at = i;
    for (qsizetype tries = 0; tries < stops.size(); ++tries) {
        at = (at + by + stops.size()) % stops.size();
        QWidget* next = focusableIn(stops[at]);
        if (next == nullptr || !next->isVisible() || next == focused)
            continue; // a folded panel, or one that cannot take it
        next->setFocus(by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
        if (QApplication::focusWidget() != focused)
            return;
    }
}

void Places::showGuide()
{
    QString panel;
    for (const QWidget* widget = QApplication::focusWidget(); widget != nullptr;
         widget = widget->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(widget) != nullptr)
            panel = widget->objectName();
        else if (const DocumentId shown = m_parts.documents->idOf(widget); !shown.kind.isEmpty())
            panel = shown.kind;
    }
    auto* guide = m_window->findChild<GuideWindow*>(QString(), Qt::FindDirectChildrenOnly);
    if (guide == nullptr)
        guide = new GuideWindow(m_window);
    guide->open(chapterOf(panel));
    guide->show();
    guide->raise();
    guide->activateWindow();
}

bool Places::showPanel(const QString& title)
{
    for (const QAction* panel : m_docks->toggleActions())
        if (panel->text().section(QLatin1String(" ("), 0, 0).compare(title, Qt::CaseInsensitive) == 0)
            return m_docks->showTitled(panel->text()) != nullptr;
    for (const DocumentRow& row : documentTable())
        if (row.title[0] != 0 && titleOf(row).compare(title, Qt::CaseInsensitive) == 0)
            return showDocument(QLatin1String(row.name));
    return false;
}

} // namespace sg::ui
