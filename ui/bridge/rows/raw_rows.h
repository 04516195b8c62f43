#pragma once

#include "ui/bridge/rows/rows.h"

#include <QByteArray>
#include <QString>

// A value as its bytes stand in the database.
namespace sg::ui {

struct RawPlace {
    QString thread;
    QString checkpoint;
    QString pointer; // of the state: "/doc/2"; empty: the checkpoint's own bytes
    friend bool operator==(const RawPlace&, const RawPlace&) = default;
};

struct RawPage {
    RawPlace place;
    QString type; // how it is stored: "msgpack, ext 5", "pickle", "bytes"
    QString module; // of the Python object, as far as its bytes name it; it was not made
    qint64 size = 0; // of the whole value
    qint64 offset = 0;
    QByteArray bytes; // from there on, at most kRawPage
    UserError error = {};
};

inline constexpr qint64 kRawPage = 4096;

} // namespace sg::ui
