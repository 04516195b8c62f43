#include "ui/connections/connections_panel.h"

#include "ui/bridge/connections/connections_client.h"
#include "ui/connections/connection_form.h"
#include "ui/connections/connection_model.h"
#include "ui/connections/remote_model.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QShowEvent>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

void dress(QTableView& table, QAbstractItemModel* model, const QString& name)
{
    table.setModel(model);
    table.setAccessibleName(name);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setFont(uiFont(TextSize::Dense));
    table.setIconSize(QSize(14, 14));
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(scaledLength(28));
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

QString kindWords(const ConnectionRow& row)
{
    return row.kind == sandbox::e2b::ServiceKind::Kruise ? ConnectionsPanel::tr("OpenKruise")
                                                         : ConnectionsPanel::tr("E2B");
}

QString routingWords(const ConnectionRow& row)
{
    using sandbox::e2b::Routing;
    switch (row.routing) {
    case Routing::Host: return ConnectionsPanel::tr("sandboxes by host name");
    case Routing::Path: return ConnectionsPanel::tr("sandboxes by path");
    case Routing::Headers: break;
    }
    return ConnectionsPanel::tr("sandboxes by headers");
}

// "pause (memory and files are kept), terminal (…)".
QString abilities(const ConnectionRow& row, bool areGiven)
{
    QStringList words;
    for (const AbilityRow& ability : row.abilities)
        if (ability.isGiven == areGiven)
            words << QStringLiteral("%1 (%2)").arg(ability.name, ability.note);
    return words.join(QStringLiteral(", "));
}

QString factsOf(const ConnectionRow& row, const ConnectionHealth* health)
{
    QStringList lines;
    lines << ConnectionsPanel::tr("%1 at %2, %3. Key: %4, by its name alone.")
                 .arg(kindWords(row), row.api, routingWords(row), row.key);
    QString made = ConnectionsPanel::tr(
                       "New sandboxes from template %1; they live on for %2 s when nobody asks for more.")
                       .arg(row.sandboxTemplate)
                       .arg(row.timeSeconds);
    if (health != nullptr && health->error.what.isEmpty())
        made += QLatin1Char(' ')
            + (!health->listsTemplates
                   ? ConnectionsPanel::tr("The service lists no templates.")
                   : ConnectionsPanel::tr("Templates there: %1.")
                         .arg(health->templates.isEmpty()
                                  ? ConnectionsPanel::tr("none")
                                  : health->templates.mid(0, 8).join(QStringLiteral(", "))));
    lines << made;
    lines << ConnectionsPanel::tr("Can: %1.").arg(abilities(row, true));
    lines << ConnectionsPanel::tr("Cannot: %1.").arg(abilities(row, false));
    if (health != nullptr && !health->error.what.isEmpty())
        lines << health->error.what;
    return lines.join(QLatin1Char('\n'));
}

QPushButton* addVerb(QHBoxLayout& row, QWidget* parent, const QString& words, const char* iconName,
                     Token ink = &Tokens::text2)
{
    auto* button = new QPushButton(icon(QLatin1String(iconName), ink), words, parent);
    makeDense(button);
    row.addWidget(button);
    return button;
}

} // namespace

ConnectionsPanel::ConnectionsPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new ConnectionModel(this))
    , m_remote(new RemoteModel(this))
    , m_banner(new Banner(this))
    , m_pages(new QStackedWidget(this))
    , m_empty(new EmptyState(QLatin1String("link"),
                             tr("Services elsewhere on which your sessions may run appear here."), m_pages))
    , m_table(new QTableView(this))
    , m_sandboxes(new QTableView(this))
    , m_form(new ConnectionForm(this))
{
    setAccessibleName(tr("Connections"));
    dress(*m_table, m_model, tr("Connections"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(ConnectionModel::AddressColumn, QHeaderView::Stretch);
    m_table->setColumnWidth(ConnectionModel::NameColumn, scaledLength(150));
    m_table->setColumnWidth(ConnectionModel::AnswerColumn, scaledLength(110));
    m_table->setColumnWidth(ConnectionModel::CanColumn, scaledLength(220));
    m_table->setColumnWidth(ConnectionModel::KeyColumn, scaledLength(100));
    auto* filled = new QWidget;
    auto* parts = new QVBoxLayout(filled);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(0);
    parts->addWidget(m_table, 3);
    parts->addWidget(makeFacts());
    parts->addWidget(makeSandboxes());
    parts->addWidget(m_sandboxes, 2);
    m_table->setMinimumHeight(scaledLength(90));
    m_sandboxes->setMinimumHeight(scaledLength(86));
    auto* scroll = new QScrollArea(m_pages); // a small window shows a part of it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(filled);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(scroll);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(m_banner);
    column->addWidget(m_pages, 1);
    m_banner->setClosable(true);
    setFocusProxy(m_table);
    connect(m_empty->setButton(tr("New connection…")), &QPushButton::clicked, this, &ConnectionsPanel::add);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ConnectionsPanel::showFacts);
    connect(m_table, &QTableView::activated, this, &ConnectionsPanel::edit);
    connect(m_form, &ConnectionForm::saveRequested, this, &ConnectionsPanel::saveRequested);
    showCounts();
    showFacts();
}

ConnectionsPanel::ConnectionsPanel(ConnectionsClient& client, QWidget* parent)
    : ConnectionsPanel(parent)
{
    connect(this, &ConnectionsPanel::loadRequested, &client, &ConnectionsClient::load);
    connect(this, &ConnectionsPanel::checkRequested, &client, &ConnectionsClient::check);
    connect(this, &ConnectionsPanel::saveRequested, &client, &ConnectionsClient::save);
    connect(this, &ConnectionsPanel::removeRequested, &client, &ConnectionsClient::remove);
    connect(this, &ConnectionsPanel::endRequested, &client, &ConnectionsClient::endSandbox);
    connect(&client, &ConnectionsClient::loaded, this, &ConnectionsPanel::setConnections);
    connect(&client, &ConnectionsClient::checked, this, &ConnectionsPanel::setHealth);
    connect(&client, &ConnectionsClient::saved, this, &ConnectionsPanel::setSaved);
    connect(&client, &ConnectionsClient::removed, this, &ConnectionsPanel::setRemoved);
    connect(
        &client, &ConnectionsClient::sandboxEnded, this,
        [this](const QString&, const QString& sandbox, const UserError& error) { setEnded(sandbox, error); });
}

QWidget* ConnectionsPanel::makeBar()
{
    auto* bar = new Strip(34, &Tokens::subtle, this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(6);
    m_counts = new ElidedLabel({}, bar);
    row->addWidget(m_counts, 1);
    m_checkAll = addVerb(*row, bar, tr("Check all"), "replay");
    connect(m_checkAll, &QPushButton::clicked, this, &ConnectionsPanel::checkAll);
    connect(addVerb(*row, bar, tr("New connection…"), "plus"), &QPushButton::clicked, this,
            &ConnectionsPanel::add);
    return bar;
}

QWidget* ConnectionsPanel::makeFacts()
{
    auto* foot = new Strip(0, &Tokens::subtle, this);
    foot->setMinimumHeight(scaledLength(96));
    foot->setMaximumHeight(QWIDGETSIZE_MAX);
    m_facts = new InkLabel(&Tokens::text2, TextSize::Dense, QFont::Normal, foot);
    m_facts->setObjectName(QStringLiteral("connectionFacts"));
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* verbs = new QHBoxLayout;
    verbs->setSpacing(6);
    m_check = addVerb(*verbs, foot, tr("Check now"), "replay");
    m_edit = addVerb(*verbs, foot, tr("Change…"), "gear");
    m_remove = addVerb(*verbs, foot, tr("Remove connection"), "trash", &Tokens::failed);
    verbs->addStretch();
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(8);
    column->addWidget(m_facts);
    column->addLayout(verbs);
    connect(m_check, &QPushButton::clicked, this, [this] {
        if (const ConnectionRow* row = chosen())
            check(row->name);
    });
    connect(m_edit, &QPushButton::clicked, this, &ConnectionsPanel::edit);
    connect(m_remove, &QPushButton::clicked, this, &ConnectionsPanel::remove);
    return foot;
}

QWidget* ConnectionsPanel::makeSandboxes()
{
    auto* bar = new Strip(32, &Tokens::subtle, this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(6);
    m_remoteCounts = new ElidedLabel({}, bar);
    row->addWidget(m_remoteCounts, 1);
    m_end = addVerb(*row, bar, tr("End…"), "stop", &Tokens::failed);
    m_endAll = addVerb(*row, bar, tr("End all…"), "stop", &Tokens::failed);
    connect(m_end, &QPushButton::clicked, this, [this] { askToEnd(false); });
    connect(m_endAll, &QPushButton::clicked, this, [this] { askToEnd(true); });
    dress(*m_sandboxes, m_remote, tr("Sandboxes elsewhere"));
    m_sandboxes->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_sandboxes->horizontalHeader()->setSectionResizeMode(RemoteModel::ThreadColumn, QHeaderView::Stretch);
    m_sandboxes->setColumnWidth(RemoteModel::SandboxColumn, scaledLength(220));
    m_sandboxes->setColumnWidth(RemoteModel::WhereColumn, scaledLength(150));
    m_sandboxes->setColumnWidth(RemoteModel::LeftColumn, scaledLength(130));
    connect(m_sandboxes->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ConnectionsPanel::showCounts);
    return bar;
}

const ConnectionRow* ConnectionsPanel::chosen() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? &m_model->rows()[static_cast<std::size_t>(current.row())] : nullptr;
}

void ConnectionsPanel::setConnections(const std::vector<ConnectionRow>& rows, const UserError& error)
{
    if (!error.what.isEmpty()) {
        m_banner->clearActions();
        m_banner->showMessage(Banner::Kind::Error, error.what);
        return;
    }
    const ConnectionRow* before = chosen();
    const QString name = before == nullptr ? QString() : before->name;
    m_model->reset(rows);
    QStringList names;
    for (const ConnectionRow& row : rows)
        names << row.name;
    m_remote->keep(names);
    if (!rows.empty())
        m_table->setCurrentIndex(m_model->index(std::max(0, m_model->rowOf(name)), 0));
    m_pages->setCurrentIndex(rows.empty() ? 0 : 1);
    for (const ConnectionRow& row : rows)
        if (m_model->healthOf(row.name) == nullptr)
            check(row.name);
    showCounts();
    showFacts();
}

void ConnectionsPanel::setHealth(const ConnectionHealth& health)
{
    m_model->setHealth(health);
    if (health.error.what.isEmpty() && m_model->rowOf(health.name) >= 0)
        m_remote->setSandboxes(health.name, health.sandboxes);
    showCounts();
    showFacts();
}

void ConnectionsPanel::setSaved(const QString& name, const UserError& error)
{
    if (!error.what.isEmpty()) {
        if (m_form->isVisible())
            m_form->showFault(error.what);
        return;
    }
    m_form->lift();
    if (m_model->rowOf(name) >= 0)
        check(name);
    Q_EMIT loadRequested();
}

void ConnectionsPanel::setRemoved(const QString& name, const UserError& error)
{
    m_banner->clearActions();
    if (!error.what.isEmpty()) {
        m_banner->showMessage(Banner::Kind::Error, error.what);
    } else {
        m_banner->showMessage(Banner::Kind::Info,
                              tr("**%1** is removed; its sandboxes end when their time is over.").arg(name));
        connect(m_banner->addButton(tr("Bring it back")), &QPushButton::clicked, this, [this] {
            m_banner->hide();
            Q_EMIT saveRequested(m_removed);
        });
    }
    Q_EMIT loadRequested();
}

void ConnectionsPanel::setEnded(const QString& sandbox, const UserError& error)
{
    if (error.what.isEmpty()) {
        m_remote->remove(sandbox);
        showCounts();
        return;
    }
    m_banner->clearActions();
    m_banner->showMessage(Banner::Kind::Error, tr("%1 was not ended. %2").arg(sandbox, error.what));
}

void ConnectionsPanel::checkAll()
{
    for (const ConnectionRow& row : m_model->rows())
        check(row.name);
}

void ConnectionsPanel::check(const QString& name)
{
    m_model->setAsking(name);
    Q_EMIT checkRequested(name);
}

void ConnectionsPanel::add()
{
    ConnectionRow fresh;
    m_form->begin(fresh, true, {});
}

void ConnectionsPanel::edit()
{
    const ConnectionRow* row = chosen();
    if (row == nullptr)
        return;
    const ConnectionHealth* health = m_model->healthOf(row->name);
    m_form->begin(*row, false, health == nullptr ? QStringList() : health->templates);
}

void ConnectionsPanel::remove()
{
    const ConnectionRow* row = chosen();
    if (row == nullptr)
        return;
    m_removed = *row;
    Q_EMIT removeRequested(row->name);
}

// Ending a sandbox loses what is in no snapshot, so the user is asked before.
void ConnectionsPanel::askToEnd(bool all)
{
    std::vector<RemoteSandboxRow> ended;
    for (int row = 0; row < m_remote->rowCount(); ++row)
        if (all || m_sandboxes->selectionModel()->isRowSelected(row, {}))
            ended.push_back(m_remote->rows()[static_cast<std::size_t>(row)]);
    if (ended.empty() || m_question)
        return;
    QStringList names;
    for (const RemoteSandboxRow& row : ended)
        names << tr("%1 of thread %2").arg(row.name, row.thread);
    m_question = new QMessageBox(QMessageBox::Warning, tr("End sandboxes"),
                                 ended.size() == 1 ? tr("End the sandbox %1?").arg(names.front())
                                                   : tr("End %1 sandboxes?").arg(ended.size()),
                                 QMessageBox::Cancel, this);
    m_question->setObjectName(QStringLiteral("endSandboxes"));
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setTextFormat(Qt::PlainText);
    m_question->setInformativeText(
        (ended.size() == 1 ? QString() : names.mid(0, 12).join(QLatin1Char('\n')) + QLatin1Char('\n'))
        + tr("Names and files that are in no checkpoint are lost. This cannot be undone."));
    const QPushButton* end = m_question->addButton(tr("End"), QMessageBox::DestructiveRole);
    m_question->setDefaultButton(QMessageBox::Cancel);
    connect(end, &QPushButton::clicked, this, [this, ended] {
        for (const RemoteSandboxRow& row : ended)
            Q_EMIT endRequested(row.connection, row.name);
    });
    m_question->open();
}

void ConnectionsPanel::showCounts()
{
    const int all = m_model->rowCount();
    const ConnectionModel::Counts counts = m_model->counts();
    QStringList words{ all == 1 ? tr("1 connection") : tr("%1 connections").arg(all) };
    if (counts.answering > 0)
        words << (counts.answering == 1 ? tr("1 answers") : tr("%1 answer").arg(counts.answering));
    if (counts.failing > 0)
        words << (counts.failing == 1 ? tr("1 does not") : tr("%1 do not").arg(counts.failing));
    m_counts->setFullText(all == 0 ? tr("No connection is set up") : words.join(QStringLiteral(" · ")));
    m_checkAll->setEnabled(all > 0);
    const int living = m_remote->rowCount();
    m_remoteCounts->setFullText(living == 0       ? tr("Sandboxes elsewhere: none of yours")
                                    : living == 1 ? tr("Sandboxes elsewhere: 1 of yours")
                                                  : tr("Sandboxes elsewhere: %1 of yours").arg(living));
    m_end->setEnabled(m_sandboxes->selectionModel()->hasSelection());
    m_endAll->setEnabled(living > 0);
}

void ConnectionsPanel::showFacts()
{
    const ConnectionRow* row = chosen();
    m_facts->setText(row == nullptr ? QString() : factsOf(*row, m_model->healthOf(row->name)));
    for (QPushButton* verb : { m_check, m_edit, m_remove })
        verb->setEnabled(row != nullptr);
}

void ConnectionsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!event->spontaneous())
        Q_EMIT loadRequested();
}

} // namespace sg::ui
