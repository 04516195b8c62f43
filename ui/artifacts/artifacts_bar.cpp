#include "ui/artifacts/artifacts_bar.h"

#include "ui/widgets/filter_edit.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/style.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>

#include <algorithm>
#include <tuple>

namespace sg::ui {
namespace {

constexpr QLatin1String kLook("artifacts/look"); // key in QSettings

QPushButton* toggle(const QString& text, const char* name, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(QLatin1String(name));
    button->setProperty("sgFlat", true);
    button->setCheckable(true);
    makeDense(button);
    return button;
}

} // namespace

ArtifactsBar::ArtifactsBar(QWidget* parent)
    : Strip(32, &Tokens::subtle, parent)
    , m_filter(new FilterEdit(tr("Filter by name, node:, type:, run:"), FilterEdit::Sign::Filter, this))
    , m_upTo(toggle({}, "artifactsUpTo", this))
    , m_all(toggle(tr("All threads"), "artifactsAll", this))
    , m_look(new SegmentedControl(tr("Cards, rows or a table"), SegmentedControl::Mode::Single, this))
{
    m_filter->setObjectName(QStringLiteral("artifactsFilter"));
    m_filter->setAccessibleName(tr("Filter the artifacts"));
    m_filter->setMinimumWidth(scaledLength(90));
    makeDense(m_filter);
    m_upTo->setChecked(true);
    m_upTo->setToolTip(tr("Only what was there at the step that is looked at"));
    m_upTo->hide();
    m_all->setToolTip(tr("Artifacts of every thread of this project"));
    makeDense(m_look);
    const std::tuple<Look, const char*, QString> looks[] = { { Look::Cards, "grid", tr("Cards") },
                                                             { Look::Rows, "list", tr("Rows") },
                                                             { Look::Table, "table", tr("Table") } };
    for (const auto& [look, sign, name] : looks) {
        const int at = m_look->addSegment({}, static_cast<int>(look), icon(QLatin1String(sign)));
        m_look->segment(at)->setToolTip(name);
        m_look->segment(at)->setAccessibleName(name);
    }
    m_look->setCurrentIndex(
        std::clamp(QSettings().value(kLook, static_cast<int>(Look::Rows)).toInt(), 0, m_look->count() - 1));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 1);
    row->setSpacing(6);
    row->addWidget(m_filter, 1);
    row->addWidget(m_upTo);
    row->addWidget(m_all);
    row->addWidget(m_look);
    connect(m_filter, &FilterEdit::filterChanged, this, &ArtifactsBar::filterChanged);
    connect(m_upTo, &QPushButton::toggled, this, &ArtifactsBar::filterChanged);
    connect(m_all, &QPushButton::toggled, this, &ArtifactsBar::scopeChanged);
    connect(m_look, &SegmentedControl::activated, this, [this] {
        QSettings().setValue(kLook, static_cast<int>(look()));
        Q_EMIT lookChanged();
    });
}

void ArtifactsBar::showStep(int step)
{
    m_isPast = step >= 0;
    m_upTo->setText(tr("up to step %1").arg(step));
    m_upTo->setVisible(m_isPast);
}

QString ArtifactsBar::filterText() const
{
    return m_filter->text();
}

bool ArtifactsBar::showsAllThreads() const
{
    return m_all->isChecked();
}

bool ArtifactsBar::isUpToStep() const
{
    return m_isPast && m_upTo->isChecked();
}

ArtifactsBar::Look ArtifactsBar::look() const
{
    return static_cast<Look>(m_look->currentIndex());
}

void ArtifactsBar::clearFilter()
{
    m_upTo->setChecked(false);
    m_filter->setFilter({});
    Q_EMIT filterChanged();
}

void ArtifactsBar::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
}

} // namespace sg::ui
