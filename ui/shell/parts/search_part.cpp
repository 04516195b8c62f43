#include "ui/shell/parts/search_part.h"

#include "ui/bridge/clients.h"
#include "ui/documents/document_area.h"
#include "ui/search/search_panel.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

namespace sg::ui {
namespace {

QStringList checkpointsOf(const std::vector<SearchHit>& marks, const QString& thread)
{
    QStringList checkpoints;
    for (const SearchHit& mark : marks)
        if (mark.thread == thread && !mark.checkpoint.isEmpty())
            checkpoints << mark.checkpoint;
    return checkpoints;
}

} // namespace

SearchPart::SearchPart(const WindowParts& parts, SearchPanel& search)
    : WindowPart(parts)
    , m_search(&search)
{
    m_find = new QAction(icon(QLatin1String("search")), tr("&Find runs, checkpoints and lines…"), m_window);
    m_find->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+F")));
    connect(m_find, &QAction::triggered, this, [this] {
        m_parts.documents->open({ QStringLiteral("search"), {} });
        m_search->focusLine();
    });
    connect(m_search, &SearchPanel::searchRequested, &m_clients->search, &SearchClient::search);
    connect(m_search, &SearchPanel::sqlRequested, &m_clients->search, &SearchClient::runSql);
    connect(&m_clients->search, &SearchClient::searched, m_search, &SearchPanel::setFound);
    connect(&m_clients->search, &SearchClient::sqlAnswered, m_search, &SearchPanel::setAnswer);
    connect(&m_clients->project, &OpenProject::closing, m_search, &SearchPanel::clear);
    connect(&m_clients->runs, &RunsClient::runFinished, m_search, &SearchPanel::askAgain);
    connect(&m_clients->project, &OpenProject::databaseChanged, m_search, &SearchPanel::askAgain);
    connect(&m_clients->history, &HistoryClient::threadsLoaded, this,
            [this](const std::vector<ThreadRow>& rows) {
                query::Vocabulary words;
                for (const graph::Node& node : m_clients->project.info().graph.nodes)
                    words.nodes.push_back(node.name.value);
                for (const ThreadRow& row : rows)
                    words.threads.push_back(row.thread.toStdString());
                m_search->setVocabulary(std::move(words));
            });
    // The first question reads the whole history: while its words are being typed.
    connect(m_parts.documents, &DocumentArea::cameToBeSeen, this, [this](const QWidget* panel) {
        if (panel == m_search && !m_search->hasAsked())
            m_clients->search.readAhead();
    });
    connect(m_search, &SearchPanel::hitChosen, this, [this](const SearchHit& hit) {
        if (hit.thread.isEmpty()) // SQL may say NULL
            return;
        m_selection->setThread(hit.thread);
        if (hit.checkpoint.isEmpty())
            return;
        if (m_history->count() > 0 && !m_history->isAwaiting())
            m_history->goTo(hit.checkpoint);
        else
            m_selection->setCheckpoint(hit.checkpoint);
        if (!hit.node.isEmpty() && !hit.node.contains(QLatin1String(", ")))
            m_selection->setNode(hit.node);
    });
    const auto mark = [this](const std::vector<SearchHit>& marks) {
        m_found = marks;
        m_timeline->setFound(checkpointsOf(m_found, m_selection->thread()));
    };
    connect(m_search, &SearchPanel::marksChanged, this, mark);
    connect(m_selection, &Selection::threadChanged, this,
            [this](const QString& thread) { m_timeline->setFound(checkpointsOf(m_found, thread)); });
}

} // namespace sg::ui
