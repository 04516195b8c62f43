#include "ui/shell/parts/log_part.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/bridge/artifacts/artifacts_client.h"
#include "ui/bridge/clients.h"
#include "ui/logs/log_panel.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/panel_table.h"
#include "ui/timeline/timeline_panel.h"

namespace sg::ui {
namespace {

constexpr std::size_t kMostPictures = 500; // the newest

} // namespace

LogPart::LogPart(const WindowParts& parts, ArtifactsPanel& artifacts)
    : WindowPart(parts)
    , m_log(&parts.panels->of<LogPanel>())
{
    connect(&m_clients->history, &HistoryClient::logLoaded, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread != m_selection->thread())
                    return;
                m_log->setRows(rows);
                m_timeline->setLog(rows);
            });
    connect(&m_clients->history, &HistoryClient::logAppended, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread != m_selection->thread())
                    return;
                m_log->append(rows);
                m_timeline->addLog(rows);
            });
    connect(m_log, &LogPanel::momentRequested, this, [this](const LogRow& row) {
        const QString made = m_history->afterTask(row.task);
        m_history->goTo(made.isEmpty() ? m_history->at(row.timeMs) : made);
    });
    connect(&artifacts, &ArtifactsPanel::logRequested, this, [this](const ArtifactRow& artifact) {
        m_selection->setThread(artifact.thread);
        m_log->setFilter(QStringLiteral("node:%1 step:%2").arg(artifact.node).arg(artifact.step));
        m_docks->raise(m_log);
    });
    connect(&m_clients->artifacts, &ArtifactsClient::artifactsLoaded, this, &LogPart::loadPictures);
    connect(&m_clients->artifacts, &ArtifactsClient::thumbnailLoaded, this,
            [this](const ArtifactThumbnail& made) {
                if (const auto found = m_pictures.constFind(made.artifact); found != m_pictures.constEnd())
                    m_log->addPicture(*found, made.image);
            });
    connect(m_selection, &Selection::threadChanged, this, [this] {
        m_log->clear();
        load(); // cells may have printed before the first run
        showMoment(true);
    });
    connect(m_history, &ShownHistory::momentChanged, this, [this] { showMoment(true); });
    connect(m_parts.feed, &ClientFeed::readsAgain, this, &LogPart::load);
}

void LogPart::load()
{
    if (!m_selection->thread().isEmpty())
        m_clients->history.loadLog(m_selection->thread());
}

void LogPart::loadPictures(const std::vector<ArtifactRow>& artifacts)
{
    std::vector<ArtifactRow> fresh;
    for (const ArtifactRow& artifact : artifacts) {
        const bool isShown = artifact.path.startsWith(QLatin1String("displays/"))
            && artifact.mime.startsWith(QLatin1String("image/"));
        if (!isShown || m_pictures.contains(artifact.id) || fresh.size() >= kMostPictures)
            continue;
        m_pictures.insert(artifact.id, artifact.name);
        fresh.push_back(artifact);
    }
    if (!fresh.empty())
        m_clients->artifacts.loadThumbnails(fresh);
}

void LogPart::showMoment(bool isChosen)
{
    m_log->setMoment(m_history->moment(), isChosen);
}

} // namespace sg::ui
