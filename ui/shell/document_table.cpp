#include "ui/pools/pools_panel.h"
#include "ui/shell/document_table.h"

#include "ui/artifacts/artifact_preview_view.h"
#include "ui/chat/chat_document.h"
#include "ui/code/code_document.h"
#include "ui/code/code_editor.h"
#include "ui/compare/compare_panel.h"
#include "ui/connections/connections_panel.h"
#include "ui/graph/compare/run_graph.h"
#include "ui/search/search_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/window_part.h"
#include "ui/timeline/overview/thread_overview.h"

#include <QCoreApplication>

#include <array>

namespace sg::ui {
namespace {

using Life = DocumentKind::Life;

// A panel that is made with the others, because the window's parts wire it.
template<typename Panel>
QWidget* panelOf(const WindowParts& parts, const QString&, QWidget*)
{
    return &parts.panels->of<Panel>();
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

QWidget* chatOf(const WindowParts&, const QString& thread, QWidget* parent)
{
    return thread.isEmpty() ? nullptr : new ChatDocument(thread, parent);
}

const std::array kDocuments{
    DocumentRow{ "graph", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Graph"), "graph", Life::Pinned, canvasOf },
    DocumentRow{ "code", "", "python", Life::Owned, codeOf },
    DocumentRow{ "run", "", "hourglass", Life::Owned, runOf },
    DocumentRow{ "chat", "", "text", Life::Owned, chatOf },
    DocumentRow{ "artifact", "", "table", Life::Owned, artifactOf },
    DocumentRow{ "compare", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Compare"), "compare", Life::Kept,
                 panelOf<ComparePanel> },
    DocumentRow{ "overview", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Overview"), "list", Life::Kept,
                 panelOf<ThreadOverview> },
    DocumentRow{ "connections", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Connections"), "link", Life::Kept,
                 panelOf<ConnectionsPanel> },
    DocumentRow{ "pools", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Pools"), "chip", Life::Kept,
                 panelOf<PoolsPanel> },
    DocumentRow{ "search", QT_TRANSLATE_NOOP("sg::ui::DockLayout", "Search"), "search", Life::Kept,
                 panelOf<SearchPanel> },
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
        kinds.push_back({ QString::fromLatin1(row.name), QLatin1String(row.icon), row.life,
                          [&row, &parts](const QString& argument, QWidget* parent) {
                              QWidget* document = row.make(parts, argument, parent);
                              if (document != nullptr && document->windowTitle().isEmpty())
                                  document->setWindowTitle(titleOf(row) + QStringLiteral("[*]"));
                              return document;
                          } });
    return kinds;
}

} // namespace sg::ui
