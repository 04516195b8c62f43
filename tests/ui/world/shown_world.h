#pragma once

#include "tests/support/window_style.h"
#include "ui/widgets/elided_label.h"
#include "ui/world/file_tree_model.h"
#include "ui/world/files_panel.h"
#include "ui/world/variable_model.h"
#include "ui/world/variables_panel.h"
#include "ui/world/world_frame.h"

#include <QTreeView>

namespace sg::test::shown {

using namespace sg::ui;

inline VariableRow variable(const QString& name, const QString& type, WorldChange change,
                            const QString& preview = {})
{
    VariableRow row;
    row.name = name;
    row.type = type;
    row.bytes = 1200;
    row.preview = preview;
    row.change = change;
    return row;
}

inline WorldFileRow file(const QString& path, WorldChange change, qint64 size = 100)
{
    WorldFileRow row;
    row.path = path;
    row.size = size;
    row.change = change;
    return row;
}

inline WorldView world()
{
    WorldView view;
    view.thread = QStringLiteral("main");
    view.checkpoint = QStringLiteral("c4");
    view.step = 4;
    view.wasUsed = true;
    view.mark = SandboxMark::Exact;
    view.variables = { variable(QStringLiteral("frame"), QStringLiteral("pandas.DataFrame"),
                                WorldChange::Changed, QStringLiteral("species, island, mass")),
                       variable(QStringLiteral("gone"), QStringLiteral("int"), WorldChange::Removed),
                       variable(QStringLiteral("rate"), QStringLiteral("float"), WorldChange::Same,
                                QStringLiteral("0.1")),
                       variable(QStringLiteral("walk"), QStringLiteral("generator"), WorldChange::Added) };
    view.variables.front().shape = QStringLiteral("344 × 7");
    view.variables.back().missing = QStringLiteral("TypeError: cannot pickle 'generator' object");
    view.files = { file(QStringLiteral("data/deep/a.csv"), WorldChange::Changed, 13000),
                   file(QStringLiteral("data/old.csv"), WorldChange::Same),
                   file(QStringLiteral("model.bin"), WorldChange::Added, 1200000),
                   file(QStringLiteral("notes.txt"), WorldChange::Removed) };
    WorldFileRow link = file(QStringLiteral("latest"), WorldChange::Same);
    link.type = WorldFileRow::Type::Link;
    link.target = QStringLiteral("data/deep/a.csv");
    view.files.push_back(link);
    return view;
}

inline QString momentOf(const QWidget& panel)
{
    return panel.findChild<QTreeView*>()->accessibleDescription();
}

inline QString noteOf(const QWidget& panel) // or the moment, where there is none
{
    QString words = panel.findChild<WorldFrame*>()->findChild<ElidedLabel*>()->fullText();
    return words.replace(QChar::Nbsp, QLatin1Char(' ')); // numbers keep their units
}

inline QStringList rowsOf(const QAbstractItemModel& model, const QModelIndex& parent = {})
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        rows << index.data(Qt::AccessibleTextRole).toString().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        rows << rowsOf(model, index);
    }
    return rows;
}

inline bool showsRows(const QWidget& panel)
{
    return panel.findChild<QTreeView*>()->isVisibleTo(&panel);
}

} // namespace sg::test::shown
