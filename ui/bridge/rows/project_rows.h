#pragma once

#include "core/base/word.h"
#include "core/graph/graph.h"
#include "ui/bridge/rows/rows.h"

#include <QString>
#include <QStringList>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::ui {

// A template that a new project can begin with.
struct TemplateRow {
    QString id;
    QString title; // "Python", or an example's name
    QString facts; // "3 Python nodes, branches"
    QString description; // sentences; may be empty
    bool isExample = false;
    graph::Graph graph;
};

struct TemplateRows {
    std::vector<TemplateRow> templates; // plain ones first
    QString freeName; // that no folder of the place has
};

// The place of a new project.
struct NewPlaceRow {
    QStringList made; // folders that would be made, the uppermost first
    UserError error; // `what` empty: it can stand there
};

// A project that was open before, by its path.
struct RecentRow {
    enum class Kind { Project, Database, ReadOnly };
    QString path;
    QString name;
    Kind kind = Kind::Project;
    double openedMs = 0; // since 1970; 0: not known
};

// The names in this user's settings, which have none for a project.
constexpr auto namesOf(RecentRow::Kind)
{
    using Kind = RecentRow::Kind;
    return std::to_array<std::pair<Kind, std::string_view>>({
        { Kind::Project, "" },
        { Kind::Database, "database" },
        { Kind::ReadOnly, "read-only" },
    });
}

// The packages that the Python of local sandboxes has, or would have if it were built.
struct RuntimeRow {
    enum class State { Unknown, Ready, Missing, Preparing };
    State state = State::Unknown;
    QStringList packages; // modules, those that people know first
    int percent = 0; // of Preparing
    QString step; // of Preparing: "pandas 2.2.2"
};

} // namespace sg::ui
