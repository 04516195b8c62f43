#include "ui/shell/document_table.h"

#include "ui/artifacts/artifact_preview_view.h"
#include "ui/bridge/clients.h"
#include "ui/chat/chat_document.h"
#include "ui/code/code_document.h"
#include "ui/code/code_editor.h"
#include "ui/compare/compare_panel.h"
#include "ui/connections/connections_panel.h"
#include "ui/graph/compare/run_graph.h"
#include "ui/pools/pools_panel.h"
#include "ui/search/search_panel.h"
#include "ui/selection/panel_parts.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/parts/window_part.h"
#include "ui/timeline/overview/thread_overview.h"

#include <QCoreApplication>
#include <QPointer>

#include <array>

namespace sg::ui {
namespace {

using Life = DocumentKind::Life;
using Menu = DocumentVerb::Menu;

template<typename Panel>
QWidget* madeOf(const WindowParts& parts, const QString&, QWidget* parent)
{
    return new Panel(panelParts(parts), parent);
}

// A panel that needs one client and nothing else.
template<typename Panel, auto client>
QWidget* madeWith(const WindowParts& parts, const QString&, QWidget* parent)
{
    return new Panel(parts.clients->*client, parent);
}

QWidget* canvasOf(const WindowParts& parts, const QString&, QWidget*)
{
    return parts.canvas;
}

QWidget* codeOf(const WindowParts& parts, const QString& file, QWidget* parent)
{
    CodeEditor& code = parts.canvas->code();
    return code.names(file) ? new CodeDocument(code, file, parent) : nullptr;
}

QString lineOf(const QString& argument, int line)
{
    return argument.section(QLatin1Char('\n'), line, line);
}

QWidget* runOf(const WindowParts&, const QString& run, QWidget* parent)
{
    if (lineOf(run, 1).isEmpty())
        return nullptr;
    auto* graph = new RunGraph(lineOf(run, 0), lineOf(run, 1), parent);
    graph->setWindowTitle(lineOf(run, 0) + QStringLiteral("[*]")); // its step is not read yet
    return graph;
}

QWidget* artifactOf(const WindowParts&, const QString& artifact, QWidget* parent)
{
    auto* view = new ArtifactPreviewView(parent);
    view->setWindowTitle(lineOf(artifact, 1) + QStringLiteral("[*]"));
    return view;
}

QWidget* chatOf(const WindowParts& parts, const QString& thread, QWidget* parent)
{
    return thread.isEmpty() ? nullptr : new ChatDocument(panelParts(parts), thread, parent);
}

const std::array kDocuments{
    DocumentRow{ "graph", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Graph"), "graph", Life::Pinned, "editor",
                 canvasOf },
    DocumentRow{ "code", "", "python", Life::Owned, "editor", codeOf },
    DocumentRow{ "run", "", "hourglass", Life::Owned, "checkpoints", runOf },
    DocumentRow{ "chat", "", "text", Life::Owned, "models", chatOf },
    DocumentRow{ "artifact", "", "table", Life::Owned, "artifacts", artifactOf },
    DocumentRow{ "compare", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Compare"), "compare", Life::Kept,
                 "checkpoints", madeOf<ComparePanel> },
    DocumentRow{ "overview", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Overview"), "list", Life::Kept,
                 "timeline", madeOf<ThreadOverview> },
    DocumentRow{
        "connections",
        QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Connections"),
        "link",
        Life::Kept,
        "elsewhere",
        madeWith<ConnectionsPanel, &Clients::connections>,
        { Menu::Session, QT_TRANSLATE_NOOP("sg::ui::DockLayout", "&Connections"), "session.connections" } },
    DocumentRow{ "pools",
                 QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Pools"),
                 "chip",
                 Life::Kept,
                 "pools",
                 madeWith<PoolsPanel, &Clients::pools>,
                 { Menu::Session, QT_TRANSLATE_NOOP("sg::ui::DockLayout", "&Pools"), "session.pools" } },
    DocumentRow{ "search",
                 QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Search"),
                 "search",
                 Life::Kept,
                 "timeline",
                 madeOf<SearchPanel>,
                 { Menu::Thread,
                   QT_TRANSLATE_NOOP("sg::ui::DockLayout", "&Find runs, checkpoints and lines…"), "",
                   "Ctrl+Alt+F" } },
};

} // namespace

std::span<const DocumentRow> documentTable()
{
    return kDocuments;
}

QString titleOf(const DocumentRow& row)
{
    return QCoreApplication::translate("sg::ui::DockLayout", row.title);
}

std::vector<DocumentKind> documentKinds(const WindowParts& parts)
{
    std::vector<DocumentKind> kinds;
    for (const DocumentRow& row : kDocuments)
        kinds.push_back(
            { QString::fromLatin1(row.name), QLatin1String(row.icon), row.life,
              [&row, &parts, kept = QPointer<QWidget>()](const QString& argument, QWidget* parent) mutable {
                  if (kept != nullptr)
                      return kept.data();
                  QWidget* document = row.make(parts, argument, parent);
                  if (document != nullptr && document->windowTitle().isEmpty())
                      document->setWindowTitle(titleOf(row) + QStringLiteral("[*]"));
                  if (row.life == Life::Kept)
                      kept = document;
                  return document;
              } });
    return kinds;
}

} // namespace sg::ui
