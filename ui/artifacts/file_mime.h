#pragma once

#include "ui/bridge/rows.h"
#include "ui/bridge/staged_files.h"

#include <QMimeData>

#include <memory>
#include <vector>

namespace sg::ui {

inline constexpr const char* kArtifactFormat = "application/x-workbench-artifact"; // ids, a line each

// Artifacts as other programs take them from a drag or the clipboard: URLs of copies, and what file managers
// of GNOME want besides so that pasting copies. Says at once what it offers; the target decides when to ask,
// and waits then until the copies are there.
class FileMime : public QMimeData {
    Q_OBJECT
public:
    FileMime(std::shared_ptr<StagedFiles> files, const std::vector<ArtifactRow>& artifacts);

    [[nodiscard]] QStringList formats() const override;
    [[nodiscard]] bool hasFormat(const QString& format) const override;

protected:
    [[nodiscard]] QVariant retrieveData(const QString& format, QMetaType type) const override;

private:
    std::shared_ptr<StagedFiles> m_files; // shared with the thread that copies
    QByteArray m_ids;
    bool m_isImage = false; // a single PNG: also as a picture
};

} // namespace sg::ui
