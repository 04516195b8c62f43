#pragma once

#include <QPlainTextEdit>
#include <QTextBrowser>

namespace sg::ui {

// Markdown that comes from outside: no HTML, nothing is loaded, links are shown and lead nowhere.
class MarkdownView : public QTextBrowser {
    Q_OBJECT
public:
    explicit MarkdownView(QWidget* parent = nullptr);
    void showMarkdown(const QString& text);
    QVariant loadResource(int type, const QUrl& name) override; // nothing

protected:
    void changeEvent(QEvent* event) override;

private:
    QString m_text;
};

// Lines that begin with "+", "-", " " or "@", on the tints of a change.
class ChangesView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit ChangesView(QWidget* parent = nullptr);
    void showChanges(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void tint();
};

} // namespace sg::ui
