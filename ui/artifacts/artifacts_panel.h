#pragma once

#include "ui/bridge/rows.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace sg::ui {

// The files that the thread's sessions left: list, preview, export, drag out (copies only, under their right
// names).
class ArtifactsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ArtifactsPanel(QWidget* parent = nullptr);

    void clear();
    void setArtifacts(const std::vector<ArtifactRow>& rows); // newest first
    void setPreview(const ArtifactPreview& preview); // of another artifact than the selected one: ignored
    void setStaged(const QStringList& files, const UserError& error); // answer to stageRequested
    void setExported(const QStringList& files, const UserError& error);

Q_SIGNALS:
    void previewRequested(const sg::ui::ArtifactRow& artifact);
    void stageRequested(const std::vector<sg::ui::ArtifactRow>& artifacts);
    void exportRequested(const std::vector<sg::ui::ArtifactRow>& artifacts, const QString& folder);

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
