#include "ui/code/find_bar.h"

#include "ui/code/code_view.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <limits>

namespace sg::ui {
namespace {

constexpr int kFindHead = 32;
constexpr int kCountMs = 200;

} // namespace

FindBar::FindBar(bool isWide, QWidget* parent)
    : QWidget(parent)
    , m_words(new QLineEdit(this))
    , m_found(new QLabel(this))
{
    auto* strip = new Strip(kFindHead, &Tokens::border, this);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(strip);
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(8, 0, 8, 1);
    row->setSpacing(4);
    m_words->setPlaceholderText(tr("Find"));
    m_words->setAccessibleName(tr("Find"));
    m_words->setObjectName(QStringLiteral("codeSearch"));
    makeDense(m_words);
    m_found->setFont(uiFont(TextSize::Small));
    m_found->setForegroundRole(QPalette::PlaceholderText);
    m_found->setObjectName(QStringLiteral("codeFound"));
    row->addWidget(m_words, 2);
    row->addWidget(m_found);
    m_case = addOption(QStringLiteral("Aa"), tr("Match case"));
    m_whole = addOption(QStringLiteral("W"), tr("Whole words"));
    m_pattern = addOption(QStringLiteral(".*"), tr("Regular expression"));
    for (QToolButton* option : { m_case, m_whole, m_pattern }) {
        option->setVisible(isWide);
        row->addWidget(option);
    }
    for (const int by : { -1, 1 }) {
        auto* button = new QToolButton(strip);
        button->setIcon(icon(by > 0 ? QLatin1String("down") : QLatin1String("up")));
        button->setAutoRaise(true);
        button->setAccessibleName(by > 0 ? tr("Next") : tr("Previous"));
        button->setToolTip(by > 0 ? tr("Next (Enter)") : tr("Previous (Shift+Enter)"));
        connect(button, &QToolButton::clicked, this, [this, by] { step(by); });
        row->addWidget(button);
    }
    createReplacing();
    for (QWidget* each : { static_cast<QWidget*>(m_with), static_cast<QWidget*>(m_replace),
                           static_cast<QWidget*>(m_replaceAll) }) {
        row->addWidget(each, each == m_with ? 1 : 0);
        each->setVisible(isWide);
    }
    if (isWide)
        row->addStretch(1);
    auto* shut = new QToolButton(strip);
    shut->setIcon(icon(QLatin1String("close")));
    shut->setAutoRaise(true);
    shut->setAccessibleName(tr("Close the search"));
    shut->setToolTip(tr("Close (Esc)"));
    connect(shut, &QToolButton::clicked, this, &FindBar::close);
    row->addWidget(shut);
    m_countSoon.setSingleShot(true);
    m_countSoon.setInterval(kCountMs);
    connect(&m_countSoon, &QTimer::timeout, this, &FindBar::count);
    connect(m_words, &QLineEdit::textChanged, this, [this] {
        count();
        step(0);
    });
    hide();
}

QToolButton* FindBar::addOption(const QString& text, const QString& name)
{
    auto* option = new QToolButton(this);
    option->setText(text);
    option->setCheckable(true);
    option->setAutoRaise(true);
    option->setAccessibleName(name);
    option->setToolTip(name);
    makeDense(option);
    connect(option, &QToolButton::toggled, this, [this] {
        count();
        step(0);
    });
    return option;
}

void FindBar::createReplacing()
{
    m_with = new QLineEdit(this);
    m_with->setPlaceholderText(tr("Replace with"));
    m_with->setAccessibleName(tr("Replace with"));
    m_with->setObjectName(QStringLiteral("codeReplace"));
    makeDense(m_with);
    m_with->setMinimumWidth(scaledLength(112)); // its own words are read whole
    m_replace = new QPushButton(tr("Replace"), this);
    m_replaceAll = new QPushButton(tr("Replace all"), this);
    for (QPushButton* button : { m_replace, m_replaceAll }) {
        makeDense(button);
        button->setEnabled(false);
    }
    connect(m_with, &QLineEdit::returnPressed, this, &FindBar::replaceOne);
    connect(m_replace, &QPushButton::clicked, this, &FindBar::replaceOne);
    connect(m_replaceAll, &QPushButton::clicked, this, &FindBar::replaceAll);
}

void FindBar::setView(CodeView* view)
{
    if (m_view == view)
        return;
    if (m_view) {
        m_view->showMatches({}, -1);
        m_view->disconnect(this);
    }
    m_view = view;
    if (m_view)
        connect(m_view, &CodeView::textChanged, this, [this] {
            if (isVisible())
                m_countSoon.start();
        });
    if (isVisible())
        count();
}

void FindBar::open()
{
    if (!m_view)
        return;
    setVisible(true);
    const TextMatch chosen = m_view->selection();
    const QString words = m_view->text().mid(chosen.start, chosen.length);
    if (!words.isEmpty() && !words.contains(QLatin1Char('\n')))
        m_words->setText(words);
    m_words->setFocus(Qt::ShortcutFocusReason);
    m_words->selectAll();
    count();
}

void FindBar::close()
{
    hide();
    if (!m_view)
        return;
    m_view->showMatches({}, -1);
    m_view->setFocus(Qt::OtherFocusReason);
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        return close();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !m_with->hasFocus())
        return step(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    QWidget::keyPressEvent(event);
}

TextQuery FindBar::query() const
{
    return { m_words->text(), m_case->isChecked(), m_whole->isChecked(), m_pattern->isChecked() };
}

void FindBar::count()
{
    m_countSoon.stop();
    if (!m_view)
        return;
    m_matches = findMatches(m_view->text(), query());
    const TextMatch chosen = m_view->selection();
    const auto at = std::ranges::find(m_matches.all, chosen);
    show(at == m_matches.all.end() ? -1 : static_cast<int>(at - m_matches.all.begin()));
}

void FindBar::show(int present)
{
    m_present = present;
    m_view->showMatches(m_matches.all, present);
    const auto all = static_cast<int>(m_matches.all.size());
    const QString many = m_matches.isCut ? tr("more than %1").arg(all) : QString::number(all);
    m_found->setText(!m_matches.fault.isEmpty()      ? tr("not a pattern")
                         : m_words->text().isEmpty() ? QString()
                         : all == 0                  ? tr("not found")
                         : present < 0               ? many
                                                     : tr("%1 of %2").arg(present + 1).arg(many));
    m_found->setToolTip(m_matches.fault);
    QPalette dyed = m_found->palette();
    const bool isWrong = !m_words->text().isEmpty() && all == 0;
    dyed.setColor(QPalette::PlaceholderText, color(isWrong ? &Tokens::failed : &Tokens::muted));
    m_found->setPalette(dyed);
    m_replace->setEnabled(all > 0);
    m_replaceAll->setEnabled(all > 0);
    m_replaceAll->setText(all > 0 && !m_matches.isCut ? tr("All %1").arg(all) : tr("Replace all"));
}

void FindBar::next()
{
    step(1);
}

void FindBar::previous()
{
    step(-1);
}

// Goes on from the caret, round and round; 0: to the first from there, which may be the present one.
void FindBar::step(int by)
{
    if (!m_view || m_words->text().isEmpty())
        return;
    if (m_countSoon.isActive())
        count();
    const auto count = static_cast<int>(m_matches.all.size());
    if (count == 0)
        return;
    const TextMatch chosen = m_view->selection();
    int at = 0;
    if (by < 0) {
        at = count - 1;
        for (int i = count - 1; i >= 0 && m_matches.all[static_cast<std::size_t>(i)].start >= chosen.start;
             --i)
            at = (i + count - 1) % count;
    } else {
        const qsizetype from = by > 0 ? chosen.start + chosen.length : chosen.start;
        while (at < count && m_matches.all[static_cast<std::size_t>(at)].start < from)
            ++at;
        at %= count;
    }
    show(at);
}

void FindBar::replaceOne()
{
    if (!m_view || m_matches.all.empty())
        return;
    if (m_present < 0)
        return step(0); // first it is looked at
    const TextMatch place = m_matches.all[static_cast<std::size_t>(m_present)];
    m_view->replace({ place }, replacementsOf(m_view->text(), { place }, query(), m_with->text()));
    count();
    step(0);
}

void FindBar::replaceAll()
{
    if (!m_view)
        return;
    const QString text = m_view->text();
    const TextMatches found = findMatches(text, query(), std::numeric_limits<std::size_t>::max());
    m_view->replace(found.all, replacementsOf(text, found.all, query(), m_with->text()));
    count();
}

} // namespace sg::ui
