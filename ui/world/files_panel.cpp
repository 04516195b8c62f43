#include "ui/world/files_panel.h"

#include "ui/widgets/fonts.h"
#include "ui/world/file_tree_model.h"
#include "ui/world/world_frame.h"

#include <QHeaderView>
#include <QVBoxLayout>

namespace sg::ui {
namespace {

constexpr int kMostExpanded = 40;

// Folders in which something changed stand open.
void expandChanges(QTreeView& view, const QModelIndex& parent, int& budget)
{
    const QAbstractItemModel& model = *view.model();
    for (int row = 0; row < model.rowCount(parent) && budget > 0; ++row) {
        const QModelIndex index = model.index(row, FileTreeModel::NameColumn, parent);
        if (index.data(FileTreeModel::ChangesBeneathRole).toInt() == 0)
            continue;
        --budget;
        view.expand(index);
        expandChanges(view, index, budget);
    }
}

} // namespace

FilesPanel::FilesPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new FileTreeModel(this))
    , m_frame(new WorldFrame({ tr("Files"), tr("Filter files"), QLatin1String("folder"),
                               tr("The files that the session had at the selected step appear here.") },
                             m_model, FileTreeModel::PathRole, this))
{
    setAccessibleName(tr("Files"));
    QTreeView& view = m_frame->view();
    view.setObjectName(QStringLiteral("filesView"));
    view.header()->resizeSection(FileTreeModel::NameColumn, scaledLength(300));
    view.header()->resizeSection(FileTreeModel::SizeColumn, scaledLength(90));
    connect(m_frame, &WorldFrame::filtered, this, [this] { m_frame->view().expandAll(); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_frame);
}

void FilesPanel::clear()
{
    m_model->reset({});
    m_frame->clear();
}

void FilesPanel::setWorld(const WorldView& world)
{
    m_model->reset(world.files);
    m_frame->show(world, world.filesProblem, tr("The session's folder was empty."));
    int budget = kMostExpanded;
    expandChanges(m_frame->view(), {}, budget);
    std::vector<WorldChange> changes;
    for (const WorldFileRow& row : world.files)
        if (row.type != WorldFileRow::Type::Folder)
            changes.push_back(row.change);
    if (world.wasUsed)
        m_frame->showMoment(momentWords(world, changes));
}

} // namespace sg::ui
