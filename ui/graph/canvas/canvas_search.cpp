#include "ui/graph/canvas/canvas_search.h"

#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kSearchHeight = 32;
constexpr int kWidest = 320;

QToolButton* toolButton(const char* name, const QString& words, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setIcon(icon(QLatin1String(name), &Tokens::text2));
    button->setAutoRaise(true);
    button->setToolTip(words);
    button->setAccessibleName(words);
    return button;
}

} // namespace

CanvasSearch::CanvasSearch(GraphView& view, QWidget* parent)
    : Strip(kSearchHeight, &Tokens::border, parent)
    , m_view(view)
    , m_words(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_previous(toolButton("up", tr("Previous (Shift+Enter)"), this))
    , m_next(toolButton("down", tr("Next (Enter)"), this))
{
    setAccessibleName(tr("Find on the canvas"));
    m_words->setObjectName(QStringLiteral("canvasSearch"));
    m_words->setAccessibleName(tr("Find on the canvas"));
    m_words->setPlaceholderText(tr("Name, kind, file or note"));
    m_words->setMaximumWidth(scaledLength(kWidest));
    m_words->addAction(icon(QLatin1String("search"), &Tokens::muted), QLineEdit::LeadingPosition);
    m_words->installEventFilter(this);
    makeDense(m_words);
    m_count->setFont(uiFont(TextSize::Small));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    QToolButton* shut = toolButton("close", tr("Close (Escape)"), this);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(4);
    row->addWidget(m_words, 1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_count);
    row->addStretch(1);
    row->addWidget(shut);
    connect(m_words, &QLineEdit::textEdited, this, &CanvasSearch::look);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(shut, &QToolButton::clicked, this, &CanvasSearch::close);
    hide();
}

void CanvasSearch::open()
{
    show();
    m_words->setFocus(Qt::ShortcutFocusReason);
    m_words->selectAll();
    findHits();
    showHit();
}

void CanvasSearch::close()
{
    hide();
    m_view.setFocus(Qt::OtherFocusReason);
}

void CanvasSearch::findHits()
{
    m_hits.clear();
    m_at = 0;
    const QString words = m_words->text().trimmed();
    if (words.isEmpty())
        return;
    const auto holds = [&](const QString& text) { return text.contains(words, Qt::CaseInsensitive); };
    GraphScene& scene = m_view.graphScene();
    for (const NodeItem* item : scene.nodes()) {
        const DrawnNode& node = item->node();
        if (holds(item->title()) || holds(QString::fromStdString(node.nodeKind))
            || holds(QString::fromStdString(node.subtitle)))
            m_hits.push_back({ node.id, kNoNote });
    }
    for (std::size_t i = 0; i < scene.notes().size(); ++i)
        if (holds(scene.notes()[i]->text()))
            m_hits.push_back({ NodeId(), i });
}

// The search starts at the selected hit, so that a longer word keeps it as long as it matches.
void CanvasSearch::look()
{
    findHits();
    const NodeId current = m_view.graphScene().currentNode();
    const auto here = std::ranges::find(m_hits, current, &Hit::node);
    if (!current.empty() && here != m_hits.end())
        m_at = static_cast<std::size_t>(here - m_hits.begin());
    step(0);
}

void CanvasSearch::step(int by)
{
    const std::size_t before = m_at;
    findHits(); // the graph may have changed
    if (m_hits.empty())
        return showHit();
    m_at = std::min(before, m_hits.size() - 1);
    const auto count = static_cast<std::ptrdiff_t>(m_hits.size());
    m_at = static_cast<std::size_t>((static_cast<std::ptrdiff_t>(m_at) + by + count) % count);
    GraphScene& scene = m_view.graphScene();
    const Hit& hit = m_hits[m_at];
    if (hit.note == kNoNote) {
        scene.setCurrentNode(hit.node);
        m_view.reveal(hit.node);
    } else {
        scene.setCurrentNote(hit.note);
        m_view.revealNote(hit.note);
    }
    showHit();
}

void CanvasSearch::showHit()
{
    const bool isAsked = !m_words->text().trimmed().isEmpty();
    m_count->setText(!isAsked             ? QString()
                         : m_hits.empty() ? tr("Nothing here")
                                          : tr("%1 of %2").arg(m_at + 1).arg(m_hits.size()));
    for (QToolButton* button : { m_previous, m_next })
        button->setEnabled(!m_hits.empty());
}

bool CanvasSearch::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_words && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
    }
    return Strip::eventFilter(watched, event);
}

} // namespace sg::ui
