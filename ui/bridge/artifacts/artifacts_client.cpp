#include "ui/bridge/artifacts/artifacts_client.h"

#include "ui/bridge/artifacts/artifact_query.h"
#include "ui/bridge/previews/artifact_preview.h"
#include "ui/bridge/sessions/sessions_client.h"
#include "ui/bridge/staging/staging.h"

namespace sg::ui {

// The previewer refers to the workbench, and both may take long to end, so they are retired together.
struct ArtifactsClient::Previews {
    explicit Previews(std::shared_ptr<workbench::Workbench> of)
        : workbench(std::move(of))
        , previewer(*workbench)
    {
    }
    const std::shared_ptr<workbench::Workbench> workbench;
    ArtifactPreviewer previewer;
    std::stop_source closing; // ends what waits for a bucket
};

ArtifactsClient::ArtifactsClient(OpenProject& project, SessionsClient& sessions, Staging& staging)
    : Client(project)
    , m_staging(staging)
    , m_list(*this)
    , m_preview(*this)
    , m_facts(*this)
{
    m_pictures.setMaxThreadCount(1);
    connect(&access().live(), &LiveEvents::artifactsAdded, this, &ArtifactsClient::artifactsAdded);
    connect(&sessions, &SessionsClient::cellEnded, this, [this](const QString& thread, const CellEnd& end) {
        if (end.artifacts > 0)
            Q_EMIT artifactsAdded(thread);
    });
    connect(&project, &OpenProject::closing, this, [this] { endWaits(); });
    connect(&project, &OpenProject::opened, this, [this] {
        m_pictures.clear();
        access().retire(std::exchange(m_previews, std::make_shared<Previews>(access().workbench())));
    });
}

ArtifactsClient::~ArtifactsClient()
{
    m_pictures.clear();
    m_pictures.waitForDone();
    endWaits();
    access().retire(std::move(m_previews));
}

void ArtifactsClient::endWaits()
{
    if (m_previews)
        m_previews->closing.request_stop();
}

void ArtifactsClient::loadArtifacts(const QString& thread)
{
    m_list.ask(
        readers(), [thread](workbench::Workbench& workbench) { return readArtifacts(workbench, thread); },
        [this](const Answer<std::vector<ArtifactRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT artifactsLoaded(answer.value);
            else
                Q_EMIT artifactsFailed(answer.error);
        });
}

template<typename Work>
void ArtifactsClient::askPreview(Work work)
{
    m_preview.ask(
        slow(),
        [previews = m_previews, work = std::move(work)](workbench::Workbench&, const std::stop_token& stop) {
            return work(previews->previewer, stop);
        },
        [this](const ArtifactPreview& preview) { Q_EMIT previewLoaded(preview); });
}

void ArtifactsClient::loadPreview(const ArtifactRow& artifact)
{
    m_facts.cancel(); // drops the facts of the previous artifact
    askPreview([artifact](ArtifactPreviewer& previewer, const std::stop_token& stop) {
        return previewer.make(artifact, stop);
    });
}

void ArtifactsClient::loadDocument(const ArtifactRow& artifact)
{
    ask(
        slow(),
        [previews = m_previews, artifact] {
            return previews->previewer.make(artifact, previews->closing.get_token());
        },
        [this](const ArtifactPreview& preview) { Q_EMIT previewLoaded(preview); });
}

void ArtifactsClient::loadPage(const ArtifactRow& artifact, qint64 row, const TableOrder& order)
{
    askPreview([artifact, row, order](ArtifactPreviewer& previewer, const std::stop_token&) {
        return previewer.page(artifact, row, order);
    });
}

void ArtifactsClient::loadColumnFacts(const ArtifactRow& artifact, int columns)
{
    loadFactsOf(artifact, 0, columns);
}

// Asks for one column at a time, so that requests for pages can come between.
void ArtifactsClient::loadFactsOf(const ArtifactRow& artifact, int column, int columns)
{
    if (column >= columns)
        return;
    m_facts.ask(
        slow(),
        [previews = m_previews, artifact, column] { return previews->previewer.facts(artifact, column); },
        [this, artifact, column, columns](const ColumnFacts& facts) {
            const std::stop_token asked = m_facts.token();
            Q_EMIT columnFactsLoaded(facts);
            if (asked == m_facts.token() && !asked.stop_requested())
                loadFactsOf(artifact, column + 1, columns);
        });
}

void ArtifactsClient::compareArtifacts(const ArtifactRow& older, const ArtifactRow& newer)
{
    askPreview([older, newer](ArtifactPreviewer& previewer, const std::stop_token&) {
        return previewer.compare(older, newer);
    });
}

void ArtifactsClient::loadThumbnails(const std::vector<ArtifactRow>& artifacts)
{
    m_pictures.clear(); // visible thumbnails come first
    for (const ArtifactRow& artifact : artifacts)
        ask(
            m_pictures, [artifact] { return ArtifactPreviewer::thumbnail(artifact); },
            [this](const ArtifactThumbnail& thumbnail) { Q_EMIT thumbnailLoaded(thumbnail); });
}

void ArtifactsClient::stageArtifacts(const std::vector<ArtifactRow>& artifacts,
                                     const std::shared_ptr<StagedFiles>& files)
{
    QString problem = tr("No project is open: nothing was copied.");
    qint64 bytes = 0;
    for (const ArtifactRow& artifact : artifacts)
        bytes += artifact.size;
    const QString folder = isOpen() ? m_staging.newFolder(bytes, problem) : QString();
    if (folder.isEmpty()) {
        files->finish({}, problem);
        Q_EMIT staged(files, { problem, {} });
        return;
    }
    files->begin(folder, bytes);
    m_staging.copy(
        files,
        [artifacts, folder, files](workbench::Workbench& workbench) {
            return copyArtifacts(workbench, artifacts, folder, files.get());
        },
        [this, files](const UserError& error) { Q_EMIT staged(files, error); });
}

void ArtifactsClient::exportArtifacts(const std::vector<ArtifactRow>& artifacts, const QString& folder)
{
    ask(
        slow(),
        [artifacts, folder](workbench::Workbench& workbench) {
            return copyArtifacts(workbench, artifacts, folder);
        },
        [this](const Answer<QStringList>& answer) { Q_EMIT exported(answer.value, answer.error); });
}

void ArtifactsClient::verifyArtifacts(const std::vector<ArtifactRow>& artifacts)
{
    ask(
        slow(),
        [artifacts](workbench::Workbench& workbench) {
            return sg::ui::verifyArtifacts(workbench, artifacts);
        },
        [this](const Answer<int>& answer) { Q_EMIT verified(answer.value, answer.error); });
}

void ArtifactsClient::openOutside(const ArtifactRow& artifact)
{
    if (!isOpen())
        return;
    QString problem;
    const QString folder = m_staging.newFolder(artifact.size, problem); // it exists as long as the window
    if (folder.isEmpty()) {
        fail({ problem, {} });
        return;
    }
    ask(
        slow(),
        [artifact, folder](workbench::Workbench& workbench) {
            return copyArtifacts(workbench, { artifact }, folder);
        },
        [this](const Answer<QStringList>& answer) {
            if (answer.error.what.isEmpty() && !answer.value.isEmpty())
                Q_EMIT readyOutside(answer.value.front());
            else
                fail(answer.error);
        });
}

} // namespace sg::ui
