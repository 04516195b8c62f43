#pragma once

#include "ui/documents/document_area.h"

#include <span>
#include <vector>

namespace sg::ui {

struct WindowParts;

// An entry of a menu, beside that of the Window menu, that opens a document.
struct DocumentVerb {
    enum class Menu { None, Session, Thread };
    Menu menu = Menu::None;
    const char* text = ""; // in English
    const char* id = ""; // of its command; empty: its text names it
    const char* keys = "";
};

// A kind of document, as panel_table.h has the panels.
struct DocumentRow {
    const char* name; // what was saved names it, so it never changes
    const char* title; // in English, for the Window menu and `--panel`; empty: it is opened by what it shows
    const char* icon;
    DocumentKind::Life life;
    const char* chapter; // of the guide
    QWidget* (*make)(const WindowParts& parts, const QString& argument, QWidget* parent);
    DocumentVerb verb = {};
};

// Returns the rows in the order of the Window menu.
std::span<const DocumentRow> documentTable();

QString titleOf(const DocumentRow& row); // in the user's language

// Returns the kinds for the area of one window. `parts` outlives it.
std::vector<DocumentKind> documentKinds(const WindowParts& parts);

// The names of kinds that are opened elsewhere.
inline const QString kGraphDocument = QStringLiteral("graph");
inline const QString kCodeDocument = QStringLiteral("code"); // of a file
inline const QString kRunDocument = QStringLiteral("run"); // of a thread, then a line with the checkpoint
inline const QString kArtifactDocument = QStringLiteral("artifact"); // its id, then a line with its name
inline const QString kChatDocument = QStringLiteral("chat"); // of a thread
inline const QString kCompareDocument = QStringLiteral("compare");

} // namespace sg::ui
