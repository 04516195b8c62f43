#include "ui/shell/parts/watches.h"

#include "ui/bridge/clients.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>

namespace sg::ui {

Watches::Watches(const WindowParts& parts)
    : WindowPart(parts)
{
    m_watch = new QAction(icon(QLatin1String("plus")), tr("&Watch an expression…"), m_window);
    connect(m_watch, &QAction::triggered, this, &Watches::addWatch);
}

void Watches::fill(QMenu& menu)
{
    menu.clear();
    menu.addAction(m_watch);
    const QStringList programs = m_timeline->watches();
    if (!programs.isEmpty())
        menu.addSection(tr("Choose one to remove it"));
    for (const QString& program : programs)
        menu.addAction(QString(program).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
                       [this, program] {
                           m_timeline->removeWatch(program);
                           m_clients->search.keepWatches(m_timeline->watches());
                       });
}

void Watches::addWatch()
{
    auto* ask = new QInputDialog(m_window);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Watch an expression"));
    ask->setLabelText(tr("A jq program over the state of each step, such as: .messages | length"));
    ask->setTextValue(QStringLiteral("."));
    connect(ask, &QInputDialog::textValueSelected, this, [this](const QString& program) {
        if (m_timeline->addWatch(program))
            m_clients->search.keepWatches(m_timeline->watches());
        else if (!program.trimmed().isEmpty())
            showError({ tr("It is watched already, or there are four: remove one first."), {} });
    });
    ask->open();
}

} // namespace sg::ui
