#pragma once

#include "core/base/ids.h"
#include "ui/shell/parts/window_part.h"

#include <QMap>

#include <functional>
#include <vector>

class QPoint;

namespace sg::ui {

class FilesPanel;

// When a data file is dropped on a node, shows a list of what the file can be there.
class DroppedData : public WindowPart {
    Q_OBJECT
public:
    DroppedData(const WindowParts& parts, FilesPanel& files);

private:
    struct Offer {
        QString words;
        QString whyNot; // empty: it can be chosen
        std::function<void()> take;
    };
    [[nodiscard]] std::vector<Offer> offers(const NodeId& node, const QString& file);
    void ask(const NodeId& node, const QString& file, const QPoint& at);
    // Does something with the file's name in the project's folder of data; a file from elsewhere is copied
    // there first.
    void withDataset(const QString& file, const std::function<void(const QString& name)>& use);
    [[nodiscard]] Offer pathInCode(const NodeId& node, const QString& codeFile, const QString& file);
    void writePath(const QString& codeFile, const QString& path);
    [[nodiscard]] QString folderOfData() const; // in sessions; empty: they see none
    [[nodiscard]] bool hasLiveSession() const;

    FilesPanel* const m_files;
    std::vector<SessionRow> m_sessions;
    std::function<void(const QString& name)> m_use; // of the file that is copied
    QMap<QString, QString> m_later; // paths for code files that are being read
};

} // namespace sg::ui
