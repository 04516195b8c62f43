#pragma once

#include "core/projects/new_project.h"
#include "ui/bridge/rows/project_rows.h"
#include "ui/bridge/rows/row_conversion.h"

#include <filesystem>

// The templates that ship, as the window shows them.
namespace sg::test {

inline ui::TemplateRows shippedTemplates(const QString& freeName = {})
{
    const std::filesystem::path resources = std::filesystem::path(SG_SOURCE_DIR) / "resources";
    ui::TemplateRows rows;
    rows.freeName = freeName;
    for (projects::Template& each :
         projects::projectTemplates({ resources / "templates", resources / "examples" }))
        rows.templates.push_back({ ui::text(each.id), ui::text(each.id), ui::text(each.facts),
                                   ui::text(each.description), each.kind == projects::Template::Kind::Example,
                                   std::move(each.graph) });
    return rows;
}

} // namespace sg::test
