#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/staging/staged_files.h"

#include <QListView>

#include <memory>
#include <vector>

class QTimer;

namespace sg::ui {

class ArtifactModel;
class FileMime;

// Artifacts as rows or cards, which can be dragged out and copied as files. The copies are made elsewhere:
// small ones are requested when a row is pressed, many or large ones when a drag begins. A drag begins
// without waiting for them.
class ArtifactList : public QListView {
    Q_OBJECT
public:
    explicit ArtifactList(ArtifactModel& model, QWidget* parent = nullptr);

    void setCards(bool cards);
    [[nodiscard]] bool showsCards() const { return flow() == LeftToRight; }
    [[nodiscard]] std::vector<ArtifactRow> selectedRows() const;
    void setCopyNames(const QString& pattern); // see copy_names.h
    [[nodiscard]] std::vector<ArtifactRow> rowsToCopy() const; // selected rows with the copies' names
    // The requested copies exist, or could not be made.
    void noteStaged(const std::shared_ptr<StagedFiles>& files);
    // Another view of the same rows tells that a row was pressed, so its copies may be needed.
    void notePressed();
    void copySelection(); // when the copies exist
    void dragSelection(QWidget& from);
    void askForThumbnails(); // for visible artifacts without a thumbnail

Q_SIGNALS:
    void stageRequested(const std::vector<sg::ui::ArtifactRow>& artifacts,
                        const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void thumbnailsWanted(const std::vector<sg::ui::ArtifactRow>& artifacts);
    void dragging(bool begins);
    void copied(int files);
    // Another program waits for the copies, which blocks this one; `isOver` means that the wait has ended.
    void waitedFor(const sg::ui::StagedFiles& files, bool isOver);
    void chosenByUser();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void startDrag(Qt::DropActions actions) override;

private:
    [[nodiscard]] QStringList selectedIds() const;
    [[nodiscard]] bool isStagedFor(const QStringList& ids) const; // exists or is being made
    void stage();
    void release(bool mayBeInUse);
    void copy();
    [[nodiscard]] FileMime* offer(const std::vector<ArtifactRow>& rows);
    void fitCards();

    ArtifactModel& m_model;
    QTimer* m_settle; // delays requests for thumbnails until scrolling stops
    bool m_copies = false; // copy to the clipboard when the copies exist
    QString m_copyNames;
    QStringList m_stagedIds;
    std::shared_ptr<StagedFiles> m_staged; // shared with the thread that copies
    std::shared_ptr<StagedFiles> m_onClipboard;
};

} // namespace sg::ui
