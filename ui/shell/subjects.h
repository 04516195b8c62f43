#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class Bookmarks;
class ChatPart;
class ComparisonPart;
class DocumentsPart;
class GraphFiles;
class GraphVersions;
class InboxPart;
class InterruptCard;
class LastProject;
class PastVerbs;
class Places;
class ProjectPages;
class ProjectState;
class RuntimePart;
class Saving;
class StartPart;
class ThreadFiles;
class Watches;
class WorldPart;

// The subjects of one window, in the order in which they need one another. The window owns them.
struct Subjects {
    Subjects(const WindowParts& parts, InterruptCard& card);

    PastVerbs* past;
    Bookmarks* bookmarks;
    InboxPart* inbox;
    Watches* watches;
    WorldPart* world;
    Saving* saving;
    GraphFiles* graphFiles;
    ComparisonPart* comparison;
    GraphVersions* versions;
    LastProject* last;
    StartPart* start;
    RuntimePart* runtime;
    ThreadFiles* threadFiles;
    ProjectState* project;
    ProjectPages* projects;
    ChatPart* chat;
    DocumentsPart* documents;
    Places* places;
};

} // namespace sg::ui
