#pragma once

#include "ui/bridge/rows.h"

#include <QListView>
#include <QPixmap>

#include <vector>

namespace sg::ui {

class ArtifactModel;

// Artifacts, one row each, that can be dragged out and copied as files. The files come from outside: the list
// asks for them when a row is pressed, so that they are there when the drag begins; many or large ones when
// it begins.
class ArtifactList : public QListView {
    Q_OBJECT
public:
    explicit ArtifactList(ArtifactModel& model, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<ArtifactRow> selectedRows() const;
    void setStaged(const QStringList& files); // answer to stageRequested; empty: it failed
    void setThumbnail(const QString& artifact, const QPixmap& picture); // for the picture under the pointer
    [[nodiscard]] bool isStaging() const { return m_outstanding > 0; }

Q_SIGNALS:
    void stageRequested(const std::vector<sg::ui::ArtifactRow>& artifacts);
    void copied(int files);
    void chosenByUser();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void startDrag(Qt::DropActions actions) override;

private:
    enum class Wish { None, Drag, Copy };
    [[nodiscard]] QStringList selectedIds() const;
    [[nodiscard]] bool isStagedFor(const QStringList& ids) const;
    [[nodiscard]] bool areCopiesOf(const QStringList& files, const QStringList& ids) const;
    void stage();
    void fulfil(Wish wish);
    void runDrag();

    ArtifactModel& m_model;
    Wish m_wish = Wish::None;
    int m_outstanding = 0;
    QStringList m_requested; // ids of the last request
    QStringList m_stagedIds;
    QStringList m_files;
    QString m_thumbnailOf;
    QPixmap m_thumbnail;
};

} // namespace sg::ui
