#pragma once

#include <QByteArray>

class QKeyEvent;

namespace sg::ui {

// What xterm sends for a key; empty: nothing. `arrowsAreKeys`: as the program in the terminal has asked.
QByteArray keyBytes(const QKeyEvent& event, bool arrowsAreKeys);
// Without what could end the paste early and be run: of control characters only tabs and line ends stay.
QByteArray pasteBytes(const QString& text, bool isTold);
// Keys that the window keeps for itself.
bool isOfTheWindow(const QKeyEvent& event);

} // namespace sg::ui
