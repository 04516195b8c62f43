#pragma once

#include <QByteArray>

class QKeyEvent;

namespace sg::ui {

// The bytes that xterm sends for a key, if any. `arrowsAreKeys` is the mode set by the program in the
// terminal.
QByteArray keyBytes(const QKeyEvent& event, bool arrowsAreKeys);
// Removes bytes that could end the paste early: of control characters only tabs and line ends stay. `isTold`
// adds the marks of bracketed paste.
QByteArray pasteBytes(const QString& text, bool isTold);
// Tells whether the window keeps this key for itself.
bool isOfTheWindow(const QKeyEvent& event);

} // namespace sg::ui
