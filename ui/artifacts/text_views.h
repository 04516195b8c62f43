#pragma once

#include <QPlainTextEdit>
#include <QTextBrowser>
#include <QTreeView>

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

// Shows a page of HTML as text with its pictures and tables, and does nothing: no scripts, nothing that is
// loaded from files or the network (pictures come from data: addresses alone), links that lead nowhere. Pages
// that take too long to lay out are not shown, as they would keep the window waiting.
class HtmlView : public QTextBrowser {
    Q_OBJECT
public:
    explicit HtmlView(QWidget* parent = nullptr);
    bool showHtml(const QString& text); // false: it says instead why it is not shown
    QVariant loadResource(int type, const QUrl& name) override; // pictures of data: addresses, else nothing
};

// Shows JSON as a tree; what is opened is read then, so that large files open at once.
class JsonTree : public QTreeView {
    Q_OBJECT
public:
    explicit JsonTree(QWidget* parent = nullptr);
    bool showJson(const QString& text); // false: it is not whole or not JSON
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
