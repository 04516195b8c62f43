#include "ui/artifacts/text_views.h"

#include "core/base/json.h"
#include "ui/bridge/previews/plain_image.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/quick_markdown.h"

#include <QAbstractItemModel>
#include <QBuffer>
#include <QEvent>
#include <QHeaderView>
#include <QImageReader>
#include <QSet>
#include <QTextBlock>
#include <QTextTable>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace sg::ui {

MarkdownView::MarkdownView(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("artifactMarkdown"));
    setAccessibleName(tr("Preview of the text"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setFont(uiFont(TextSize::Normal));
    document()->setDocumentMargin(16);
}

void MarkdownView::showMarkdown(const QString& text)
{
    m_text = text;
    QTextDocument::MarkdownFeatures features(QTextDocument::MarkdownDialectGitHub);
    features |= QTextDocument::MarkdownNoHTML;
    if (isQuicklyReadMarkdown(text))
        document()->setMarkdown(text, features);
    else
        document()->setPlainText(text);
    document()->setDefaultFont(uiFont(TextSize::Normal));
    moveCursor(QTextCursor::Start);
}

QVariant MarkdownView::loadResource(int, const QUrl&)
{
    return {};
}

void MarkdownView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_text.isEmpty())
        showMarkdown(m_text);
}

namespace {

// Laying a table out takes about twice as long for each table around it, and reading a page as long as its
// depth squared.
constexpr int kMostTables = 8; // within one another
constexpr int kMostTableTags = 500;
constexpr int kMostDepth = 1000; // of all elements
constexpr int kMostTags = 50'000;

int tablesIn(const QTextFrame& frame)
{
    int most = 0;
    for (const QTextFrame* child : frame.childFrames())
        most = std::max(most, tablesIn(*child));
    return most + (qobject_cast<const QTextTable*>(&frame) != nullptr ? 1 : 0);
}

// Elements that end by themselves: leaving their end out does not nest what follows.
bool endsByItself(const QString& name)
{
    static const QSet<QString> known = [] {
        const QString names =
            QStringLiteral("p li td th tr dt dd option thead tbody tfoot colgroup col br hr img "
                           "input meta link base area wbr source embed param");
        const QStringList list = names.split(QLatin1Char(' '));
        return QSet<QString>(list.begin(), list.end());
    }();
    return known.contains(name);
}

// The tag that begins at '<', with its attributes.
struct Tag {
    QString name; // empty: none, such as a comment
    bool isEnd = false;
    qsizetype after = 0;
};
Tag tagAt(const QString& page, qsizetype at)
{
    const auto behind = [&page](QLatin1String word, qsizetype from) {
        const qsizetype found = page.indexOf(word, from, Qt::CaseInsensitive);
        return found < 0 ? page.size() : found + word.size();
    };
    Tag tag;
    if (QStringView(page).mid(at).startsWith(QLatin1String("<!--"))) {
        tag.after = behind(QLatin1String("-->"), at + 4);
        return tag;
    }
    qsizetype i = at + 1;
    tag.isEnd = i < page.size() && page[i] == QLatin1Char('/');
    i += tag.isEnd ? 1 : 0;
    for (; i < page.size() && page[i].isLetterOrNumber(); ++i)
        tag.name += page[i].toLower();
    for (QChar quote, before; i < page.size() && (!quote.isNull() || page[i] != QLatin1Char('>')); ++i) {
        const QChar letter = page[i];
        const bool isQuote = letter == QLatin1Char('"') || letter == QLatin1Char('\'');
        if (!quote.isNull() && letter == quote)
            quote = QChar();
        else if (quote.isNull() && isQuote && before == QLatin1Char('='))
            quote = letter;
        before = letter.isSpace() ? before : letter;
    }
    tag.after = std::min(i + 1, page.size());
    for (const char* silent : { "script", "style", "title", "textarea" })
        if (!tag.isEnd && tag.name == QLatin1String(silent))
            tag.after = behind(QLatin1String("</"), tag.after) - 2;
    return tag;
}

bool isQuicklyRead(const QString& page)
{
    int tags = 0;
    int tables = 0;
    int depth = 0;
    for (qsizetype at = page.indexOf(QLatin1Char('<')); at >= 0;) {
        const Tag tag = tagAt(page, at);
        if (!tag.name.isEmpty() && !endsByItself(tag.name))
            depth = std::max(0, depth + (tag.isEnd ? -1 : 1));
        tables += tag.name == QLatin1String("table") && !tag.isEnd ? 1 : 0;
        if (++tags > kMostTags || tables > kMostTableTags || depth > kMostDepth)
            return false;
        at = page.indexOf(QLatin1Char('<'), std::max(tag.after, at + 1));
    }
    return true;
}

} // namespace

HtmlView::HtmlView(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("artifactHtml"));
    setAccessibleName(tr("Preview of the page"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setFont(uiFont(TextSize::Normal));
    document()->setDocumentMargin(16);
    QPalette paper = palette(); // a page says black on white without saying so
    paper.setColor(QPalette::Base, Qt::white);
    paper.setColor(QPalette::Text, Qt::black);
    setPalette(paper);
}

bool HtmlView::showHtml(const QString& text)
{
    bool isShown = isQuicklyRead(text);
    if (isShown) {
        QTextDocument read; // nothing of it is laid out yet
        read.setHtml(text);
        isShown = tablesIn(*read.rootFrame()) <= kMostTables;
    }
    if (isShown)
        document()->setHtml(text);
    else
        document()->setPlainText(
            tr("This page is nested too deeply, or too large, to be shown here. Export it to "
               "open it in a browser."));
    document()->setDefaultFont(uiFont(TextSize::Normal));
    moveCursor(QTextCursor::Start);
    return isShown;
}

QVariant HtmlView::loadResource(int type, const QUrl& name)
{
    constexpr int kLargestPicture = 32 * 1024 * 1024; // of its address
    constexpr int kLongestSide = 8192;
    const QString address =
        name.scheme() == QLatin1String("data") ? name.toString(QUrl::FullyEncoded) : QString();
    const auto comma = address.indexOf(QLatin1Char(','));
    if (type != QTextDocument::ImageResource || comma < 0 || address.size() > kLargestPicture)
        return {};
    const QString head = address.left(comma);
    QByteArray content = QByteArray::fromPercentEncoding(address.mid(comma + 1).toLatin1());
    if (head.endsWith(QLatin1String(";base64"), Qt::CaseInsensitive))
        content = QByteArray::fromBase64(content);
    QBuffer buffer(&content);
    QImageReader reader(&buffer);
    if (!isPlainFormat(reader.format())) // whatever its address says: a drawing may name files of its own
        return {};
    const QSize size = reader.size();
    if (!size.isValid() || size.width() > kLongestSide || size.height() > kLongestSide)
        return {};
    return reader.read();
}

namespace {

// Children are read when they are asked for.
class JsonRows final : public QAbstractItemModel {
public:
    JsonRows(Value value, QObject* parent)
        : QAbstractItemModel(parent)
        , m_root{ {}, std::move(value), nullptr, 0, {} }
    {
    }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent) const override
    {
        const Node& node = of(parent);
        return row < 0 || row >= static_cast<int>(node.children.size())
            ? QModelIndex()
            : createIndex(row, column, node.children[static_cast<std::size_t>(row)].get());
    }
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override
    {
        const Node* above = index.isValid() ? of(index).parent : nullptr;
        return above == nullptr || above == &m_root ? QModelIndex() : createIndex(above->row, 0, above);
    }
    [[nodiscard]] int rowCount(const QModelIndex& parent) const override
    {
        return parent.column() > 0 ? 0 : static_cast<int>(of(parent).children.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex&) const override { return 2; }
    [[nodiscard]] bool hasChildren(const QModelIndex& parent) const override
    {
        return parent.column() <= 0 && countOf(of(parent).value) > 0;
    }
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override
    {
        const Node& node = of(parent);
        return node.children.size() < countOf(node.value);
    }
    void fetchMore(const QModelIndex& parent) override
    {
        constexpr std::size_t kAtOnce = 500;
        Node& node = of(parent);
        const std::size_t from = node.children.size();
        const std::size_t to = std::min(countOf(node.value), from + kAtOnce);
        if (from == to)
            return;
        beginInsertRows(parent, static_cast<int>(from), static_cast<int>(to) - 1);
        if (node.value.isList())
            for (std::size_t i = from; i < to; ++i)
                add(node, QStringLiteral("[%1]").arg(i), node.value.asList()[i]);
        else {
            auto field = node.value.asMap().begin() + static_cast<std::ptrdiff_t>(from);
            for (std::size_t i = from; i < to; ++i, ++field)
                add(node,
                    QString::fromStdString(field->first.isString() ? field->first.asString()
                                                                   : toJson(field->first)),
                    field->second);
        }
        endInsertRows();
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
            return {};
        const Node& node = of(index);
        return index.column() == 0 ? node.key : textOf(node.value);
    }
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation, int role) const override
    {
        if (role != Qt::DisplayRole)
            return {};
        return section == 0 ? JsonTree::tr("Key") : JsonTree::tr("Value");
    }

private:
    struct Node {
        QString key;
        Value value;
        Node* parent;
        int row;
        std::vector<std::unique_ptr<Node>> children;
    };
    static std::size_t countOf(const Value& value)
    {
        return value.isList() ? value.asList().size() : value.isMap() ? value.asMap().size() : 0;
    }
    static QString textOf(const Value& value)
    {
        constexpr qsizetype kLongest = 2000;
        if (value.isList())
            return JsonTree::tr("list, %n items", nullptr, static_cast<int>(value.asList().size()));
        if (value.isMap())
            return JsonTree::tr("object, %n fields", nullptr, static_cast<int>(value.asMap().size()));
        return QString::fromStdString(toJson(value)).left(kLongest);
    }
    static void add(Node& node, const QString& key, const Value& value)
    {
        node.children.push_back(
            std::make_unique<Node>(Node{ key, value, &node, static_cast<int>(node.children.size()), {} }));
    }
    [[nodiscard]] const Node& of(const QModelIndex& index) const
    {
        return index.isValid() ? *static_cast<const Node*>(index.internalPointer()) : m_root;
    }
    Node& of(const QModelIndex& index)
    {
        return index.isValid() ? *static_cast<Node*>(index.internalPointer()) : m_root;
    }

    Node m_root;
};

} // namespace

JsonTree::JsonTree(QWidget* parent)
    : QTreeView(parent)
{
    setObjectName(QStringLiteral("artifactJson"));
    setAccessibleName(tr("Preview of the JSON"));
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setFont(uiFont(TextSize::Dense));
}

bool JsonTree::showJson(const QString& text)
{
    auto read = parseJson(text.toStdString());
    if (!read)
        return false;
    QAbstractItemModel* before = model();
    const bool isNested = read->isList() || read->isMap();
    setModel(new JsonRows(isNested ? *read : Value(ValueList{ *read }), this));
    delete before;
    header()->resizeSection(0, scaledLength(220));
    if (model()->canFetchMore({}))
        model()->fetchMore({});
    expandToDepth(0);
    return true;
}

ChangesView::ChangesView(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setObjectName(QStringLiteral("artifactChanges"));
    setAccessibleName(tr("Differences of two versions"));
    setReadOnly(true);
    setFont(monoFont());
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(8);
}

void ChangesView::showChanges(const QString& text)
{
    setPlainText(text);
    tint();
}

void ChangesView::tint()
{
    QList<QTextEdit::ExtraSelection> tints;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const QString line = block.text();
        const QChar sign = line.isEmpty() ? QChar() : line.front();
        const Token fill = sign == QLatin1Char('+') ? &Tokens::doneTint
            : sign == QLatin1Char('-')              ? &Tokens::failedTint
            : sign == QLatin1Char('@')              ? &Tokens::window
                                                    : nullptr;
        if (fill == nullptr)
            continue;
        QTextEdit::ExtraSelection row;
        row.cursor = QTextCursor(block);
        row.format.setBackground(color(fill));
        row.format.setProperty(QTextFormat::FullWidthSelection, true);
        tints << row;
        if (sign != QLatin1Char('@')) { // only the sign is coloured, the text keeps its colour
            QTextEdit::ExtraSelection mark;
            mark.cursor = QTextCursor(block);
            mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
            mark.format.setForeground(color(sign == QLatin1Char('+') ? &Tokens::done : &Tokens::failed));
            mark.format.setFontWeight(QFont::Bold);
            tints << mark;
        }
    }
    setExtraSelections(tints);
}

void ChangesView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tint();
}

} // namespace sg::ui
