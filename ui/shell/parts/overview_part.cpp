#include "ui/shell/parts/overview_part.h"

#include "ui/bridge/clients.h"
#include "ui/documents/document_area.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/timeline/overview/thread_overview.h"

#include <QTimer>

namespace sg::ui {
namespace {

constexpr int kOverviewSoonMs = 200;

} // namespace

OverviewPart::OverviewPart(const WindowParts& parts, ThreadOverview& overview)
    : WindowPart(parts)
    , m_overview(&overview)
{
    connect(m_parts.documents, &DocumentArea::cameToBeSeen, this, [this](const QWidget* panel) {
        if (panel == m_overview)
            m_clients->history.loadOverview();
    });
    auto* soon = new QTimer(this); // when a project is being opened its docks are not laid out yet
    soon->setSingleShot(true);
    soon->setInterval(kOverviewSoonMs);
    connect(soon, &QTimer::timeout, this, [this] {
        if (m_parts.documents->isSeen(m_overview))
            m_clients->history.loadOverview();
    });
    connect(&m_clients->history, &HistoryClient::threadsLoaded, soon, qOverload<>(&QTimer::start));
    connect(&m_clients->project, &OpenProject::closing, this, [this] { m_overview->setRows({}); });
    connect(&m_clients->history, &HistoryClient::overviewLoaded, m_overview, &ThreadOverview::setRows);
    connect(&m_clients->history, &HistoryClient::notesLoaded, this, [this](const NoteRows& notes) {
        QHash<QString, QString> labels;
        for (auto note = notes.constBegin(); note != notes.constEnd(); ++note)
            labels.insert(note.key(), note->label);
        m_overview->setLabels(labels);
    });
    connect(m_selection, &Selection::threadChanged, m_overview, &ThreadOverview::setCurrent);
    connect(m_overview, &ThreadOverview::threadChosen, m_selection, &Selection::setThread);
    connect(m_overview, &ThreadOverview::momentChosen, m_history, &ShownHistory::goToTime);
}

} // namespace sg::ui
