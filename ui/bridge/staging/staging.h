#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/staging/staged_files.h"

#include <QStringList>

#include <memory>

namespace sg::ui {

// "2 of 5 files were not copied: a.png: …"; nothing where all were.
UserError notCopied(const QStringList& problems, qsizetype files);

// Where copies for drags lie, mode 0700: in the login's own folder, which is small and in memory, much or
// what is not known (-1 bytes) in the cache. Empty: why not, in `problem`.
QString newDragFolder(qint64 bytes, QString& problem);

// Folders with copies for drags and for other programs. They are made one after the other, so that the
// answers come in the order of the questions. At the end no folder is left that no program may be reading.
class Staging : public Client {
public:
    explicit Staging(OpenProject& project);
    ~Staging() override;

    QString newFolder(qint64 bytes, QString& problem);
    // `copy`: a blocking function of the workbench that gives the files, with an error for those that could
    // not be made; it ends soon where `files` are given up. Each request is answered once.
    template<typename Copy, typename Done>
    void copy(const std::shared_ptr<StagedFiles>& files, Copy copy, Done done)
    {
        askAlways(
            m_line,
            [files, copy = std::move(copy)](workbench::Workbench& workbench) {
                const Answer<QStringList> answer = copy(workbench);
                files->finish(answer.value, answer.error.what);
                return answer.error;
            },
            std::move(done));
    }
    // Of no use any more: removed at once, or in ten minutes where another program may still be reading.
    void release(const std::shared_ptr<StagedFiles>& files, bool mayBeInUse);

private:
    QThreadPool m_line;
    QStringList m_folders; // of files that no program may be reading
};

} // namespace sg::ui
