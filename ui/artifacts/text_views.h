#pragma once

#include <QPlainTextEdit>
#include <QTextBrowser>

namespace sg::ui {

// Shows Markdown from outside: without HTML, loading nothing, with links that lead nowhere.
class MarkdownView : public QTextBrowser {
    Q_OBJECT
public:
    explicit MarkdownView(QWidget* parent = nullptr);
    void showMarkdown(const QString& text);
    QVariant loadResource(int type, const QUrl& name) override; // returns nothing

protected:
    void changeEvent(QEvent* event) override;

private:
    QString m_text;
};

// Shows lines that begin with "+", "-", " " or "@" on the tints of changes.
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
