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

// Artifacts as rows or as cards, that can be dragged out and copied as files. The copies are made elsewhere:
// small ones are asked for when a row is pressed, many or large ones when the drag begins, which waits for
// none of them.
class ArtifactList : public QListView {
    Q_OBJECT
public:
    explicit ArtifactList(ArtifactModel& model, QWidget* parent = nullptr);

    void setCards(bool cards);
    [[nodiscard]] bool showsCards() const { return flow() == LeftToRight; }
    [[nodiscard]] std::vector<ArtifactRow> selectedRows() const;
    void setCopyNames(const QString& pattern); // see copy_names.h
    [[nodiscard]] std::vector<ArtifactRow> rowsToCopy() const; // the same, `name` as the copies have it
    // Copies that were asked for are there, or could not be made.
    void noteStaged(const std::shared_ptr<StagedFiles>& files);
    // What another view of the same rows leaves to this one: a row was pressed there, its copies may be
    // wanted.
    void notePressed();
    void copySelection(); // to the clipboard, once the copies are there
    void dragSelection(QWidget& from);
    void askForThumbnails(); // of what is in sight and has none

Q_SIGNALS:
    void stageRequested(const std::vector<sg::ui::ArtifactRow>& artifacts,
                        const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void thumbnailsWanted(const std::vector<sg::ui::ArtifactRow>& artifacts);
    void dragging(bool begins);
    void copied(int files);
    // A program waits for copies, and this one stands still; `isOver`: it got them, or nothing.
    void waitedFor(const sg::ui::StagedFiles& files, bool isOver);
    void chosenByUser();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void startDrag(Qt::DropActions actions) override;

private:
    [[nodiscard]] QStringList selectedIds() const;
    [[nodiscard]] bool isStagedFor(const QStringList& ids) const; // or it is under way
    void stage();
    void release(bool mayBeInUse);
    void copy();
    [[nodiscard]] FileMime* offer(const std::vector<ArtifactRow>& rows);
    void fitCards();

    ArtifactModel& m_model;
    QTimer* m_settle; // scrolling asks for no pictures on the way
    bool m_copies = false; // once the copies are there
    QString m_copyNames;
    QStringList m_stagedIds;
    std::shared_ptr<StagedFiles> m_staged; // shared with the thread that copies
    std::shared_ptr<StagedFiles> m_onClipboard;
};

} // namespace sg::ui
