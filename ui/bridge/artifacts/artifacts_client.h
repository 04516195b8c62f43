#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/table_rows.h"
#include "ui/bridge/staging/staged_files.h"

#include <memory>
#include <vector>

namespace sg::ui {

class ArtifactPreviewer;
class SessionsClient;
class Staging;

// Lists the project's artifacts, previews them and copies them out.
class ArtifactsClient : public Client {
    Q_OBJECT
public:
    ArtifactsClient(OpenProject& project, SessionsClient& sessions, Staging& staging);
    ~ArtifactsClient() override;

    void loadArtifacts(const QString& thread); // empty means all threads
    // The newest request of this, loadPage() and compareArtifacts() wins.
    void loadPreview(const ArtifactRow& artifact);
    void loadPage(const ArtifactRow& artifact, qint64 row, const TableOrder& order); // of a table
    void loadDocument(const ArtifactRow& artifact); // its preview, whatever else is asked meanwhile
    // Asks for one column after the other, up to `columns`; the next loadPreview() drops the rest.
    void loadColumnFacts(const ArtifactRow& artifact, int columns);
    void compareArtifacts(const ArtifactRow& older, const ArtifactRow& newer);
    void loadThumbnails(const std::vector<ArtifactRow>& artifacts); // each comes as soon as it is made
    // Makes verified copies with their names in a new folder. Each request is answered once, in order.
    void stageArtifacts(const std::vector<ArtifactRow>& artifacts,
                        const std::shared_ptr<StagedFiles>& staged);
    void exportArtifacts(const std::vector<ArtifactRow>& artifacts, const QString& folder);
    void verifyArtifacts(const std::vector<ArtifactRow>& artifacts);
    void openOutside(const ArtifactRow& artifact); // a copy, opened with the desktop's program

Q_SIGNALS:
    void artifactsLoaded(const std::vector<sg::ui::ArtifactRow>& rows);
    void artifactsFailed(const sg::ui::UserError& error);
    void artifactsAdded(const QString& thread); // by a run or a cell of this window
    void previewLoaded(const sg::ui::ArtifactPreview& preview);
    void thumbnailLoaded(const sg::ui::ArtifactThumbnail& thumbnail);
    void columnFactsLoaded(const sg::ui::ColumnFacts& facts);
    void staged(const std::shared_ptr<sg::ui::StagedFiles>& files, const sg::ui::UserError& error);
    void exported(const QStringList& files, const sg::ui::UserError& error);
    void verified(int contents, const sg::ui::UserError& error);
    void readyOutside(const QString& file);

private:
    template<typename Work>
    void askPreview(Work work);
    void endWaits();
    void loadFactsOf(const ArtifactRow& artifact, int column, int columns);

    struct Previews;
    Staging& m_staging;
    std::shared_ptr<Previews> m_previews; // of the open project
    Latest m_list;
    Latest m_preview;
    Latest m_facts;
    QThreadPool m_pictures; // thumbnails, apart from all other work
};

} // namespace sg::ui
