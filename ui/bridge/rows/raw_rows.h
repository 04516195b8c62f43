#pragma once

#include "ui/bridge/rows/rows.h"

#include <QByteArray>
#include <QString>

// The stored bytes of a value.
namespace sg::ui {

struct RawPlace {
    QString thread;
    QString checkpoint;
    QString pointer; // in the state: "/doc/2"; empty for the checkpoint's own bytes
    friend bool operator==(const RawPlace&, const RawPlace&) = default;
};

struct RawPage {
    RawPlace place;
    QString type; // the encoding: "msgpack, ext 5", "pickle", "bytes"
    QString module; // module of the Python object, as far as its bytes tell; the object is never created
    qint64 size = 0; // of the whole value
    qint64 offset = 0;
    QByteArray bytes; // from `offset` on, at most kRawPage
    UserError error = {};
};

inline constexpr qint64 kRawPage = 4096;

} // namespace sg::ui
