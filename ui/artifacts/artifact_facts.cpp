#include "ui/artifacts/artifact_facts.h"

#include "ui/artifacts/artifact_model.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kTitleWidth = 58; // so that the columns have one edge when they are below each other

// Returns the folder into which the node put it, as its code says it.
QString folderOf(const ArtifactRow& artifact)
{
    const auto slash = artifact.path.lastIndexOf(QLatin1Char('/'));
    return slash < 0 ? QStringLiteral("/session/artifacts")
                     : QStringLiteral("/session/artifacts/") + artifact.path.left(slash);
}

QString shortHash(const QString& hash)
{
    return hash.size() <= 16 ? hash : hash.left(8) + QStringLiteral("…") + hash.right(6);
}

} // namespace

ArtifactFacts::ArtifactFacts(QWidget* parent)
    : QWidget(parent)
{
    m_columns = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_columns->setContentsMargins(12, 7, 12, 6);
    m_columns->setSpacing(3);
    const auto addColumn = [this] {
        auto* column = new QGridLayout;
        column->setHorizontalSpacing(12);
        column->setVerticalSpacing(3);
        column->setColumnStretch(1, 1);
        column->setColumnMinimumWidth(0, scaledLength(kTitleWidth));
        m_columns->addLayout(column, 1);
        return column;
    };
    auto* grid = addColumn();
    const QFont dense = uiFont(TextSize::Dense);
    m_madeBy = addLink({});
    m_madeBy->setObjectName(QStringLiteral("artifactMoment"));
    m_madeBy->setAccessibleName(tr("Look at the checkpoint that it belongs to"));
    m_madeBy->setToolTip(tr("Look at the checkpoint that it belongs to"));
    addTitle(*grid, 0, tr("Made by"));
    grid->addWidget(m_madeBy, 0, 1, Qt::AlignLeft);
    auto* hashes = new QWidget(this);
    auto* hashRow = new QHBoxLayout(hashes);
    hashRow->setContentsMargins(0, 0, 0, 0);
    hashRow->setSpacing(8);
    addTitle(*grid, 1, tr("SHA-256"));
    m_hash = new QLabel(hashes);
    m_hash->setFont(monoFont());
    m_hash->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_hash->setAccessibleName(tr("SHA-256"));
    QPushButton* verify = addLink(tr("verify"));
    verify->setObjectName(QStringLiteral("artifactVerify"));
    verify->setToolTip(tr("Read the selected contents again and compare them with their hashes"));
    hashRow->addWidget(m_hash);
    hashRow->addWidget(verify);
    hashRow->addStretch(1);
    grid->addWidget(hashes, 1, 1);
    auto* versions = new QWidget(this);
    auto* versionRow = new QHBoxLayout(versions);
    versionRow->setContentsMargins(0, 0, 0, 0);
    versionRow->setSpacing(8);
    m_versions = new QLabel(versions);
    m_versions->setFont(dense);
    m_compare = addLink(tr("compare"));
    m_compare->setObjectName(QStringLiteral("artifactCompare"));
    m_compare->setToolTip(tr("What changed since another version"));
    versionRow->addWidget(m_versions);
    versionRow->addWidget(m_compare);
    versionRow->addStretch(1);
    addTitle(*grid, 2, tr("Versions"));
    grid->addWidget(versions, 2, 1);
    auto* second = addColumn();
    m_size = addValue(*second, 0, tr("Size"), dense);
    m_created = addValue(*second, 1, tr("Created"), dense);
    m_thread = addValue(*second, 2, tr("Thread"), dense);
    m_folder = addValue(*second, 3, tr("Folder"), dense);
    m_folder->setObjectName(QStringLiteral("artifactFolder"));
    connect(m_madeBy, &QPushButton::clicked, this, [this] { Q_EMIT momentRequested(m_artifact); });
    connect(verify, &QPushButton::clicked, this, &ArtifactFacts::verifyRequested);
}

QLabel* ArtifactFacts::addTitle(QGridLayout& grid, int row, const QString& title)
{
    auto* label = new QLabel(title, this);
    label->setFont(uiFont(TextSize::Dense));
    label->setForegroundRole(QPalette::PlaceholderText);
    grid.addWidget(label, row, 0);
    return label;
}

QLabel* ArtifactFacts::addValue(QGridLayout& grid, int row, const QString& title, const QFont& font)
{
    addTitle(grid, row, title);
    auto* value = new QLabel(this);
    value->setFont(font);
    value->setTextFormat(Qt::PlainText);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    value->setAccessibleName(title);
    grid.addWidget(value, row, 1);
    return value;
}

QPushButton* ArtifactFacts::addLink(const QString& text)
{
    auto* link = new QPushButton(text, this);
    link->setProperty("sgLink", true);
    link->setFont(uiFont(TextSize::Dense));
    link->setFixedHeight(scaledLength(17));
    return link;
}

void ArtifactFacts::show(const ArtifactRow& artifact, const std::vector<ArtifactRow>& versions)
{
    m_artifact = artifact;
    m_madeBy->setText(madeBy(artifact));
    m_madeBy->setFixedWidth(m_madeBy->fontMetrics().horizontalAdvance(m_madeBy->text())
                            + 2); // aligned with the other values
    m_size->setText(formatBytes(artifact.size));
    m_hash->setText(shortHash(artifact.sha256));
    m_hash->setToolTip(artifact.sha256);
    m_created->setText(formatDay(artifact.createdMs, QDateTime::currentDateTime()));
    m_thread->setText(artifact.run.isEmpty() ? artifact.thread
                                             : tr("%1, run %2").arg(artifact.thread, artifact.run.left(8)));
    m_thread->setToolTip(artifact.run);
    m_folder->setText(folderOf(artifact));
    showVersions(versions);
}

void ArtifactFacts::showVersions(const std::vector<ArtifactRow>& versions)
{
    delete m_compare->menu();
    m_compare->disconnect(this);
    m_compare->setVisible(versions.size() > 1);
    if (versions.size() < 2) {
        m_versions->setText(tr("this one"));
        return;
    }
    const auto place = std::ranges::find(versions, m_artifact.id, &ArtifactRow::id) - versions.begin();
    const auto count = static_cast<qint64>(versions.size());
    m_versions->setText(tr("%1 of %2 by this name").arg(count - place).arg(count));
    const auto compare = [this](const ArtifactRow& other) {
        const bool isOlder = !(other.createdMs > m_artifact.createdMs);
        Q_EMIT compareRequested(isOlder ? other : m_artifact, isOlder ? m_artifact : other);
    };
    if (versions.size() == 2) {
        connect(m_compare, &QPushButton::clicked, this,
                [compare, other = versions[place == 0 ? 1 : 0]] { compare(other); });
        return;
    }
    auto* menu = new QMenu(m_compare);
    for (const ArtifactRow& other : versions)
        if (other.id != m_artifact.id)
            menu->addAction(tr("%1, %2").arg(madeBy(other), formatClock(other.createdMs)), this,
                            [compare, other] { compare(other); });
    m_compare->setMenu(menu);
}

void ArtifactFacts::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool isNarrow = width() < scaledLength(kLeastBeside);
    m_columns->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void ArtifactFacts::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(&Tokens::window));
    painter.fillRect(0, 0, width(), 1, color(&Tokens::border));
}

} // namespace sg::ui
