#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/table_rows.h"
#include "ui/bridge/staging/staged_files.h"

#include <QSet>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace sg::ui {

class ArtifactsFeed;
struct PanelParts;

// The files that sessions made: cards, rows or a table, filter, preview, versions, export, and dragging out
// copies.
class ArtifactsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ArtifactsPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit ArtifactsPanel(QWidget* parent = nullptr); // shows what it is given

    // The viewed checkpoint: only artifacts that existed then are listed. `path` has the checkpoints before
    // it on its branch. nullopt is the head and lists all.
    struct Moment {
        QSet<QString> path;
        int step = 0;
    };
    void clear();
    void setMoment(const std::optional<Moment>& moment);
    void setArtifacts(const std::vector<ArtifactRow>& rows); // newest first
    void choose(const QString& artifact); // by its id; where it is not listed, the choice is the first
    [[nodiscard]] bool showsAllThreads() const;
    void setColumnFacts(const ColumnFacts& facts); // answers columnsShown(), column by column
    void setPreview(const ArtifactPreview& preview); // ignored if it is not of the selected artifact
    void setThumbnail(const ArtifactThumbnail& thumbnail);
    void setStaged(const std::shared_ptr<StagedFiles>& files, const UserError& error);
    void setExported(const QStringList& files, const UserError& error);
    void setVerified(int contents, const UserError& error);
    [[nodiscard]] const std::vector<ArtifactRow>& read() const; // what was read last, of the past, too

Q_SIGNALS:
    void previewRequested(const sg::ui::ArtifactRow& artifact);
    void pageRequested(const sg::ui::ArtifactRow& artifact, qint64 row, const sg::ui::TableOrder& order);
    void columnsShown(const sg::ui::ArtifactRow& artifact, int columns);
    void compareRequested(const sg::ui::ArtifactRow& older, const sg::ui::ArtifactRow& newer);
    void thumbnailsWanted(const std::vector<sg::ui::ArtifactRow>& artifacts);
    void stageRequested(const std::vector<sg::ui::ArtifactRow>& artifacts,
                        const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void exportRequested(const std::vector<sg::ui::ArtifactRow>& artifacts, const QString& folder);
    void verifyRequested(const std::vector<sg::ui::ArtifactRow>& artifacts);
    void outsideRequested(const sg::ui::ArtifactRow& artifact);
    void documentRequested(const sg::ui::ArtifactRow& artifact); // by Enter or a double click
    void momentRequested(const sg::ui::ArtifactRow& artifact);
    void logRequested(const sg::ui::ArtifactRow& artifact); // what its node said in that step
    void scopeChanged(bool allThreads);
    void countChanged(int count); // of those that were there at the selected checkpoint

private:
    struct Impl;
    Impl* m_impl; // a child
    ArtifactsFeed* m_feed = nullptr; // a child; null: the panel shows what it is given
};

} // namespace sg::ui
