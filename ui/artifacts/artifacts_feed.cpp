#include "ui/artifacts/artifacts_feed.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/bridge/clients.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/error_cover.h"

#include <QDesktopServices>
#include <QUrl>

#include <algorithm>

namespace sg::ui {

ArtifactsFeed::ArtifactsFeed(const PanelParts& parts, ArtifactsPanel& panel)
    : QObject(&panel)
    , m_parts(parts)
    , m_panel(panel)
{
    askFor();
    answer();
    follow();
    coverFailures();
}

void ArtifactsFeed::askFor()
{
    using Panel = ArtifactsPanel;
    ArtifactsClient* client = &m_parts.clients.artifacts;
    connect(&m_panel, &Panel::previewRequested, client, &ArtifactsClient::loadPreview);
    connect(&m_panel, &Panel::pageRequested, client, &ArtifactsClient::loadPage);
    connect(&m_panel, &Panel::columnsShown, client, &ArtifactsClient::loadColumnFacts);
    connect(&m_panel, &Panel::compareRequested, client, &ArtifactsClient::compareArtifacts);
    connect(&m_panel, &Panel::thumbnailsWanted, client, &ArtifactsClient::loadThumbnails);
    connect(&m_panel, &Panel::stageRequested, client, &ArtifactsClient::stageArtifacts);
    connect(&m_panel, &Panel::stagedReleased, &m_parts.clients.staging, &Staging::release);
    connect(&m_panel, &Panel::exportRequested, client, &ArtifactsClient::exportArtifacts);
    connect(&m_panel, &Panel::verifyRequested, client, &ArtifactsClient::verifyArtifacts);
    connect(&m_panel, &Panel::outsideRequested, client, &ArtifactsClient::openOutside);
    connect(&m_panel, &Panel::scopeChanged, this, &ArtifactsFeed::load);
    connect(&m_panel, &Panel::momentRequested, this, [this](const ArtifactRow& artifact) {
        m_parts.history.goToMadeFrom(artifact.thread, artifact.checkpoint);
    });
}

void ArtifactsFeed::answer()
{
    using Panel = ArtifactsPanel;
    const ArtifactsClient* client = &m_parts.clients.artifacts;
    connect(client, &ArtifactsClient::artifactsLoaded, this, &ArtifactsFeed::show);
    connect(client, &ArtifactsClient::artifactsAdded, this, [this](const QString& thread) {
        if (thread == m_parts.selection.thread() || m_panel.showsAllThreads())
            load();
    });
    connect(client, &ArtifactsClient::columnFactsLoaded, &m_panel, &Panel::setColumnFacts);
    connect(client, &ArtifactsClient::previewLoaded, &m_panel, &Panel::setPreview);
    connect(client, &ArtifactsClient::thumbnailLoaded, &m_panel, &Panel::setThumbnail);
    connect(client, &ArtifactsClient::staged, &m_panel, &Panel::setStaged);
    connect(client, &ArtifactsClient::exported, &m_panel, &Panel::setExported);
    connect(client, &ArtifactsClient::verified, &m_panel, &Panel::setVerified);
    connect(client, &ArtifactsClient::readyOutside, this,
            [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
}

void ArtifactsFeed::follow()
{
    connect(&m_parts.history, &ShownHistory::currentChanged, this, &ArtifactsFeed::showMoment);
    connect(&m_parts.history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (!change.isLive())
            showMoment();
    });
    connect(&m_parts.selection, &Selection::threadChanged, this, [this](const QString& thread) {
        clear();
        if (m_parts.book.contains(thread))
            load();
    });
    connect(&m_parts.feed, &ClientFeed::readsAgain, this, [this] {
        if (m_parts.book.contains(m_parts.selection.thread()))
            load();
    });
    connect(&m_parts.clients.runs, &RunsClient::runFinished, this, [this](const QString& thread) {
        if (thread == m_parts.selection.thread())
            load();
    });
}

void ArtifactsFeed::coverFailures()
{
    const ArtifactsClient* client = &m_parts.clients.artifacts;
    auto* cover = new ErrorCover(m_panel);
    connect(cover, &ErrorCover::readAgain, this, &ArtifactsFeed::load);
    connect(client, &ArtifactsClient::artifactsFailed, cover, [cover](const UserError& error) {
        cover->showError(tr("The artifacts cannot be listed."), error.what);
    });
    connect(client, &ArtifactsClient::artifactsLoaded, cover, &QWidget::hide);
    connect(&m_parts.clients.project, &OpenProject::closing, cover, &QWidget::hide);
}

void ArtifactsFeed::load()
{
    if (m_panel.showsAllThreads())
        m_parts.clients.artifacts.loadArtifacts({});
    else if (m_parts.book.contains(m_parts.selection.thread()))
        m_parts.clients.artifacts.loadArtifacts(m_parts.selection.thread());
    else
        clear();
}

void ArtifactsFeed::clear()
{
    m_rows.clear();
    m_panel.clear();
    Q_EMIT m_panel.countChanged(0);
}

void ArtifactsFeed::show(const std::vector<ArtifactRow>& rows)
{
    const bool isOfAnother =
        !m_panel.showsAllThreads() && !rows.empty() && rows.front().thread != m_parts.selection.thread();
    if (isOfAnother) // it was left meanwhile
        return;
    m_rows = rows;
    m_panel.setArtifacts(rows);
    showMoment();
}

// The checkpoints before that one, on its branch, from which an artifact was made.
QSet<QString> ArtifactsFeed::madeBefore(const QString& checkpoint) const
{
    QSet<QString> asked;
    for (const ArtifactRow& artifact : m_rows)
        asked.insert(artifact.checkpoint);
    return m_parts.history.passedBefore(checkpoint, asked);
}

void ArtifactsFeed::showMoment()
{
    const QString& checkpoint = m_parts.selection.checkpoint();
    if (checkpoint.isEmpty()) {
        m_panel.setMoment(std::nullopt);
        Q_EMIT m_panel.countChanged(static_cast<int>(m_rows.size()));
        return;
    }
    const QSet<QString> path = madeBefore(checkpoint);
    Q_EMIT m_panel.countChanged(static_cast<int>(std::ranges::count_if(
        m_rows, [&path](const ArtifactRow& artifact) { return path.contains(artifact.checkpoint); })));
    m_panel.setMoment(ArtifactsPanel::Moment{ path, m_parts.history.stepOf(checkpoint) });
}

} // namespace sg::ui
