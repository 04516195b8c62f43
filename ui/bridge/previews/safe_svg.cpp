#include "ui/bridge/previews/safe_svg.h"

#include <QObject>
#include <QPainter>
#include <QSet>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include <algorithm>
#include <map>
#include <vector>

namespace sg::ui {
namespace {

constexpr qsizetype kMostBytes = 8 << 20;
constexpr int kMostElements = 200'000;
constexpr int kMostDepth = 64;
constexpr double kMostDrawn = 50'000; // elements; long ones count more than once, and so does each <use>
constexpr double kOneElement = 64; // characters of attributes that count as one element
constexpr qsizetype kMostStyle = 64 << 10; // limited, because each rule is tried on each element

// Other elements are dropped with their content: scripts, animations, links, foreign content, pictures.
bool isDrawn(const QString& name)
{
    static const QSet<QString> known{
        QStringLiteral("svg"),     QStringLiteral("g"),          QStringLiteral("defs"),
        QStringLiteral("use"),     QStringLiteral("symbol"),     QStringLiteral("switch"),
        QStringLiteral("path"),    QStringLiteral("rect"),       QStringLiteral("circle"),
        QStringLiteral("ellipse"), QStringLiteral("line"),       QStringLiteral("polyline"),
        QStringLiteral("polygon"), QStringLiteral("text"),       QStringLiteral("tspan"),
        QStringLiteral("style"),   QStringLiteral("title"),      QStringLiteral("desc"),
        QStringLiteral("stop"),    QStringLiteral("clipPath"),   QStringLiteral("linearGradient"),
        QStringLiteral("a"),       QStringLiteral("solidColor"), QStringLiteral("radialGradient"),
    };
    return known.contains(name);
}

// Tells whether a value refers to nothing outside of the file.
bool isInside(const QString& value)
{
    for (qsizetype at = 0; (at = value.indexOf(QLatin1String("url("), at, Qt::CaseInsensitive)) >= 0; ++at) {
        QString target = value.mid(at + 4).trimmed();
        if (target.startsWith(QLatin1Char('"')) || target.startsWith(QLatin1Char('\'')))
            target = target.mid(1);
        if (!target.startsWith(QLatin1Char('#')))
            return false;
    }
    return !value.contains(QLatin1String("@import"), Qt::CaseInsensitive)
        && !value.contains(QLatin1Char('\\'));
}

bool isReference(const QXmlStreamAttribute& attribute)
{
    return attribute.name() == QLatin1String("href") || attribute.name() == QLatin1String("src");
}

// Counts the drawn elements, those reached by <use> each time. A cycle of <use> exceeds every limit.
class DrawingCost {
public:
    [[nodiscard]] bool knows(const QString& id) const { return m_ids.contains(id); }
    void open(const QString& id, const QString& uses, double weight)
    {
        m_open.push_back(static_cast<int>(m_elements.size()));
        m_elements.push_back({ uses, {}, weight });
        if (m_open.size() > 1)
            m_elements[static_cast<std::size_t>(m_open[m_open.size() - 2])].children.push_back(m_open.back());
        if (!id.isEmpty())
            m_ids.emplace(id, m_open.back());
    }
    void close() { m_open.pop_back(); }
    [[nodiscard]] double total()
    {
        m_costs.assign(m_elements.size(), -1);
        return m_elements.empty() ? 0 : costOf(0, 0);
    }

private:
    struct Element {
        QString uses;
        std::vector<int> children;
        double weight = 1;
    };
    double costOf(int index, int depth) // NOLINT(misc-no-recursion): bounded by depth
    {
        double& cost = m_costs[static_cast<std::size_t>(index)];
        if (cost >= 0)
            return cost;
        if (cost < -1 || depth > kMostDepth * 4)
            return kMostDrawn * 2; // a cycle of <use>
        cost = -2;
        const Element& element = m_elements[static_cast<std::size_t>(index)];
        double sum = element.weight;
        for (const int child : element.children)
            sum += costOf(child, depth + 1);
        if (const auto used = m_ids.find(element.uses); !element.uses.isEmpty() && used != m_ids.end())
            sum += costOf(used->second, depth + 1);
        sum = std::min(sum, kMostDrawn * 2);
        m_costs[static_cast<std::size_t>(index)] = sum;
        return sum;
    }
    std::vector<Element> m_elements;
    std::vector<int> m_open;
    std::vector<double> m_costs;
    std::map<QString, int> m_ids;
};

void writeElement(QXmlStreamReader& in, QXmlStreamWriter& out, DrawingCost& cost)
{
    QString id;
    QString uses;
    double weight = 1;
    out.writeStartElement(in.name().toString());
    if (in.name() == QLatin1String("svg"))
        out.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
    for (const QXmlStreamAttribute& attribute : in.attributes()) {
        const QString value = attribute.value().toString();
        const QString name = attribute.name().toString();
        weight += static_cast<double>(value.size()) / kOneElement;
        if (name == QLatin1String("id")) {
            // A second element of this name would be drawn although the first one was counted.
            if (!attribute.prefix().isEmpty() || cost.knows(value))
                continue;
            id = value;
        }
        if (isReference(attribute)) {
            if (!value.startsWith(QLatin1Char('#')))
                continue;
            if (in.name() == QLatin1String("use"))
                uses = value.mid(1);
            out.writeAttribute(QStringLiteral("xlink:href"), value);
        } else if (!name.startsWith(QLatin1String("on"), Qt::CaseInsensitive) && isInside(value)
                   && (attribute.prefix().isEmpty() || attribute.prefix() == QLatin1String("xml"))) {
            out.writeAttribute(attribute.qualifiedName().toString(), value);
        }
    }
    cost.open(id, uses, weight);
}

// A style is taken and checked as a whole, because words that comments split become one word for its reader.
void writeStyle(QXmlStreamReader& in, QXmlStreamWriter& out)
{
    const QString style = in.readElementText(QXmlStreamReader::SkipChildElements);
    if (isInside(style) && style.size() <= kMostStyle)
        out.writeCharacters(style);
    out.writeEndElement();
}

QString tooMuch()
{
    return QObject::tr("This drawing is too large to be shown. Export it to open it elsewhere.");
}

} // namespace

QByteArray safeSvg(const QByteArray& svg, QString& problem)
{
    problem = QObject::tr("This is not an SVG that can be shown.");
    if (svg.size() > kMostBytes) {
        problem = tooMuch();
        return {};
    }
    QXmlStreamReader in(svg);
    in.setEntityExpansionLimit(0);
    QByteArray made;
    QXmlStreamWriter out(&made);
    DrawingCost cost;
    int elements = 0;
    int depth = 0;
    while (!in.atEnd()) {
        switch (in.readNext()) {
        case QXmlStreamReader::StartElement:
            if (elements == 0 && in.name() != QLatin1String("svg"))
                return {};
            if (!isDrawn(in.name().toString())) {
                in.skipCurrentElement();
                break;
            }
            if (++elements > kMostElements || ++depth > kMostDepth) {
                problem = tooMuch();
                return {};
            }
            writeElement(in, out, cost);
            if (in.name() == QLatin1String("style")) {
                writeStyle(in, out);
                cost.close();
                --depth;
            }
            break;
        case QXmlStreamReader::EndElement:
            out.writeEndElement();
            cost.close();
            --depth;
            break;
        case QXmlStreamReader::Characters:
            if (depth > 0)
                out.writeCharacters(in.text().toString());
            break;
        default: break; // drops declarations, comments, and document types with their entities
        }
    }
    if (in.hasError() || elements == 0)
        return {};
    if (cost.total() > kMostDrawn) {
        problem = tooMuch();
        return {};
    }
    problem.clear();
    return made.replace("<svg ", "<svg xmlns:xlink=\"http://www.w3.org/1999/xlink\" ");
}

DrawnSvg drawSvg(const QByteArray& svg, const QSize& most)
{
    DrawnSvg drawn;
    const QByteArray safe = safeSvg(svg, drawn.problem);
    if (safe.isEmpty())
        return drawn;
    QSvgRenderer renderer(safe);
    drawn.size = renderer.defaultSize();
    if (!renderer.isValid() || drawn.size.isEmpty()) {
        drawn.problem = QObject::tr("This is not an SVG that can be shown.");
        return drawn;
    }
    QSize size = drawn.size;
    if (size.width() > most.width() || size.height() > most.height()
        || drawn.size.width() * 2 <= most.width())
        size = size.scaled(most, Qt::KeepAspectRatio);
    drawn.image = QImage(size.expandedTo({ 1, 1 }), QImage::Format_ARGB32_Premultiplied);
    drawn.image.fill(Qt::white); // drawings are made for paper
    QPainter painter(&drawn.image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    return drawn;
}

} // namespace sg::ui
