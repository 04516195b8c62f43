#pragma once

#include "ui/macro/macro.h"

#include <QString>

namespace sg::ui {

// The window's functions for a player. A returned text tells why something is impossible now.
class MacroDesk {
public:
    virtual ~MacroDesk() = default;
    [[nodiscard]] virtual bool knows(const QString& command) = 0; // may be slow
    [[nodiscard]] virtual QString whyNot(const QString& command) = 0; // as of the last knows()
    virtual void give(const QString& command) = 0; // may return only after a dialog closes
    virtual QString chooseThread(const QString& thread) = 0;
    virtual QString chooseCheckpoint(const MacroPlace& place) = 0;
    virtual QString chooseNode(const QString& node) = 0;
    virtual void setInput(const QString& json) = 0;
    [[nodiscard]] virtual bool isRunUnderWay() const = 0; // of the shown thread
    [[nodiscard]] virtual bool isAtRest() const = 0; // no running request could change an answer here
    [[nodiscard]] virtual QString openQuestion() const = 0; // text of an open dialog; empty if there is none
};

} // namespace sg::ui
