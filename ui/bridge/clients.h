#pragma once

#include "ui/bridge/artifacts/artifacts_client.h"
#include "ui/bridge/chat/chat_client.h"
#include "ui/bridge/connections/connections_client.h"
#include "ui/bridge/editing/editing_client.h"
#include "ui/bridge/history/history_client.h"
#include "ui/bridge/history/notes_client.h"
#include "ui/bridge/open/open_project.h"
#include "ui/bridge/pools/pools_client.h"
#include "ui/bridge/projects/projects_client.h"
#include "ui/bridge/runs/runs_client.h"
#include "ui/bridge/search/search_client.h"
#include "ui/bridge/sessions/sessions_client.h"
#include "ui/bridge/staging/staging.h"
#include "ui/bridge/upkeep/upkeep_client.h"
#include "ui/bridge/world/world_client.h"

namespace sg::ui {

// One window's access to its project, by subject. The clients hear of another project before their users do.
struct Clients {
    OpenProject project;
    Staging staging{ project };
    RunsClient runs{ project };
    SessionsClient sessions{ project };
    NotesClient notes{ project };
    HistoryClient history{ project, sessions };
    ChatClient chat{ project };
    WorldClient world{ project, staging };
    ArtifactsClient artifacts{ project, sessions, staging };
    EditingClient editing{ project };
    SearchClient search{ project };
    ProjectsClient projects{ project };
    ConnectionsClient connections{ project };
    PoolsClient pools{ project };
    UpkeepClient upkeep{ project, history, notes, sessions };
};

} // namespace sg::ui
