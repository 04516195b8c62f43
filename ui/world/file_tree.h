#pragma once

#include "ui/bridge/staging/staged_files.h"

#include <QTreeView>

#include <memory>
#include <vector>

namespace sg::ui {

class FileMime;

// Files of a session, which can be dragged out and copied as files, also whole folders. The copies are made
// elsewhere; the receiving program waits for them.
class FileTree : public QTreeView {
    Q_OBJECT
public:
    using QTreeView::QTreeView;

    // Selected files and all files in selected folders, except removed files and entries that are no files.
    [[nodiscard]] std::vector<WantedFile> selectedFiles() const;
    [[nodiscard]] QStringList selectedPaths() const; // the selected rows themselves
    void copy(); // to the clipboard, as files

Q_SIGNALS:
    void stageRequested(const std::vector<sg::ui::WantedFile>& wanted,
                        const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void copied(int files);
    // The copies of a drag that begins; null when it ends.
    void dragging(const std::shared_ptr<sg::ui::StagedFiles>& files);
    void waitedFor(const sg::ui::StagedFiles& files, bool isOver); // another program waits

protected:
    void startDrag(Qt::DropActions actions) override;
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] FileMime* offer(const std::shared_ptr<StagedFiles>& files);
    void add(const QModelIndex& index, const QString& into, std::vector<WantedFile>& files) const;

    std::shared_ptr<StagedFiles> m_onClipboard; // shared with the thread that copies
};

} // namespace sg::ui
