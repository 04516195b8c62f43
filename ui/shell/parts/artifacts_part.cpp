#include "ui/shell/parts/artifacts_part.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/bridge/clients.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/dock_layout.h"

#include <QDesktopServices>
#include <QUrl>

#include <algorithm>

namespace sg::ui {

ArtifactsPart::ArtifactsPart(const WindowParts& parts, ArtifactsPanel& artifacts)
    : WindowPart(parts)
    , m_artifacts(&artifacts)
{
    using Panel = ArtifactsPanel;
    connect(&m_clients->artifacts, &ArtifactsClient::artifactsLoaded, this, &ArtifactsPart::showArtifacts);
    connect(&m_clients->artifacts, &ArtifactsClient::artifactsAdded, this, [this](const QString& thread) {
        if (thread == m_selection->thread() || m_artifacts->showsAllThreads())
            load();
    });
    connect(m_artifacts, &Panel::previewRequested, &m_clients->artifacts, &ArtifactsClient::loadPreview);
    connect(m_artifacts, &Panel::pageRequested, &m_clients->artifacts, &ArtifactsClient::loadPage);
    connect(m_artifacts, &Panel::columnsShown, &m_clients->artifacts, &ArtifactsClient::loadColumnFacts);
    connect(&m_clients->artifacts, &ArtifactsClient::columnFactsLoaded, m_artifacts, &Panel::setColumnFacts);
    connect(m_artifacts, &Panel::compareRequested, &m_clients->artifacts, &ArtifactsClient::compareArtifacts);
    connect(m_artifacts, &Panel::thumbnailsWanted, &m_clients->artifacts, &ArtifactsClient::loadThumbnails);
    connect(m_artifacts, &Panel::stageRequested, &m_clients->artifacts, &ArtifactsClient::stageArtifacts);
    connect(m_artifacts, &Panel::stagedReleased, &m_clients->staging, &Staging::release);
    connect(m_artifacts, &Panel::exportRequested, &m_clients->artifacts, &ArtifactsClient::exportArtifacts);
    connect(m_artifacts, &Panel::verifyRequested, &m_clients->artifacts, &ArtifactsClient::verifyArtifacts);
    connect(m_artifacts, &Panel::outsideRequested, &m_clients->artifacts, &ArtifactsClient::openOutside);
    connect(m_artifacts, &Panel::scopeChanged, this, &ArtifactsPart::load);
    connect(m_artifacts, &Panel::momentRequested, this, [this](const ArtifactRow& artifact) {
        m_history->goToMadeFrom(artifact.thread, artifact.checkpoint);
    });
    connect(m_history, &ShownHistory::currentChanged, this, &ArtifactsPart::showMoment);
    connect(m_history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (!change.isLive())
            showMoment();
    });
    connect(m_selection, &Selection::threadChanged, this, [this](const QString& thread) {
        clear();
        if (m_book->contains(thread))
            load();
    });
    connect(m_parts.feed, &ClientFeed::readsAgain, this, [this] {
        if (m_book->contains(m_selection->thread()))
            load();
    });
    connect(&m_clients->runs, &RunsClient::runFinished, this, [this](const QString& thread) {
        if (thread == m_selection->thread())
            load();
    });
    connect(&m_clients->artifacts, &ArtifactsClient::previewLoaded, m_artifacts, &Panel::setPreview);
    connect(&m_clients->artifacts, &ArtifactsClient::thumbnailLoaded, m_artifacts, &Panel::setThumbnail);
    connect(&m_clients->artifacts, &ArtifactsClient::staged, m_artifacts, &Panel::setStaged);
    connect(&m_clients->artifacts, &ArtifactsClient::exported, m_artifacts, &Panel::setExported);
    connect(&m_clients->artifacts, &ArtifactsClient::verified, m_artifacts, &Panel::setVerified);
    connect(&m_clients->artifacts, &ArtifactsClient::readyOutside, this,
            [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
}

void ArtifactsPart::load()
{
    if (m_artifacts->showsAllThreads())
        m_clients->artifacts.loadArtifacts({});
    else if (m_book->contains(m_selection->thread()))
        m_clients->artifacts.loadArtifacts(m_selection->thread());
    else
        clear();
}

void ArtifactsPart::clear()
{
    m_rows.clear();
    m_artifacts->clear();
    showCount(0);
}

void ArtifactsPart::showArtifacts(const std::vector<ArtifactRow>& rows)
{
    const bool isOfAnother =
        !m_artifacts->showsAllThreads() && !rows.empty() && rows.front().thread != m_selection->thread();
    if (isOfAnother) // it was left meanwhile
        return;
    m_rows = rows;
    m_artifacts->setArtifacts(rows);
    showMoment(); // which of them were there by then
}

// The checkpoints before that one, on its branch, from which an artifact was made.
QSet<QString> ArtifactsPart::madeBefore(const QString& checkpoint) const
{
    QSet<QString> asked;
    for (const ArtifactRow& artifact : m_rows)
        asked.insert(artifact.checkpoint);
    return m_history->passedBefore(checkpoint, asked);
}

void ArtifactsPart::showMoment()
{
    const QString& checkpoint = m_selection->checkpoint();
    if (checkpoint.isEmpty()) {
        m_artifacts->setMoment(std::nullopt);
        showCount(m_rows.size());
        return;
    }
    const QSet<QString> path = madeBefore(checkpoint);
    showCount(static_cast<std::size_t>(std::ranges::count_if(
        m_rows, [&path](const ArtifactRow& artifact) { return path.contains(artifact.checkpoint); })));
    m_artifacts->setMoment(ArtifactsPanel::Moment{ path, m_history->stepOf(checkpoint) });
}

void ArtifactsPart::showCount(std::size_t count)
{
    m_docks->setCount(m_artifacts, static_cast<int>(count), Badge::Kind::Quiet);
}

} // namespace sg::ui
