#pragma once

#include "ui/bridge/rows/rows.h"

#include <QImage>
#include <QString>
#include <QStringList>

#include <vector>

// The rows of a thread's chat.
namespace sg::ui {

struct ChatCallRow {
    QString id;
    QString name;
    QString arguments; // one line of JSON
    QString code; // a program among the arguments; empty: there is none
    QString whole; // the arguments as indented JSON, without that program
    bool isBroken = false; // its arguments cannot be read; it never runs
};

struct ChatRow {
    enum class Role { Person, Agent, Tool, System, Other };
    QString key; // the same for the same message, whenever it is read
    Role role = Role::Other;
    QString author; // name of the agent, tool or node; empty: unknown
    QString text; // of the answer alone
    QString reasoning;
    std::vector<ChatCallRow> calls; // that a model makes
    QString answers; // id of the call that a tool answers
    bool hasFailed = false; // a tool's answer
    std::vector<QImage> pictures;
    QStringList left; // what is not shown: "audio, 12 kB"; and why the answer is not whole
    QString json; // as it is stored; for "As sent" and copies
    bool isInner = false; // an agent keeps it for itself
    QString checkpoint; // where the superstep that made it started; empty: unknown
    QString node; // of the graph; empty: unknown
    QString task; // that wrote it
    double startedMs = kUnknown; // of that task
    double seconds = kUnknown;
    QString model;
    qint64 input = 0; // tokens
    qint64 output = 0;
    qint64 cached = 0; // of the input
    qint64 cacheWritten = 0; // the same
    qint64 thought = 0; // of the output
    double cost = kUnknown;
};

struct ChatRows {
    QString thread;
    QString wanted; // the checkpoint asked for; empty: the head
    QString checkpoint; // whose state it is; empty: the thread has none
    QString channel; // empty: no channel of the state holds messages
    std::vector<ChatRow> rows; // oldest first
    QString currency;
    UserError error = {};
};

// A piece of a message that is being made.
struct ChatPiece {
    QString thread;
    QString task; // that makes it
    QString node; // of the graph
    QString text;
    QString reasoning;
    QString call; // name of a call that begins
    QString arguments; // more of its arguments
    qint64 cameNs = 0; // when it left the engine, by the steady clock
};

} // namespace sg::ui
