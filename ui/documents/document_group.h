#pragma once

#include <QIcon>
#include <QTabBar>
#include <QWidget>

class QStackedWidget;
class QToolButton;

namespace sg::ui {

// Tabs that close by the middle button and can be dragged out of their bar.
class DocumentTabs : public QTabBar {
    Q_OBJECT
public:
    explicit DocumentTabs(QWidget* parent = nullptr);

Q_SIGNALS:
    void middleClicked(int tab);
    void draggedOut(int tab);
    void menuRequested(int tab, const QPoint& at); // `at` of the screen

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    int m_pressed = -1;
    int m_closing = -1;
};

// Documents of which one is seen, and their tabs. A tab shows its document's window title.
class DocumentGroup : public QWidget {
    Q_OBJECT
public:
    explicit DocumentGroup(QWidget* parent = nullptr);

    void add(QWidget* document, const QIcon& icon, bool isClosable, int at = -1);
    void take(QWidget* document); // hidden, and without a parent in here
    void show(QWidget* document); // in front
    [[nodiscard]] QWidget* current() const;
    [[nodiscard]] QWidget* at(int tab) const;
    [[nodiscard]] int count() const;
    [[nodiscard]] int indexOf(const QWidget* document) const; // -1: it is in another group
    [[nodiscard]] DocumentTabs& tabs() const { return *m_tabs; }
    void setSplitAction(QAction* action); // stands at the right of the tabs

Q_SIGNALS:
    void currentChanged(QWidget* document);
    void closeRequested(QWidget* document);
    void dragRequested(QWidget* document);
    void menuRequested(QWidget* document, const QPoint& at);
    void moved(); // a tab among the others

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // titles of documents

private:
    void showTitle(QWidget* document);
    void showCloseButton();
    void takeOrder(int from, int to);

    DocumentTabs* m_tabs;
    QToolButton* m_split;
    QToolButton* m_close;
    QStackedWidget* m_stack; // in the order of the tabs
};

} // namespace sg::ui
