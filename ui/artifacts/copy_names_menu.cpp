#include "ui/artifacts/copy_names_menu.h"

#include "ui/artifacts/copy_names.h"

#include <QActionGroup>
#include <QInputDialog>
#include <QSettings>

namespace sg::ui {
namespace {

constexpr QLatin1String kSetting("artifacts/copyNames");

} // namespace

CopyNamesMenu::CopyNamesMenu(QWidget* parent)
    : QMenu(tr("Names of copies"), parent)
    , m_choices(new QActionGroup(this))
{
    addChoice(tr("Their own"), kOwnName);
    addChoice(tr("Thread, step and name"), kThreadStepName);
    addChoice(tr("Node, step and name"), "{node}-{step}-{name}");
    QAction* other = addAction(tr("By a pattern…"), this, &CopyNamesMenu::ask);
    other->setCheckable(true);
    m_choices->addAction(other);
    choose(QSettings().value(kSetting, QLatin1String(kOwnName)).toString());
}

void CopyNamesMenu::addChoice(const QString& title, const char* pattern)
{
    QAction* action = addAction(title, this, [this, pattern] { choose(QLatin1String(pattern)); });
    action->setData(QString(QLatin1String(pattern)));
    action->setCheckable(true);
    m_choices->addAction(action);
}

void CopyNamesMenu::choose(const QString& pattern)
{
    const QString fault = patternFault(pattern);
    const QString known = fault.isEmpty() ? pattern : QString(QLatin1String(kOwnName));
    QAction* chosen = m_choices->actions().back();
    for (QAction* action : m_choices->actions())
        if (action->data().toString() == known)
            chosen = action;
    chosen->setChecked(true);
    if (!fault.isEmpty())
        Q_EMIT refused(tr("`%1` is no pattern for names: %2. Copies keep their own names.")
                           .arg(QString(pattern).remove(QLatin1Char('`')), fault));
    if (known == m_pattern)
        return;
    const bool isFirst = m_pattern.isEmpty();
    m_pattern = known;
    if (!isFirst)
        QSettings().setValue(kSetting, known);
    Q_EMIT patternChanged(known);
}

void CopyNamesMenu::ask()
{
    auto* dialog = new QInputDialog(parentWidget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title());
    dialog->setLabelText(tr("A name with {name}, {stem}, {ending}, {thread}, {step}, {node} or {run} in it"));
    dialog->setTextValue(m_pattern == QLatin1String(kOwnName) ? QLatin1String(kThreadStepName) : m_pattern);
    connect(dialog, &QInputDialog::textValueSelected, this, &CopyNamesMenu::choose);
    connect(dialog, &QInputDialog::rejected, this, [this] { choose(m_pattern); }); // resets the check mark
    dialog->open();
}

} // namespace sg::ui
