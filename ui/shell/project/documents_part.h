#pragma once

#include "ui/documents/document_area.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/parts/window_part.h"

#include <QMap>
#include <QTimer>

namespace sg::ui {

class ArtifactPreviewView;
class ArtifactsPanel;
class CodeDocument;
class GraphVersions;
class PastVerbs;
class RunGraph;

// The documents in the middle: what opens them, whom they ask, and how they stood in each layout of the
// project.
class DocumentsPart : public WindowPart {
    Q_OBJECT
public:
    struct Others {
        PastVerbs& past;
        GraphVersions& versions;
        const ArtifactsPanel& artifacts;
    };
    DocumentsPart(const WindowParts& parts, const Others& others);

    void openCode(const QString& file, int line = 0); // 0: where it stood
    [[nodiscard]] QAction* runAction() const { return m_openRun; } // opens the run that is looked at
    void keep(); // what is open, and where

private:
    void wire(const DocumentId& id, QWidget* document);
    void wireCode(CodeDocument* code);
    void wireRun(RunGraph* run);
    void wireArtifact(ArtifactPreviewView* view, const QString& artifact);
    void openRun();
    void showLayout();
    void openForReview();
    void openProject();

    DocumentArea* const m_documents;
    const Others m_others;
    QAction* m_openRun;
    QString m_project; // path of the open one; empty: none
    QString m_layout; // its key
    QMap<QString, QByteArray> m_arranged; // by the layout's key
    QTimer m_keepSoon;
};

} // namespace sg::ui
