#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace sg::ui {

class Banner;
class ElidedLabel;

// One text file of a session: to be changed and saved where the session runs, else to be read.
class FileEditor : public QWidget {
    Q_OBJECT
public:
    explicit FileEditor(QWidget* parent = nullptr);

    void open(const SessionText& text); // what was typed is gone, unless there is no text
    void setSaved(const SessionText& now, const UserError& error, bool conflict);
    void save(); // saved() follows
    void discard(); // what is unsaved
    [[nodiscard]] bool isModified() const;
    [[nodiscard]] bool awaits(const SessionText& text) const; // it was asked for in place of what was typed

Q_SIGNALS:
    void saveRequested(const sg::ui::SessionText& before, const QString& text);
    void reloadRequested(const sg::ui::SessionText& text); // of its thread and checkpoint
    void modifiedChanged();
    void saved(bool isWell);
    void closed();

private:
    bool eventFilter(QObject* watched, QEvent* event) override; // of the text
    void finish(); // asks where something is unsaved
    void showState();
    void reload();
    void showProblem(const QString& sentence, bool conflict);

    SessionText m_text;
    QString m_saving; // the text that is on its way
    bool m_isSaving = false;
    bool m_isReloading = false;
    ElidedLabel* m_path;
    Banner* m_banner;
    QPlainTextEdit* m_edit;
    QPushButton* m_save;
};

} // namespace sg::ui
