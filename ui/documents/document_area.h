#pragma once

#include <QByteArray>
#include <QIcon>
#include <QLatin1String>
#include <QList>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QRubberBand;
class QSplitter;

namespace sg::ui {

class DocumentGroup;

// Names a document by its kind and, where there are several of a kind, by its subject ("code" of
// "nodes/plan.py").
struct DocumentId {
    QString kind;
    QString argument;
    friend bool operator==(const DocumentId&, const DocumentId&) = default;
};

// One row of the table of kinds.
struct DocumentKind {
    enum class Life {
        Pinned, // always open
        Kept, // there is one, which is hidden while its tab is closed
        Owned, // made when it is opened, and ends with its tab
    };
    QString name; // is saved with the window's state, so it never changes
    QLatin1String icon;
    Life life = Life::Owned;
    // A widget whose window title, with "[*]" for unsaved changes, is the tab's. Null: there is no such
    // thing.
    std::function<QWidget*(const QString& argument, QWidget* parent)> make;
};

// The middle of the window: documents in tabs, beside and below one another. A document that is open is never
// opened twice.
class DocumentArea : public QWidget {
    Q_OBJECT
public:
    enum class Place { Tabs, Right, Below }; // of a group: in it, or in a new one next to it

    // Opens the kinds that are pinned.
    explicit DocumentArea(std::vector<DocumentKind> kinds, QWidget* parent = nullptr);
    ~DocumentArea() override;

    QWidget* open(const DocumentId& id, Place place = Place::Tabs); // in front; null: there is no such thing
    void close(const DocumentId& id);
    void closeAll(); // but what is pinned; another project is opened
    void moveTo(const DocumentId& id, const DocumentId& beside, Place place);
    [[nodiscard]] QWidget* find(const DocumentId& id) const; // null: it is not open
    [[nodiscard]] DocumentId idOf(const QWidget* document) const; // empty: it is none
    [[nodiscard]] DocumentId current() const; // what has the keyboard, or had it last
    [[nodiscard]] QWidget* currentWidget() const;
    [[nodiscard]] QList<DocumentId> documents() const; // in reading order
    [[nodiscard]] QList<QWidget*> seen() const; // in front of its tabs, in reading order
    [[nodiscard]] bool isSeen(const QWidget* document) const;
    [[nodiscard]] int groups() const;

    // Tabs, places, and which is in front.
    [[nodiscard]] QByteArray save() const;
    // `opens`: documents that are not open are opened; else all stay open that are. What is not in `saved`
    // stands in the first group.
    void restore(const QByteArray& saved, bool opens);

    [[nodiscard]] QList<QAction*> actions() const { return m_actions; } // for the window's menu

Q_SIGNALS:
    void made(const sg::ui::DocumentId& id, QWidget* document); // for the first time, or anew
    void opened(); // by a verb, or shown again; not as its arrangement is restored
    void cameToBeSeen(const QWidget* document);
    void currentChanged(); // or its place
    void arranged(); // save() has changed

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Document {
        DocumentId id;
        QWidget* widget;
    };
    struct Target {
        DocumentGroup* group = nullptr;
        Place place = Place::Tabs;
        QRect rect; // in this widget
    };
    void createActions();
    void updateActions();
    DocumentGroup* addGroup(QSplitter* column, int at);
    QSplitter* addColumn(int at);
    DocumentGroup* groupBeside(DocumentGroup* group, Place place);
    [[nodiscard]] std::vector<DocumentGroup*> groupList() const;
    [[nodiscard]] DocumentGroup* groupOf(const QWidget* document) const;
    [[nodiscard]] DocumentGroup* activeGroup() const;
    void setActive(DocumentGroup* group);
    [[nodiscard]] const DocumentKind* kindOf(const QString& name) const;
    [[nodiscard]] const Document* documentOf(const QWidget* widget) const;
    QWidget* make(const DocumentId& id); // in no group yet
    void put(QWidget* document, DocumentGroup* group, int at = -1);
    void take(QWidget* document); // out of its group
    void dropEmptyGroups();
    void closeWidget(QWidget* document);
    void splitOff(Place place);
    void joinGroups();
    void step(int by);
    void startDrag(QWidget* document);
    void showMenu(QWidget* document, const QPoint& at);
    [[nodiscard]] Target targetAt(const QPoint& at) const;

    const std::vector<DocumentKind> m_kinds;
    std::vector<Document> m_documents;
    QSplitter* m_columns; // each is a splitter with its groups, from top to bottom
    DocumentGroup* m_active = nullptr;
    bool m_isRestoring = false;
    QRubberBand* m_mark; // where a dragged tab would go
    QList<QAction*> m_actions;
    QAction* m_close = nullptr;
    QAction* m_next = nullptr;
    QAction* m_previous = nullptr;
    QAction* m_splitRight = nullptr;
    QAction* m_splitBelow = nullptr;
    QAction* m_join = nullptr;
};

} // namespace sg::ui
