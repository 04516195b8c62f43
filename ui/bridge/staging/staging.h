#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/staging/staged_files.h"

#include <QStringList>

#include <memory>

namespace sg::ui {

// "2 of 5 files were not copied: a.png: …"; empty if all were.
UserError notCopied(const QStringList& problems, qsizetype files);

// Makes a folder for a drag's copies, mode 0700. Small copies go to the login's runtime folder, which is in
// memory, large ones and those of unknown size (-1 bytes) to the cache. If empty, `problem` says why.
QString newDragFolder(qint64 bytes, QString& problem);

// Makes folders with copies for drags and other programs, one after the other, so that answers come in the
// order of the requests. The destructor removes folders that no other program may be reading.
class Staging : public Client {
public:
    explicit Staging(OpenProject& project);
    ~Staging() override;

    QString newFolder(qint64 bytes, QString& problem);
    // `copy` is a blocking function of the workbench that returns the files, with an error for those that
    // failed; it must end soon after `files` are given up. Each request is answered once.
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
    // Removes copies that are not needed any more, at once or, if another program may read them, in ten
    // minutes.
    void release(const std::shared_ptr<StagedFiles>& files, bool mayBeInUse);

private:
    QThreadPool m_line;
    QStringList m_folders; // of copies that no other program may be reading
};

} // namespace sg::ui
