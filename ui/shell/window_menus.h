#pragma once

#include "ui/shell/document_table.h"

#include <QObject>

class QMenu;
class QToolBar;

namespace sg::ui {

class QuickPopup;
struct Subjects;
struct WindowParts;

// The menus of the window, which place what its subjects offer, and the buttons of its tool bar that stand
// for some of it.
class WindowMenus : public QObject {
    Q_OBJECT
public:
    WindowMenus(const WindowParts& parts, const Subjects& subjects, QToolBar& bar);

    [[nodiscard]] QMenu* tools() const { return m_tools; } // filled by macros
    void setQuick(QuickPopup* quick) { m_quick = quick; } // it lists these menus' commands

private:
    void createFile(QMenu& file);
    void createEdit(QMenu& edit);
    void createView(QMenu& view);
    void createGraph(QMenu& menu);
    void createRun(QMenu& run);
    void createThread(QMenu& thread);
    void createSession(QMenu& session);
    void createPast(QMenu& thread);
    void createLayouts(QMenu& menu, QToolBar& bar);
    void createDocuments(QMenu& menu);
    void addDocuments(QMenu& menu, DocumentVerb::Menu place);
    void createAreas(QMenu& menu);
    void createOwnLayouts(QMenu& menu);
    void fillOwnLayouts(QMenu& menu);
    void askLayoutName();
    void createHelp(QMenu& help);

    const WindowParts& m_parts;
    const Subjects& m_subjects;
    QMenu* m_tools;
    QuickPopup* m_quick = nullptr;
};

} // namespace sg::ui
