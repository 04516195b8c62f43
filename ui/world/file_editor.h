#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace sg::ui {

class Banner;
class ElidedLabel;

// Shows one text file of a session; it can be edited and saved if the session runs.
class FileEditor : public QWidget {
    Q_OBJECT
public:
    explicit FileEditor(QWidget* parent = nullptr);

    void open(const SessionText& text); // drops the typed text, unless the file could not be read
    void setSaved(const SessionText& now, const UserError& error, bool conflict);
    void save(); // saved() follows
    void discard(); // drops unsaved changes
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] bool awaits(const SessionText& text) const; // whether reloadRequested() asked for this text

Q_SIGNALS:
    void saveRequested(const sg::ui::SessionText& before, const QString& text);
    void reloadRequested(const sg::ui::SessionText& text); // the text of this thread and checkpoint
    void modifiedChanged();
    void saved(bool isWell);
    void closed();

private:
    bool eventFilter(QObject* watched, QEvent* event) override; // filters the text field's events
    void finish(); // closes the file; asks first if changes are unsaved
    void showState();
    void reload();
    void showProblem(const QString& sentence, bool conflict);

    SessionText m_text;
    QString m_saving; // the text being saved
    bool m_isSaving = false;
    bool m_isReloading = false;
    ElidedLabel* m_path;
    Banner* m_banner;
    QPlainTextEdit* m_edit;
    QPushButton* m_save;
};

} // namespace sg::ui
