#include "ui/documents/document_area.h"

#include "ui/documents/document_group.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QApplication>
#include <QDataStream>
#include <QDrag>
#include <QDragEnterEvent>
#include <QIODevice>
#include <QMenu>
#include <QMimeData>
#include <QRubberBand>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr qint32 kSaved = 0x53474431; // starts what save() returns
constexpr qint32 kMostSaved = 500; // documents or groups that are read: what is saved may be damaged
constexpr int kEdge = 25; // percent of a group's width or height: a tab that is dropped there splits it

QString mimeType()
{
    return QStringLiteral("application/x-sandglass-document");
}

// One group as it is saved.
struct SavedGroup {
    QList<DocumentId> documents;
    qint32 front = 0;
};

struct SavedArea {
    QList<QList<SavedGroup>> columns;
    QList<QList<int>> heights; // of the groups of each column
    QList<int> widths;
    qint32 column = 0; // of the group that had the keyboard
    qint32 row = 0;
};

QDataStream& operator<<(QDataStream& out, const SavedArea& area)
{
    out << kSaved << static_cast<qint32>(area.columns.size());
    for (const QList<SavedGroup>& column : area.columns) {
        out << static_cast<qint32>(column.size());
        for (const SavedGroup& group : column) {
            out << static_cast<qint32>(group.documents.size());
            for (const DocumentId& id : group.documents)
                out << id.kind << id.argument;
            out << group.front;
        }
    }
    return out << area.heights << area.widths << area.column << area.row;
}

// A count that is read, or none where it is not plausible.
qint32 countIn(QDataStream& in)
{
    qint32 count = 0;
    in >> count;
    return in.status() == QDataStream::Ok && count > 0 && count <= kMostSaved ? count : 0;
}

SavedArea areaIn(const QByteArray& saved)
{
    QDataStream in(saved);
    qint32 sign = 0;
    in >> sign;
    SavedArea area;
    if (sign != kSaved)
        return {};
    for (qint32 columns = countIn(in); columns > 0; --columns) {
        QList<SavedGroup> column;
        for (qint32 groups = countIn(in); groups > 0; --groups) {
            SavedGroup group;
            for (qint32 documents = countIn(in); documents > 0; --documents) {
                DocumentId id;
                in >> id.kind >> id.argument;
                group.documents << id;
            }
            in >> group.front;
            column << group;
        }
        if (column.isEmpty())
            return {};
        area.columns << column;
    }
    in >> area.heights >> area.widths >> area.column >> area.row;
    return in.status() == QDataStream::Ok && area.widths.size() <= area.columns.size() ? area : SavedArea();
}

} // namespace

DocumentArea::DocumentArea(std::vector<DocumentKind> kinds, QWidget* parent)
    : QWidget(parent)
    , m_kinds(std::move(kinds))
    , m_columns(new QSplitter(Qt::Horizontal, this))
    , m_mark(new QRubberBand(QRubberBand::Rectangle, this))
{
    setObjectName(QStringLiteral("documents"));
    setAccessibleName(tr("Documents"));
    setAcceptDrops(true);
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_columns);
    createActions();
    m_active = addGroup(addColumn(0), 0);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) {
        for (DocumentGroup* group : groupList())
            if (now != nullptr && group->isAncestorOf(now))
                setActive(group);
    });
    for (const DocumentKind& kind : m_kinds)
        if (kind.life == DocumentKind::Life::Pinned)
            open({ kind.name, {} });
    updateActions();
}

// The documents are children: they end when the members are gone.
DocumentArea::~DocumentArea()
{
    disconnect(qApp, nullptr, this, nullptr);
    for (const Document& document : m_documents)
        document.widget->disconnect(this);
}

void DocumentArea::createActions()
{
    const auto add = [this](const QString& text, const char* name, const QKeySequence& keys,
                            const std::function<void()>& run) {
        auto* action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, run);
        m_actions << action;
        return action;
    };
    m_next = add(tr("Ne&xt document"), "window.next-document", QKeySequence(QStringLiteral("Ctrl+Tab")),
                 [this] { step(1); });
    m_previous = add(tr("Pre&vious document"), "window.previous-document",
                     QKeySequence(QStringLiteral("Ctrl+Shift+Tab")), [this] { step(-1); });
    m_splitRight = add(tr("Split to the r&ight"), "window.split-right",
                       QKeySequence(QStringLiteral("Ctrl+\\")), [this] { splitOff(Place::Right); });
    m_splitRight->setIcon(icon(QLatin1String("split")));
    m_splitRight->setToolTip(tr("Show this document beside the others (Ctrl+\\)"));
    m_splitBelow = add(tr("Split &below"), "window.split-below",
                       QKeySequence(QStringLiteral("Ctrl+Shift+\\")), [this] { splitOff(Place::Below); });
    m_join =
        add(tr("&All documents in one row of tabs"), "window.join-documents", {}, [this] { joinGroups(); });
    m_close = add(tr("&Close the document"), "window.close-document", QKeySequence(QStringLiteral("Ctrl+W")),
                  [this] { closeWidget(currentWidget()); });
}

void DocumentArea::updateActions()
{
    const DocumentKind* kind = kindOf(current().kind);
    const bool hasOthers = activeGroup()->count() > 1;
    m_close->setEnabled(kind != nullptr && kind->life != DocumentKind::Life::Pinned);
    m_next->setEnabled(m_documents.size() > 1);
    m_previous->setEnabled(m_next->isEnabled());
    m_splitRight->setEnabled(hasOthers);
    m_splitBelow->setEnabled(hasOthers);
    m_join->setEnabled(groups() > 1);
}

QSplitter* DocumentArea::addColumn(int at)
{
    auto* column = new QSplitter(Qt::Vertical);
    column->setHandleWidth(1);
    column->setChildrenCollapsible(false);
    m_columns->insertWidget(at, column);
    return column;
}

DocumentGroup* DocumentArea::addGroup(QSplitter* column, int at)
{
    auto* group = new DocumentGroup;
    column->insertWidget(at, group);
    group->setSplitAction(m_splitRight);
    connect(group, &DocumentGroup::currentChanged, this, [this, group](QWidget* document) {
        if (m_isRestoring)
            return;
        setActive(group);
        updateActions();
        Q_EMIT currentChanged();
        Q_EMIT arranged();
        if (document != nullptr && document->isVisible())
            Q_EMIT cameToBeSeen(document);
    });
    connect(&group->tabs(), &QTabBar::tabBarClicked, this, [this, group](int tab) {
        QWidget* document = group->at(tab);
        if (document == nullptr)
            return;
        setActive(group);
        QMetaObject::invokeMethod( // once it is in front
            document, [document] { document->setFocus(Qt::MouseFocusReason); }, Qt::QueuedConnection);
    });
    connect(group, &DocumentGroup::closeRequested, this, &DocumentArea::closeWidget);
    connect(group, &DocumentGroup::dragRequested, this, &DocumentArea::startDrag);
    connect(group, &DocumentGroup::menuRequested, this, &DocumentArea::showMenu);
    connect(group, &DocumentGroup::moved, this, &DocumentArea::arranged);
    return group;
}

std::vector<DocumentGroup*> DocumentArea::groupList() const
{
    std::vector<DocumentGroup*> found;
    for (int i = 0; i < m_columns->count(); ++i) {
        const auto* column = qobject_cast<QSplitter*>(m_columns->widget(i));
        for (int k = 0; column != nullptr && k < column->count(); ++k)
            if (auto* group = qobject_cast<DocumentGroup*>(column->widget(k)))
                found.push_back(group);
    }
    return found;
}

int DocumentArea::groups() const
{
    return static_cast<int>(groupList().size());
}

DocumentGroup* DocumentArea::groupOf(const QWidget* document) const
{
    for (DocumentGroup* group : groupList())
        if (group->indexOf(document) >= 0)
            return group;
    return nullptr;
}

DocumentGroup* DocumentArea::activeGroup() const
{
    const std::vector<DocumentGroup*> all = groupList();
    return std::ranges::find(all, m_active) != all.end() ? m_active : all.front();
}

void DocumentArea::setActive(DocumentGroup* group)
{
    if (std::exchange(m_active, group) == group)
        return;
    updateActions();
    Q_EMIT currentChanged();
    Q_EMIT arranged();
}

const DocumentKind* DocumentArea::kindOf(const QString& name) const
{
    const auto found = std::ranges::find(m_kinds, name, &DocumentKind::name);
    return found == m_kinds.end() ? nullptr : &*found;
}

const DocumentArea::Document* DocumentArea::documentOf(const QWidget* widget) const
{
    const auto found = std::ranges::find(m_documents, widget, &Document::widget);
    return found == m_documents.end() ? nullptr : &*found;
}

QWidget* DocumentArea::make(const DocumentId& id)
{
    const DocumentKind* kind = kindOf(id.kind);
    QWidget* widget = kind != nullptr ? kind->make(id.argument, this) : nullptr;
    if (widget == nullptr)
        return nullptr;
    m_documents.push_back({ id, widget });
    connect(widget, &QObject::destroyed, this, [this, widget] {
        std::erase_if(m_documents, [widget](const Document& each) { return each.widget == widget; });
    });
    Q_EMIT made(id, widget);
    return widget;
}

QWidget* DocumentArea::open(const DocumentId& id, Place place)
{
    QWidget* document = find(id);
    if (document == nullptr) {
        document = make(id);
        if (document == nullptr)
            return nullptr;
        put(document, place == Place::Tabs ? activeGroup() : groupBeside(activeGroup(), place));
    }
    Q_EMIT opened();
    const bool wasSeen = isSeen(document);
    groupOf(document)->show(document);
    setActive(groupOf(document));
    updateActions();
    if (!wasSeen && document->isVisible())
        Q_EMIT cameToBeSeen(document);
    Q_EMIT arranged();
    return document;
}

void DocumentArea::put(QWidget* document, DocumentGroup* group, int at)
{
    const Document* known = documentOf(document);
    const DocumentKind* kind = kindOf(known->id.kind);
    group->add(document, icon(kind->icon), kind->life != DocumentKind::Life::Pinned, at);
    updateActions();
}

void DocumentArea::take(QWidget* document)
{
    if (DocumentGroup* group = groupOf(document))
        group->take(document);
}

// Next to a group, where there was none.
DocumentGroup* DocumentArea::groupBeside(DocumentGroup* group, Place place)
{
    auto* column = qobject_cast<QSplitter*>(group->parentWidget());
    const int at = m_columns->indexOf(column);
    const auto halve = [](QSplitter* splitter, int first) {
        QList<int> sizes = splitter->sizes();
        const int whole = sizes.value(first);
        sizes[first] = whole - whole / 2;
        sizes[first + 1] = whole / 2;
        splitter->setSizes(sizes);
    };
    DocumentGroup* made = nullptr;
    if (place == Place::Right) {
        QList<int> sizes = m_columns->sizes();
        sizes.insert(at + 1, 0);
        made = addGroup(addColumn(at + 1), 0);
        m_columns->setSizes(sizes);
        halve(m_columns, at);
    } else {
        const int row = column->indexOf(group);
        QList<int> sizes = column->sizes();
        sizes.insert(row + 1, 0);
        made = addGroup(column, row + 1);
        column->setSizes(sizes);
        halve(column, row);
    }
    return made;
}

void DocumentArea::dropEmptyGroups()
{
    for (DocumentGroup* group : groupList()) {
        if (group->count() > 0 || groups() == 1)
            continue;
        auto* column = qobject_cast<QSplitter*>(group->parentWidget());
        group->setParent(nullptr);
        group->deleteLater(); // it may be what asked for this
        if (column->count() == 0) {
            column->setParent(nullptr);
            column->deleteLater();
        }
    }
    m_active = activeGroup();
    updateActions();
}

void DocumentArea::close(const DocumentId& id)
{
    closeWidget(find(id));
}

void DocumentArea::closeWidget(QWidget* document)
{
    const Document* known = documentOf(document);
    const DocumentKind* kind = known != nullptr ? kindOf(known->id.kind) : nullptr;
    if (kind == nullptr || kind->life == DocumentKind::Life::Pinned)
        return;
    const bool hadFocus = document->isAncestorOf(QApplication::focusWidget());
    take(document);
    std::erase_if(m_documents, [document](const Document& each) { return each.widget == document; });
    document->setParent(this);
    if (kind->life == DocumentKind::Life::Owned) {
        document->disconnect(this);
        document->deleteLater();
    }
    dropEmptyGroups();
    if (hadFocus && currentWidget() != nullptr)
        currentWidget()->setFocus(Qt::OtherFocusReason);
    Q_EMIT currentChanged();
    Q_EMIT arranged();
}

void DocumentArea::closeAll()
{
    for (const DocumentId& id : documents())
        close(id);
}

void DocumentArea::moveTo(const DocumentId& id, const DocumentId& beside, Place place)
{
    QWidget* document = find(id);
    DocumentGroup* target = groupOf(find(beside));
    if (document == nullptr || target == nullptr
        || (target->indexOf(document) >= 0 && (place == Place::Tabs || target->count() == 1)))
        return;
    const bool hadFocus = document->isAncestorOf(QApplication::focusWidget());
    if (place != Place::Tabs)
        target = groupBeside(target, place);
    take(document);
    put(document, target);
    target->show(document);
    m_active = target;
    dropEmptyGroups();
    if (hadFocus)
        document->setFocus(Qt::OtherFocusReason);
    Q_EMIT currentChanged();
    Q_EMIT arranged();
    for (const QWidget* each : seen())
        Q_EMIT cameToBeSeen(each); // also what stood behind it
}

void DocumentArea::splitOff(Place place)
{
    if (activeGroup()->count() > 1)
        moveTo(current(), current(), place);
}

void DocumentArea::joinGroups()
{
    QWidget* front = currentWidget();
    const std::vector<DocumentGroup*> all = groupList();
    for (DocumentGroup* group : all)
        while (group != all.front() && group->count() > 0) {
            QWidget* document = group->at(0);
            take(document);
            put(document, all.front());
        }
    dropEmptyGroups();
    all.front()->show(front);
    front->setFocus(Qt::OtherFocusReason);
    Q_EMIT arranged();
}

void DocumentArea::step(int by)
{
    const QList<DocumentId> all = documents();
    if (all.size() < 2)
        return;
    const qsizetype at = (all.indexOf(current()) + by + all.size()) % all.size();
    if (QWidget* document = open(all[at]))
        document->setFocus(by > 0 ? Qt::TabFocusReason : Qt::BacktabFocusReason);
}

QWidget* DocumentArea::find(const DocumentId& id) const
{
    const auto found = std::ranges::find(m_documents, id, &Document::id);
    return found == m_documents.end() ? nullptr : found->widget;
}

QWidget* DocumentArea::currentWidget() const
{
    return activeGroup()->current();
}

DocumentId DocumentArea::current() const
{
    return idOf(currentWidget());
}

DocumentId DocumentArea::idOf(const QWidget* widget) const
{
    const Document* document = documentOf(widget);
    return document == nullptr ? DocumentId() : document->id;
}

QList<DocumentId> DocumentArea::documents() const
{
    QList<DocumentId> all;
    for (const DocumentGroup* group : groupList())
        for (int i = 0; i < group->count(); ++i)
            if (const Document* document = documentOf(group->at(i)))
                all << document->id;
    return all;
}

QList<QWidget*> DocumentArea::seen() const
{
    QList<QWidget*> all;
    for (const DocumentGroup* group : groupList())
        if (QWidget* front = group->current(); front != nullptr && front->isVisible())
            all << front;
    return all;
}

bool DocumentArea::isSeen(const QWidget* document) const
{
    const DocumentGroup* group = groupOf(document);
    return group != nullptr && group->current() == document && document->isVisible();
}

QByteArray DocumentArea::save() const
{
    SavedArea area;
    area.widths = m_columns->sizes();
    for (int i = 0; i < m_columns->count(); ++i) {
        const auto* column = qobject_cast<QSplitter*>(m_columns->widget(i));
        QList<SavedGroup> groups;
        for (int k = 0; k < column->count(); ++k) {
            const auto* group = qobject_cast<DocumentGroup*>(column->widget(k));
            SavedGroup saved;
            for (int tab = 0; tab < group->count(); ++tab)
                saved.documents << documentOf(group->at(tab))->id;
            saved.front = group->indexOf(group->current());
            groups << saved;
            if (group == m_active) {
                area.column = i;
                area.row = k;
            }
        }
        area.columns << groups;
        area.heights << column->sizes();
    }
    QByteArray saved;
    QDataStream out(&saved, QIODevice::WriteOnly);
    out << area;
    return saved;
}

void DocumentArea::restore(const QByteArray& saved, bool opens)
{
    const SavedArea area = areaIn(saved);
    if (area.columns.isEmpty())
        return;
    m_isRestoring = true;
    const QList<DocumentId> open = documents();
    std::vector<DocumentGroup*> former = groupList();
    DocumentGroup* first = nullptr;
    DocumentGroup* active = nullptr;
    QList<DocumentId> placed;
    for (qsizetype c = 0; c < area.columns.size(); ++c) {
        QSplitter* column = addColumn(m_columns->count());
        for (qsizetype r = 0; r < area.columns[c].size(); ++r) {
            const SavedGroup& wanted = area.columns[c][r];
            DocumentGroup* group = addGroup(column, column->count());
            first = first != nullptr ? first : group;
            if (c == area.column && r == area.row)
                active = group;
            for (const DocumentId& id : wanted.documents) {
                if (placed.contains(id) || (!open.contains(id) && !opens))
                    continue;
                QWidget* document = find(id);
                if (document == nullptr)
                    document = make(id);
                if (document == nullptr) // its file, thread or artifact has gone
                    continue;
                take(document);
                put(document, group);
                placed << id;
            }
            if (QWidget* front = group->at(std::clamp(wanted.front, 0, std::max(0, group->count() - 1))))
                group->show(front);
        }
        if (c < area.heights.size())
            column->setSizes(area.heights[c]);
    }
    for (const DocumentId& id : open)
        if (!placed.contains(id)) {
            QWidget* document = find(id);
            take(document);
            put(document, first);
        }
    m_columns->setSizes(QList<int>(m_columns->count() - area.widths.size(), 0) + area.widths);
    m_active = active;
    dropEmptyGroups();
    m_isRestoring = false;
    Q_EMIT currentChanged();
    for (const QWidget* each : seen())
        Q_EMIT cameToBeSeen(each);
}

void DocumentArea::showMenu(QWidget* document, const QPoint& at)
{
    const Document* known = documentOf(document);
    if (known == nullptr)
        return;
    open(known->id);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({ m_close, m_splitRight, m_splitBelow, m_join });
    menu->popup(at);
}

void DocumentArea::startDrag(QWidget* document)
{
    const Document* known = documentOf(document);
    if (known == nullptr)
        return;
    auto* named = new QMimeData;
    QByteArray name;
    QDataStream out(&name, QIODevice::WriteOnly);
    out << known->id.kind << known->id.argument;
    named->setData(mimeType(), name);
    auto* drag = new QDrag(this);
    drag->setMimeData(named);
    drag->setPixmap(icon(kindOf(known->id.kind)->icon).pixmap(16, 16));
    drag->exec(Qt::MoveAction);
    m_mark->hide();
}

DocumentArea::Target DocumentArea::targetAt(const QPoint& at) const
{
    for (DocumentGroup* group : groupList()) {
        const QRect rect(group->mapTo(this, QPoint()), group->size());
        if (!rect.contains(at))
            continue;
        Target target{ group, Place::Tabs, rect };
        const QPoint inside = at - rect.topLeft();
        if (inside.x() > rect.width() * (100 - kEdge) / 100) {
            target.place = Place::Right;
            target.rect.setLeft(rect.left() + rect.width() / 2);
        } else if (inside.y() > rect.height() * (100 - kEdge) / 100) {
            target.place = Place::Below;
            target.rect.setTop(rect.top() + rect.height() / 2);
        }
        return target;
    }
    return {};
}

void DocumentArea::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasFormat(mimeType()))
        event->acceptProposedAction();
}

void DocumentArea::dragMoveEvent(QDragMoveEvent* event)
{
    const Target target = targetAt(event->position().toPoint());
    m_mark->setVisible(target.group != nullptr);
    if (target.group == nullptr)
        return;
    m_mark->setGeometry(target.rect);
    m_mark->raise();
    event->acceptProposedAction();
}

void DocumentArea::dragLeaveEvent(QDragLeaveEvent*)
{
    m_mark->hide();
}

void DocumentArea::dropEvent(QDropEvent* event)
{
    m_mark->hide();
    QDataStream in(event->mimeData()->data(mimeType()));
    DocumentId id;
    in >> id.kind >> id.argument;
    const Target target = targetAt(event->position().toPoint());
    if (find(id) == nullptr || target.group == nullptr)
        return;
    event->acceptProposedAction();
    moveTo(id, documentOf(target.group->current())->id, target.place);
}

} // namespace sg::ui
