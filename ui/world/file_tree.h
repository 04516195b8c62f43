#pragma once

#include "ui/bridge/staging/staged_files.h"

#include <QTreeView>

#include <memory>
#include <vector>

namespace sg::ui {

class FileMime;

// Files of a session that can be dragged out and copied as files, folders as wholes. The copies are made
// elsewhere and waited for by whoever wants them.
class FileTree : public QTreeView {
    Q_OBJECT
public:
    using QTreeView::QTreeView;

    // Chosen files, and those beneath chosen folders; what is removed or no file cannot be taken.
    [[nodiscard]] std::vector<WantedFile> selectedFiles() const;
    [[nodiscard]] QStringList selectedPaths() const; // as they were chosen
    void copy(); // to the clipboard, as files

Q_SIGNALS:
    void stageRequested(const std::vector<sg::ui::WantedFile>& wanted,
                        const std::shared_ptr<sg::ui::StagedFiles>& files);
    void stagedReleased(const std::shared_ptr<sg::ui::StagedFiles>& files, bool mayBeInUse);
    void copied(int files);
    // It hangs under the pointer, and null: it does not any more.
    void dragging(const std::shared_ptr<sg::ui::StagedFiles>& files);
    void waitedFor(const sg::ui::StagedFiles& files, bool isOver); // by a program, with this one's events

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
