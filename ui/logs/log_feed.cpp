#include "ui/logs/log_feed.h"

#include "ui/bridge/clients.h"
#include "ui/logs/log_panel.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/widgets/error_cover.h"

namespace sg::ui {
namespace {

constexpr std::size_t kMostAsked = 500; // the newest

} // namespace

LogFeed::LogFeed(const PanelParts& parts, LogPanel& panel)
    : QObject(&panel)
    , m_parts(parts)
    , m_panel(panel)
{
    follow();
    coverFailures();
    connect(&m_parts.clients.history, &HistoryClient::logLoaded, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread == m_parts.selection.thread())
                    m_panel.setRows(rows);
            });
    connect(&m_parts.clients.history, &HistoryClient::logAppended, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (thread == m_parts.selection.thread())
                    m_panel.append(rows);
            });
    connect(&m_panel, &LogPanel::momentRequested, this, [this](const LogRow& row) {
        ShownHistory& history = m_parts.history;
        const QString made = history.afterTask(row.task);
        history.goTo(made.isEmpty() ? history.at(row.timeMs) : made);
    });
    connect(&m_parts.clients.artifacts, &ArtifactsClient::artifactsLoaded, this, &LogFeed::loadPictures);
    connect(&m_parts.clients.artifacts, &ArtifactsClient::thumbnailLoaded, this,
            [this](const ArtifactThumbnail& made) {
                if (const auto found = m_pictures.constFind(made.artifact); found != m_pictures.constEnd())
                    m_panel.addPicture(*found, made.image);
            });
}

void LogFeed::follow()
{
    connect(&m_parts.selection, &Selection::threadChanged, this, [this] {
        m_panel.clear();
        load(); // cells may have printed before the first run
        showMoment();
    });
    connect(&m_parts.history, &ShownHistory::momentChanged, this, &LogFeed::showMoment);
    connect(&m_parts.feed, &ClientFeed::readsAgain, this, &LogFeed::load);
}

void LogFeed::coverFailures()
{
    const HistoryClient* client = &m_parts.clients.history;
    auto* cover = new ErrorCover(m_panel);
    connect(cover, &ErrorCover::readAgain, this, &LogFeed::load);
    connect(client, &HistoryClient::logFailed, cover,
            [this, cover](const QString& thread, const UserError& error) {
                if (thread == m_parts.selection.thread())
                    cover->showError(tr("The log of this thread cannot be read."), error.what);
            });
    connect(client, &HistoryClient::logLoaded, cover, &QWidget::hide);
    connect(&m_parts.selection, &Selection::threadChanged, cover, &QWidget::hide);
    connect(&m_parts.clients.project, &OpenProject::closing, cover, &QWidget::hide);
}

void LogFeed::load()
{
    if (!m_parts.selection.thread().isEmpty())
        m_parts.clients.history.loadLog(m_parts.selection.thread());
}

void LogFeed::loadPictures(const std::vector<ArtifactRow>& artifacts)
{
    std::vector<ArtifactRow> fresh;
    for (const ArtifactRow& artifact : artifacts) {
        const bool isShown = artifact.path.startsWith(QLatin1String("displays/"))
            && artifact.mime.startsWith(QLatin1String("image/"));
        if (!isShown || m_pictures.contains(artifact.id) || fresh.size() >= kMostAsked)
            continue;
        m_pictures.insert(artifact.id, artifact.name);
        fresh.push_back(artifact);
    }
    if (!fresh.empty())
        m_parts.clients.artifacts.loadThumbnails(fresh);
}

void LogFeed::showMoment()
{
    m_panel.setMoment(m_parts.history.moment(), true);
}

} // namespace sg::ui
