#pragma once

#include "ui/bridge/session_rows.h"

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

    void open(const SessionText& text);
    void setSaved(const SessionText& now, const UserError& error, bool conflict);
    [[nodiscard]] bool isModified() const;

Q_SIGNALS:
    void saveRequested(const sg::ui::SessionText& before, const QString& text);
    void reloadRequested(const QString& path);
    void closed();

private:
    void save();
    void finish(); // asks where something is unsaved
    void showState();

    SessionText m_text;
    QString m_saving; // the text that is on its way
    ElidedLabel* m_path;
    Banner* m_banner;
    QPlainTextEdit* m_edit;
    QPushButton* m_save;
};

} // namespace sg::ui
