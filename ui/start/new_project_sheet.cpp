#include "ui/start/new_project_sheet.h"

#include "ui/start/card_grid.h"
#include "ui/start/template_card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_edit.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/strip.h"

#include <QApplication>
#include <QButtonGroup>
#include <QFileDialog>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <vector>

namespace sg::ui {
namespace {

constexpr int kSheetWidth = 1040;
constexpr int kSheetHeight = 680;
constexpr int kBelowToolBar = 16;
constexpr int kSheetMargin = 12; // of a window that is smaller than the sheet
constexpr int kTemplatePicture = 104;
constexpr int kTemplateWidth = 226; // four beside each other in the whole sheet
constexpr int kTemplateGap = 14;
constexpr int kAskMs = 150;

// A window's own padding; the sheet's edge is drawn by its parent.
class Card final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color(&Tokens::strong), 1));
        painter.setBrush(color(&Tokens::window));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    }
};

// The plain ones come first, from the simplest on; then the others as they are.
int placeOf(const TemplateRow& row)
{
    constexpr std::array kFirst{ "empty", "python", "approval", "fan-out" };
    if (row.isExample)
        return static_cast<int>(kFirst.size()) + 1;
    const auto found =
        std::ranges::find_if(kFirst, [&row](const char* id) { return row.id == QLatin1String(id); });
    return static_cast<int>(found - kFirst.begin());
}

QString lastFolder(const QString& path)
{
    return path.section(QLatin1Char('/'), -1);
}

} // namespace

NewProjectSheet::NewProjectSheet(QWidget* window)
    : QWidget(window)
    , m_window(window)
    , m_sheet(new Card(this))
    , m_cards(new QButtonGroup(this))
    , m_askSoon(new QTimer(this))
{
    setObjectName(QStringLiteral("newProjectSheet"));
    setAccessibleName(tr("New project"));
    setFocusPolicy(Qt::ClickFocus);
    hide();
    m_askSoon->setSingleShot(true);
    m_askSoon->setInterval(kAskMs);
    connect(m_askSoon, &QTimer::timeout, this, &NewProjectSheet::askPlace);
    auto* column = new QVBoxLayout(m_sheet);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    column->addWidget(makeHead());
    column->addWidget(makeBody(), 1);
    column->addWidget(makeFoot());
    connect(m_name, &QLineEdit::textEdited, this, &NewProjectSheet::nameTyped);
    connect(m_place, &QLineEdit::textEdited, m_askSoon, qOverload<>(&QTimer::start));
    connect(m_search, &FilterEdit::filterChanged, this, &NewProjectSheet::filter);
    connect(m_cards, &QButtonGroup::buttonToggled, this, &NewProjectSheet::showChosen);
    for (QLineEdit* field : { m_name, m_place })
        connect(field, &QLineEdit::returnPressed, this, &NewProjectSheet::create);
    window->installEventFilter(this);
}

QWidget* NewProjectSheet::makeHead()
{
    auto* head = new QWidget(m_sheet);
    auto* grid = new QGridLayout(head);
    grid->setContentsMargins(20, 14, 20, 12);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    auto* title = new InkLabel(&Tokens::text, TextSize::Heading, QFont::DemiBold, head);
    title->setText(tr("New project"));
    auto* shut = new QToolButton(head);
    shut->setIcon(icon(QLatin1String("close")));
    shut->setAutoRaise(true);
    shut->setAccessibleName(tr("Close without making a project"));
    shut->setToolTip(tr("Close (Esc)"));
    connect(shut, &QToolButton::clicked, this, &NewProjectSheet::close);
    grid->addWidget(title, 0, 0, 1, 3);
    grid->addWidget(shut, 0, 3, Qt::AlignRight);
    grid->setRowMinimumHeight(0, scaledLength(32));

    const auto label = [&](const QString& text, QWidget* field) {
        auto* made = new InkLabel(&Tokens::text2, TextSize::Normal, QFont::Normal, head);
        made->setText(text);
        made->setBuddy(field);
        return made;
    };
    m_name = new QLineEdit(head);
    m_name->setObjectName(QStringLiteral("newProjectName"));
    m_name->setAccessibleName(tr("Name"));
    m_name->setMaxLength(80);
    m_place = new QLineEdit(head);
    m_place->setObjectName(QStringLiteral("newProjectPlace"));
    m_place->setAccessibleName(tr("Place"));
    m_place->addAction(icon(QLatin1String("folder")), QLineEdit::LeadingPosition);
    auto* choose = new QPushButton(tr("Choose…"), head);
    choose->setAccessibleName(tr("Choose the folder that the project's folder is made in"));
    connect(choose, &QPushButton::clicked, this, &NewProjectSheet::chooseFolder);
    grid->addWidget(label(tr("Name"), m_name), 1, 0);
    grid->addWidget(m_name, 1, 1);
    grid->addWidget(label(tr("Place"), m_place), 2, 0);
    grid->addWidget(m_place, 2, 1);
    grid->addWidget(choose, 2, 2);
    m_placeNote = new InkLabel(&Tokens::text2, TextSize::Small, QFont::Normal, head);
    m_placeNote->setObjectName(QStringLiteral("newProjectPlaceNote"));
    m_placeFault = new InkLabel(&Tokens::failed, TextSize::Small, QFont::Normal, head);
    m_placeFault->setObjectName(QStringLiteral("newProjectPlaceFault"));
    for (InkLabel* note : { m_placeNote, m_placeFault }) {
        note->setWordWrap(true);
        grid->addWidget(note, 3, 1, 1, 3);
    }
    m_placeFault->hide();
    grid->setRowMinimumHeight(3, scaledLength(18));
    grid->setColumnMinimumWidth(0, scaledLength(60));
    grid->setColumnStretch(1, 5);
    grid->setColumnStretch(3, 3);
    return head;
}

QWidget* NewProjectSheet::makeBody()
{
    auto* body = new QWidget(m_sheet);
    body->setAutoFillBackground(true);
    body->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new Strip(1, &Tokens::border, body);
    line->setFixedHeight(1);
    column->addWidget(line);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(20, 12, 20, 12);
    auto* heading = new InkLabel(&Tokens::text, TextSize::Normal, QFont::DemiBold, body);
    heading->setText(tr("Begin with"));
    m_search = new FilterEdit(tr("Search templates"), FilterEdit::Sign::Search, body);
    m_search->setAccessibleName(tr("Search templates"));
    m_search->setFixedWidth(scaledLength(200));
    top->addWidget(heading, 1);
    top->addWidget(m_search);
    column->addLayout(top);

    auto* scroll = new QScrollArea(body);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    auto* page = new QWidget(scroll);
    page->setBackgroundRole(QPalette::Base);
    auto* inner = new QVBoxLayout(page);
    inner->setContentsMargins(20, 2, 20, 12);
    m_grid = new CardGrid(kTemplateWidth, kTemplateGap, page);
    inner->addWidget(m_grid);
    inner->addStretch(1);
    scroll->setWidget(page);
    column->addWidget(scroll, 1);

    m_about = new InkLabel(&Tokens::text2, TextSize::Dense, QFont::Normal, body);
    m_about->setObjectName(QStringLiteral("newProjectAbout"));
    m_about->setWordWrap(true);
    m_about->setContentsMargins(20, 8, 20, 8);
    m_about->setMinimumHeight(scaledLength(36));
    column->addWidget(m_about);
    return body;
}

QWidget* NewProjectSheet::makeFoot()
{
    auto* foot = new QWidget(m_sheet);
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* line = new Strip(1, &Tokens::border, foot);
    line->setFixedHeight(1);
    column->addWidget(line);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(20, 12, 20, 12);
    row->setSpacing(8);
    m_fault = new InkLabel(&Tokens::failed, TextSize::Dense, QFont::Normal, foot);
    m_fault->setObjectName(QStringLiteral("newProjectFault"));
    m_fault->setWordWrap(true);
    m_fault->hide();
    auto* what = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, foot);
    what->setText(tr("Opens in Build, the first node selected"));
    auto* cancel = new QPushButton(tr("Cancel"), foot);
    connect(cancel, &QPushButton::clicked, this, &NewProjectSheet::close);
    m_create = new QPushButton(tr("Create project"), foot);
    m_create->setObjectName(QStringLiteral("newProjectCreate"));
    m_create->setProperty("sgPrimary", true);
    connect(m_create, &QPushButton::clicked, this, &NewProjectSheet::create);
    row->addWidget(m_fault, 1);
    row->addWidget(what, 1);
    row->addWidget(cancel);
    row->addWidget(m_create);
    column->addLayout(row);
    return foot;
}

void NewProjectSheet::open(const QString& parentFolder, const QString& templateId)
{
    m_wantedTemplate = templateId;
    m_isBusy = false;
    m_canStand = false;
    m_fault->hide();
    m_placeNote->clear();
    m_placeFault->hide();
    m_search->clear();
    m_before = QApplication::focusWidget();
    m_lastName = templateId.isEmpty() || templateId == QLatin1String("empty") ? tr("untitled") : templateId;
    m_name->setText(m_lastName);
    m_place->setText(parentFolder + QLatin1Char('/') + m_lastName);
    showFoot();
    lieOverWindow();
    show();
    raise();
    m_name->setFocus();
    m_name->selectAll();
    Q_EMIT templatesWanted(parentFolder, m_lastName);
}

void NewProjectSheet::setTemplates(const TemplateRows& rows)
{
    QList<QWidget*> cards;
    TemplateCard* first = nullptr;
    std::vector<TemplateRow> templates = rows.templates;
    std::ranges::stable_sort(templates, {}, [](const TemplateRow& row) { return placeOf(row); });
    for (const TemplateRow& row : templates) {
        auto* card = new TemplateCard(row, kTemplatePicture, m_grid);
        card->setCheckable(true);
        m_cards->addButton(card);
        connect(card, &TemplateCard::activated, this, &NewProjectSheet::create);
        cards << card;
        if (first == nullptr || row.id == m_wantedTemplate)
            first = card;
    }
    m_grid->setCards(cards);
    if (first != nullptr)
        first->setChecked(true);
    if (m_name->text() == m_lastName && !rows.freeName.isEmpty()) { // nothing was typed yet
        m_name->setText(rows.freeName);
        m_name->selectAll();
        nameTyped(rows.freeName);
    }
    askPlace();
}

// The place's last folder is named like the project until somebody names it otherwise.
void NewProjectSheet::nameTyped(const QString& name)
{
    const QString place = m_place->text();
    if (lastFolder(place) == m_lastName)
        m_place->setText(place.left(place.size() - m_lastName.size()) + name);
    m_lastName = name;
    m_askSoon->start();
}

void NewProjectSheet::askPlace()
{
    m_askSoon->stop();
    Q_EMIT placeTyped(m_name->text().trimmed(), m_place->text().trimmed());
}

void NewProjectSheet::setPlace(const NewPlaceRow& place)
{
    m_canStand = place.error.what.isEmpty();
    m_placeFault->setVisible(!m_canStand);
    m_placeNote->setVisible(m_canStand);
    m_placeFault->setText(place.error.what);
    if (place.made.size() > 1)
        m_placeNote->setText(
            tr("The folders %1 and %2 will be made.")
                .arg(place.made.mid(0, place.made.size() - 1).join(QStringLiteral(", ")), place.made.back()));
    else
        m_placeNote->setText(place.made.isEmpty()
                                 ? tr("The folder is there already: its files stay.")
                                 : tr("The folder %1 will be made.").arg(place.made.front()));
    showFoot();
}

void NewProjectSheet::setError(const UserError& error)
{
    m_isBusy = false;
    m_fault->setText(error.what);
    m_fault->setVisible(!error.what.isEmpty());
    showFoot();
}

void NewProjectSheet::close()
{
    m_askSoon->stop();
    hide();
    if (m_before != nullptr)
        m_before->setFocus();
    m_before = nullptr;
}

QString NewProjectSheet::parentFolder() const
{
    return m_place->text().trimmed().section(QLatin1Char('/'), 0, -2);
}

void NewProjectSheet::chooseFolder()
{
    auto* dialog = new QFileDialog(this, tr("Folder that the project's folder is made in"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        m_place->setText(folder + QLatin1Char('/') + m_name->text().trimmed());
        m_lastName = m_name->text();
        askPlace();
    });
    dialog->open();
}

void NewProjectSheet::filter(const QString& words)
{
    QList<QWidget*> shown;
    for (QAbstractButton* button : m_cards->buttons()) {
        const TemplateRow& row = static_cast<TemplateCard*>(button)->row();
        const bool fits = words.isEmpty() || row.title.contains(words, Qt::CaseInsensitive)
            || row.facts.contains(words, Qt::CaseInsensitive)
            || row.description.contains(words, Qt::CaseInsensitive);
        button->setVisible(fits);
        if (fits)
            shown << button;
    }
    m_grid->showOnly(shown);
}

TemplateCard* NewProjectSheet::chosen() const
{
    return static_cast<TemplateCard*>(m_cards->checkedButton());
}

void NewProjectSheet::showChosen()
{
    if (const TemplateCard* card = chosen()) {
        const TemplateRow& row = card->row();
        m_about->setText(row.description.isEmpty() ? QString() // the card tells its facts
                                                   : row.title + QStringLiteral(": ") + row.description);
    }
    showFoot();
}

void NewProjectSheet::showFoot()
{
    m_create->setEnabled(m_canStand && !m_isBusy && chosen() != nullptr);
    m_create->setToolTip(m_canStand ? QString() : m_placeFault->text());
}

void NewProjectSheet::create()
{
    if (m_askSoon->isActive())
        askPlace(); // the answer enables the button
    if (!m_create->isEnabled())
        return;
    m_isBusy = true;
    m_fault->hide();
    showFoot();
    Q_EMIT createRequested(m_name->text().trimmed(), m_place->text().trimmed(), chosen()->row().id);
}

void NewProjectSheet::lieOverWindow()
{
    int top = 0;
    if (const auto* window = qobject_cast<QMainWindow*>(m_window))
        for (const QToolBar* bar : window->findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
            top = std::max(top, bar->geometry().bottom() + 1);
    setGeometry(0, top, m_window->width(), m_window->height() - top);
    const int wide = std::min(scaledLength(kSheetWidth), width() - 2 * kSheetMargin);
    const int high = std::min(scaledLength(kSheetHeight), height() - kBelowToolBar - kSheetMargin);
    m_sheet->setGeometry((width() - wide) / 2, kBelowToolBar, wide, high);
}

bool NewProjectSheet::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_window && event->type() == QEvent::Resize && isVisible())
        lieOverWindow();
    return QWidget::eventFilter(watched, event);
}

bool NewProjectSheet::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept(); // the keys are for its fields, not for the window beneath
        return true;
    }
    return QWidget::event(event);
}

void NewProjectSheet::paintEvent(QPaintEvent*)
{
    QColor shade = color(&Tokens::window);
    shade.setAlphaF(0.8F);
    QPainter(this).fillRect(rect(), shade);
}

void NewProjectSheet::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

bool NewProjectSheet::focusNextPrevChild(bool next)
{
    QWidget* at = QApplication::focusWidget();
    if (at == nullptr)
        at = this;
    for (QWidget* other = next ? at->nextInFocusChain() : at->previousInFocusChain(); other != at;
         other = next ? other->nextInFocusChain() : other->previousInFocusChain()) {
        const bool takesTab = (other->focusPolicy() & Qt::TabFocus) != 0 && other->isVisible()
            && other->isEnabled() && m_sheet->isAncestorOf(other);
        const auto* card = qobject_cast<TemplateCard*>(other);
        if (!takesTab || (card != nullptr && !card->isChecked())) // arrows go from card to card
            continue;
        other->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
        return true;
    }
    return true;
}

} // namespace sg::ui
