#pragma once

#include "ui/documents/document_area.h"

#include <span>
#include <vector>

namespace sg::ui {

struct WindowParts;

// A kind of document, as panel_table.h has the panels.
struct DocumentRow {
    const char* name; // what was saved names it, so it never changes
    const char* title; // in English, for the Window menu and `--panel`; empty: it is opened by what it shows
    const char* icon;
    DocumentKind::Life life;
    QWidget* (*make)(const WindowParts& parts, const QString& argument, QWidget* parent);
};

// In the order of the Window menu.
std::span<const DocumentRow> documentTable();

QString titleOf(const DocumentRow& row); // in the user's language

// For the area of one window. `parts` outlives it.
std::vector<DocumentKind> documentKinds(const WindowParts& parts);

// The names of kinds that are opened elsewhere.
inline const QString kGraphDocument = QStringLiteral("graph");
inline const QString kCodeDocument = QStringLiteral("code"); // of a file
inline const QString kRunDocument = QStringLiteral("run"); // of a thread, then a line with the checkpoint
inline const QString kArtifactDocument = QStringLiteral("artifact"); // its id, then a line with its name
inline const QString kChatDocument = QStringLiteral("chat"); // of a thread
inline const QString kCompareDocument = QStringLiteral("compare");
inline const QString kSearchDocument = QStringLiteral("search");
inline const QString kOverviewDocument = QStringLiteral("overview");

} // namespace sg::ui
