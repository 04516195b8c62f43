#pragma once

#include "ui/macro/macro.h"

#include <QString>

namespace sg::ui {

// What a player needs of the window. A reason that is not empty says why something cannot be done now.
class MacroDesk {
public:
    virtual ~MacroDesk() = default;
    [[nodiscard]] virtual bool knows(const QString& command) = 0; // may take a while
    [[nodiscard]] virtual QString whyNot(const QString& command) = 0; // as it was when that was asked last
    virtual void give(const QString& command) = 0; // may not return while a dialog is open
    virtual QString chooseThread(const QString& thread) = 0;
    virtual QString chooseCheckpoint(const MacroPlace& place) = 0;
    virtual QString chooseNode(const QString& node) = 0;
    virtual void setInput(const QString& json) = 0;
    [[nodiscard]] virtual bool isRunUnderWay() const = 0; // on the shown thread
    [[nodiscard]] virtual bool isAtRest() const = 0; // nothing is being asked that may change an answer here
    [[nodiscard]] virtual QString openQuestion() const = 0; // of a dialog that waits; empty: none
};

} // namespace sg::ui
