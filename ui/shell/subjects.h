#pragma once

#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class ArtifactsPart;
class Bookmarks;
class ChatPart;
class ComparisonPart;
class ConnectionsPart;
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
class PoolsPart;
class RawPart;
class RuntimePart;
class Saving;
class SearchPart;
class StartPart;
class ThreadFiles;
class UsagePart;
class ValuesPart;
class Watches;
class WorldPart;

// The subjects of one window, in the order in which they need one another. The window owns them.
struct Subjects {
    Subjects(const WindowParts& parts, InterruptCard& card);

    PastVerbs* past;
    Bookmarks* bookmarks;
    ValuesPart* values;
    InboxPart* inbox;
    SearchPart* search;
    UsagePart* usage;
    RawPart* raw;
    Watches* watches;
    WorldPart* world;
    Saving* saving;
    GraphFiles* graphFiles;
    ComparisonPart* comparison;
    GraphVersions* versions;
    LastProject* last;
    StartPart* start;
    RuntimePart* runtime;
    ArtifactsPart* artifacts;
    ThreadFiles* threadFiles;
    ProjectState* project;
    ProjectPages* projects;
    ChatPart* chat;
    DocumentsPart* documents;
    ConnectionsPart* connections;
    PoolsPart* pools;
    Places* places;
};

} // namespace sg::ui
