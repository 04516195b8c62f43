#pragma once

#include "core/sandbox/e2b/connection.h"
#include "ui/bridge/rows/rows.h"

#include <QString>
#include <QStringList>

#include <vector>

// Services elsewhere on which this user's sessions may run.
namespace sg::ui {

struct AbilityRow {
    QString name; // "pause"
    bool isGiven = true;
    QString note;
};

struct ConnectionRow {
    QString name;
    sandbox::e2b::ServiceKind kind = sandbox::e2b::ServiceKind::E2b;
    QString api;
    QString sandboxes; // where sandboxes are reached
    sandbox::e2b::Routing routing = sandbox::e2b::Routing::Headers;
    QString key; // the name of a secret, never its value
    QString sandboxTemplate;
    QString authorities; // a file; empty: this machine's
    int timeSeconds = 300;
    std::vector<AbilityRow> abilities = {};
};

struct RemoteSandboxRow {
    QString connection;
    QString name; // "cloud/ix7k2"
    QString thread;
    QString project;
    bool isPaused = false;
    double startedMs = kUnknown;
    double endsMs = kUnknown; // when its service ends it
};

// The answer of a service.
struct ConnectionHealth {
    QString name;
    UserError error; // `what` empty: it answered
    bool isKeyRefused = false;
    double latencyMs = kUnknown;
    bool listsTemplates = false;
    QStringList templates = {};
    std::vector<RemoteSandboxRow> sandboxes = {}; // of this user's programs
};

} // namespace sg::ui
