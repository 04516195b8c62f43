#include "ui/world/variables_panel.h"

#include "ui/bridge/clients.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/world/variable_model.h"
#include "ui/world/world_frame.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

VariablesPanel::VariablesPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new VariableModel(this))
    , m_frame(new WorldFrame({ tr("Variables"), tr("Filter names"), QLatin1String("list"),
                               tr("The names that the session had at the selected step appear here.") },
                             m_model, Qt::DisplayRole, new QTreeView, this))
{
    setAccessibleName(tr("Variables"));
    QTreeView& view = m_frame->view();
    view.setObjectName(QStringLiteral("variablesView"));
    view.setRootIsDecorated(false);
    const int widths[] = { 150, 130, 90, 80 };
    for (int column = 0; column < VariableModel::ValueColumn; ++column)
        view.header()->resizeSection(column, scaledLength(widths[column]));
    connect(m_frame, &WorldFrame::sessionChosen, this, &VariablesPanel::sessionChosen);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_frame);
}

VariablesPanel::VariablesPanel(const PanelParts& parts, QWidget* parent)
    : VariablesPanel(parent)
{
    connect(&parts.clients.world, &WorldClient::worldLoaded, this,
            [this, selection = &parts.selection](const WorldView& world) {
                if (world.thread == selection->thread())
                    setWorld(world);
            });
}

void VariablesPanel::clear()
{
    m_model->reset({});
    m_frame->clear();
}

void VariablesPanel::setWorld(const WorldView& world)
{
    m_model->reset(world.variables);
    m_frame->show(world,
                  world.variablesProblem.isEmpty()
                      ? QString()
                      : tr("The names of this checkpoint are not known: %1.").arg(world.variablesProblem),
                  tr("The session had no names yet."));
    std::vector<WorldChange> changes;
    for (const VariableRow& row : world.variables)
        changes.push_back(row.change);
    const auto listed = static_cast<qint64>(changes.size())
        - static_cast<qint64>(std::ranges::count(changes, WorldChange::Removed));
    const QString words = momentWords(world, changes);
    if (world.wasUsed)
        m_frame->showMoment(
            world.names > listed
                ? tr("%1; the first %2 of %3 names").arg(words, formatCount(listed), formatCount(world.names))
                : words);
}

} // namespace sg::ui
