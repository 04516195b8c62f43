#include "ui/bridge/projects/projects_client.h"

#include "core/projects/new_project.h"
#include "ui/bridge/open/project_query.h"
#include "ui/bridge/rows/row_conversion.h"

namespace sg::ui {
namespace {

projects::TemplateFolders templateFolders()
{
    const config::RuntimePaths runtime = config::locateRuntime();
    return { runtime.templates, runtime.examples };
}

// The plain ones have ids of the command line.
QString titleOf(const projects::Template& from)
{
    if (from.kind == projects::Template::Kind::Example)
        return text(from.id);
    if (from.id == "empty")
        return QObject::tr("Empty");
    if (from.id == "python")
        return QObject::tr("Python");
    if (from.id == "approval")
        return QObject::tr("Approval");
    return from.id == "fan-out" ? QObject::tr("Fan-out") : text(from.id);
}

TemplateRow rowOf(projects::Template&& from)
{
    TemplateRow row;
    row.id = text(from.id);
    row.title = titleOf(from);
    row.facts = text(from.facts);
    row.description = text(from.description);
    row.isExample = from.kind == projects::Template::Kind::Example;
    row.graph = std::move(from.graph);
    return row;
}

} // namespace

void ProjectsClient::loadTemplates(const QString& parent, const QString& name)
{
    askOutside(
        readers(),
        [parent, name] {
            TemplateRows rows;
            for (projects::Template& each : projects::projectTemplates(templateFolders()))
                rows.templates.push_back(rowOf(std::move(each)));
            rows.freeName = text(projects::freeName(utf8(parent), utf8(name)));
            return rows;
        },
        [this](const TemplateRows& rows) { Q_EMIT templatesLoaded(rows); });
}

void ProjectsClient::checkPlace(const QString& name, const QString& folder)
{
    askOutside(
        readers(),
        [name, folder] {
            NewPlaceRow row;
            const auto place = projects::placeOf({ utf8(name), utf8(folder) });
            if (!place)
                row.error = userError(place.error());
            else
                for (const std::string& made : place->made)
                    row.made << text(made);
            return row;
        },
        [this, asked = ++m_checks](const NewPlaceRow& row) {
            if (asked == m_checks)
                Q_EMIT placeChecked(row);
        });
}

void ProjectsClient::create(const QString& name, const QString& folder, const QString& templateId)
{
    struct Made {
        QString graph;
        UserError error;
    };
    askOutside(
        slow(),
        [name, folder, templateId]() -> Made {
            const auto from = projects::findTemplate(templateFolders(), utf8(templateId));
            if (!from)
                return { {}, userError(from.error()) };
            const auto made = projects::createProject({ utf8(name), utf8(folder) }, *from);
            if (!made)
                return { {}, userError(made.error()) };
            return { text(made->graph.string()), {} };
        },
        [this](const Made& made) { Q_EMIT created(made.graph, made.error); });
}

void ProjectsClient::findInFolder(const QString& folder)
{
    struct Found {
        QString path;
        UserError error;
    };
    askOutside(
        slow(),
        [folder]() -> Found {
            const auto found = projects::openableIn(utf8(folder));
            return found ? Found{ text(found->string()), {} } : Found{ {}, userError(found.error()) };
        },
        [this](const Found& found) { Q_EMIT foundInFolder(found.path, found.error); });
}

void ProjectsClient::copyFolder(const QString& folder, const QString& parent)
{
    struct Made {
        QString graph;
        UserError error;
    };
    askOutside(
        slow(),
        [folder, parent]() -> Made {
            const auto made = projects::copyProject(utf8(folder), utf8(parent));
            return made ? Made{ text(made->graph.string()), {} } : Made{ {}, userError(made.error()) };
        },
        [this](const Made& made) { Q_EMIT created(made.graph, made.error); });
}

void ProjectsClient::checkRuntime()
{
    askOutside(
        readers(), [] { return readRuntime(); },
        [this](const RuntimeRow& row) { Q_EMIT runtimeChecked(row); });
}

} // namespace sg::ui
