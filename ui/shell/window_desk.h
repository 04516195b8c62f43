#pragma once

#include "ui/macro/macro_desk.h"
#include "ui/macro/macro_recorder.h"

namespace sg::ui {

class CanvasPanel;
class CommandList;
struct Clients;
class RunBar;
class Selection;
class ShownHistory;
class ThreadBook;

// The window as macros see it: its commands, and what is chosen. All parts outlive it.
class WindowDesk final : public MacroDesk {
public:
    struct Parts {
        CommandList& commands;
        Selection& selection;
        RunBar& runBar;
        ThreadBook& book;
        ShownHistory& history;
        CanvasPanel& canvas;
        Clients& clients;
    };
    explicit WindowDesk(const Parts& parts)
        : m_parts(parts)
    {
    }

    [[nodiscard]] const Parts& parts() const { return m_parts; }
    [[nodiscard]] MacroRecorder::Chosen chosen() const;

    bool knows(const QString& command) override;
    QString whyNot(const QString& command) override;
    void give(const QString& command) override;
    QString chooseThread(const QString& thread) override;
    QString chooseCheckpoint(const MacroPlace& place) override;
    QString chooseNode(const QString& node) override;
    void setInput(const QString& json) override;
    bool isRunUnderWay() const override;
    bool isAtRest() const override;
    QString openQuestion() const override;

private:
    [[nodiscard]] QString branchEnd() const; // of the branch that is shown

    Parts m_parts;
};

} // namespace sg::ui
