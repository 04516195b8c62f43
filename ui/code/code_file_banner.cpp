#include "ui/code/code_file_banner.h"

#include "ui/code/code_files.h"

#include <QPushButton>

namespace sg::ui {

CodeFileBanner::CodeFileBanner(CodeFiles& files, QWidget* parent)
    : Banner(parent)
    , m_files(files)
{
}

void CodeFileBanner::showState(const QString& file)
{
    clearActions();
    hide();
    if (file.isEmpty())
        return;
    CodeFiles* files = &m_files;
    switch (m_files.state(file)) {
    case CodeFiles::State::Reading:
    case CodeFiles::State::Ready: return;
    case CodeFiles::State::Refused: showMessage(Kind::Warning, m_files.fault(file).what); return;
    case CodeFiles::State::Recoverable:
        showMessage(Kind::Info, tr("**Edits that were not saved were found.**"));
        connect(addButton(tr("Recover")), &QPushButton::clicked, files,
                [files, file] { files->recover(file); });
        connect(addLink(tr("Discard")), &QPushButton::clicked, files, [files, file] { files->forget(file); });
        return;
    case CodeFiles::State::Conflicted:
        showMessage(Kind::Warning, tr("**Changed by another program** while it was edited here."));
        connect(addButton(tr("Keep mine")), &QPushButton::clicked, files,
                [files, file] { files->keepMine(file); });
        connect(addLink(tr("Take the file's")), &QPushButton::clicked, files,
                [files, file] { files->takeTheirs(file); });
        return;
    }
}

} // namespace sg::ui
