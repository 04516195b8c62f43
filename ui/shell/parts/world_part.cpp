#include "ui/shell/parts/world_part.h"

#include "ui/bridge/clients.h"
#include "ui/code/code_document.h"
#include "ui/code/code_editor.h"
#include "ui/documents/document_area.h"
#include "ui/selection/selection.h"
#include "ui/shell/dock_layout.h"
#include "ui/world/files_panel.h"
#include "ui/world/variables_panel.h"
#include "ui/world/world_feed.h"

#include <algorithm>
#include <utility>

namespace sg::ui {

WorldPart::WorldPart(const WindowParts& parts, VariablesPanel& variables, FilesPanel& files, CodeEditor& code)
    : WindowPart(parts)
    , m_files(&files)
{
    joinVariables(variables);
    joinCode(code);
    connect(m_files, &FilesPanel::countChanged, this,
            [this](int changed) { m_docks->setCount(m_files, changed, Badge::Kind::Quiet); });
    connect(m_files, &FilesPanel::textSaved, this, [this](bool isWell) {
        const auto waiting = std::exchange(m_afterText, {});
        if (!waiting.empty() && !isWell)
            m_docks->raise(m_files); // which says why
        else
            for (const std::function<void()>& next : waiting)
                next();
    });
}

void WorldPart::joinVariables(VariablesPanel& variables)
{
    WorldFeed& feed = m_files->feed();
    feed.readFor(variables);
    connect(&variables, &VariablesPanel::sessionChosen, &feed, &WorldFeed::choose);
    connect(m_files, &FilesPanel::emptied, &variables, &VariablesPanel::clear);
}

// Lets code that is seen show what its names held.
void WorldPart::joinCode(CodeEditor& code)
{
    WorldFeed& feed = m_files->feed();
    feed.readWhile([this, &code] { return m_docks->isSeen(m_parts.inspector) && code.hasCode(); });
    feed.readWhile([documents = m_parts.documents] {
        return std::ranges::any_of(documents->seen(), [](const QWidget* each) {
            return qobject_cast<const CodeDocument*>(each) != nullptr;
        });
    });
    connect(m_docks, &DockLayout::cameToBeSeen, this, [this](const QWidget* seen) {
        if (seen == m_parts.inspector)
            show();
    });
    connect(m_parts.documents, &DocumentArea::cameToBeSeen, this, [this](const QWidget* seen) {
        if (qobject_cast<const CodeDocument*>(seen) != nullptr)
            show();
    });
    connect(&m_clients->world, &WorldClient::worldLoaded, this, [this, &code](const WorldView& world) {
        if (world.thread == m_selection->thread())
            code.setSessionValues({ world.step, world.variables });
    });
    connect(m_selection, &Selection::threadChanged, this, [&code] { code.setSessionValues({}); });
}

void WorldPart::show()
{
    m_files->feed().read();
}

// Saves a text of a session, which may be gone: then the text stays unsaved.
void WorldPart::saveTextThen(const std::function<void()>& next)
{
    if (m_files->isModified()) {
        m_afterText.push_back(next ? next : std::function<void()>([] {}));
        m_files->saveText();
    } else if (next) {
        next();
    }
}

} // namespace sg::ui
