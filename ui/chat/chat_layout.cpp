#include "ui/chat/chat_layout.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/time_format.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QTextBlock>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kOutputLines = 12; // of an output that is not shown whole
constexpr qsizetype kMostOutput = 60'000; // characters of an output that is shown whole
constexpr double kWidest = 860; // of text
constexpr int kLeastBeside = 480; // width from which on the speaker's name is beside what was said

QString tr(const char* text)
{
    return QCoreApplication::translate("sg::ui::ChatView", text);
}

QString secondsText(double seconds)
{
    return qIsNaN(seconds) ? QString() : formatDuration(seconds);
}

// Lays one entry out from top to bottom.
class Maker {
public:
    Maker(const ChatEntry& entry, const ChatLook& look, const ChatLayout* before)
        : m_entry(entry)
        , m_look(look)
        , m_isNarrow(look.width < scaledLength(kLeastBeside))
        , m_left(scaledLength(m_isNarrow ? 36 : 152))
        , m_right(look.width - scaledLength(14))
    {
        m_made.width = look.width;
        for (const ChatBox& part : before != nullptr ? before->parts : std::vector<ChatBox>())
            if (part.document)
                m_known.push_back(part.document);
    }

    ChatLayout make()
    {
        m_y = scaledLength(12);
        addHead();
        if (m_isNarrow)
            m_y = m_headEnd + scaledLength(4);
        if (m_look.isAsSent) {
            addText(InertDocument::Form::Output, m_entry.row.json, m_left, m_right - m_left);
        } else {
            addThought();
            addAnswer();
            addCalls();
        }
        m_made.height = std::max(m_y, m_headEnd) + scaledLength(12);
        return std::move(m_made);
    }

private:
    [[nodiscard]] bool isOpen(const QString& part) const { return m_look.isOpen && m_look.isOpen(part); }

    ChatBox& add(ChatBox::Kind kind, const QRectF& rect)
    {
        m_made.parts.emplace_back();
        ChatBox& part = m_made.parts.back();
        part.kind = kind;
        part.rect = rect;
        part.call = m_call;
        return part;
    }

    void addLine(const QString& words, Token ink, double height, bool isBold = false)
    {
        if (words.isEmpty())
            return;
        const double left = scaledLength(36);
        const double right = m_isNarrow ? m_right : m_left - scaledLength(8);
        ChatBox& part = add(ChatBox::Kind::Line, { left, m_headEnd, right - left, height });
        part.text = words;
        part.ink = ink;
        part.isBold = isBold;
        m_headEnd += height;
    }

    void addHead()
    {
        const ChatRow& row = m_entry.row;
        const double icon = scaledLength(16);
        ChatBox& sign = add(ChatBox::Kind::Icon, { double(scaledLength(12)), m_y + 1, icon, icon });
        sign.text = row.role == ChatRow::Role::Person ? QStringLiteral("human")
            : row.role == ChatRow::Role::Agent        ? QStringLiteral("agent")
            : row.role == ChatRow::Role::Tool         ? QStringLiteral("tool")
                                                      : QStringLiteral("text");
        sign.ink = row.hasFailed ? &Tokens::failed : &Tokens::text2;
        m_headEnd = m_y;
        addLine(speakerOf(row), row.hasFailed ? &Tokens::failed : &Tokens::text, scaledLength(18), true);
        const double small = scaledLength(16);
        QStringList facts;
        if (m_look.step >= 0)
            facts << tr("step %1").arg(m_look.step);
        if (!row.model.isEmpty())
            facts << row.model;
        const auto endLine = [&] {
            addLine(facts.join(QLatin1String(", ")), &Tokens::muted, small);
            facts.clear();
        };
        if (!m_isNarrow)
            endLine();
        if (row.input + row.output > 0)
            facts << tr("%1 in, %2 out").arg(formatCount(row.input), formatCount(row.output));
        if (!m_isNarrow)
            endLine();
        if (!qIsNaN(row.cost))
            facts << costText(row.cost, m_look.currency);
        endLine();
        if (row.hasFailed)
            addLine(tr("failed"), &Tokens::failed, small);
    }

    std::shared_ptr<InertDocument> documentOf(InertDocument::Form form, const QString& text, double width)
    {
        for (auto& known : m_known)
            if (known && known->form() == form && known->source() == text) {
                auto found = std::exchange(known, nullptr);
                if (found->textWidth() != width)
                    found->setTextWidth(width);
                return found;
            }
        return std::make_shared<InertDocument>(form, text, width);
    }

    ChatBox* addText(InertDocument::Form form, const QString& text, double left, double width)
    {
        if (text.isEmpty())
            return nullptr;
        auto document = documentOf(form, text, std::max(width, 40.0));
        ChatBox& part = add(ChatBox::Kind::Text, { left, m_y, width, std::ceil(document->size().height()) });
        part.document = std::move(document);
        m_y += part.rect.height();
        return &part;
    }

    [[nodiscard]] double textWidth() const
    {
        return std::min(m_right - m_left, double(scaledLength(int(kWidest))));
    }

    void addThought()
    {
        const ChatRow& row = m_entry.row;
        if (row.reasoning.isEmpty())
            return;
        const bool open = isOpen(QStringLiteral("thought")) || (m_entry.isLive && row.text.isEmpty());
        ChatBox& head = add(ChatBox::Kind::Thought, { m_left, m_y, textWidth(), double(scaledLength(20)) });
        head.isOpen = open;
        head.text = m_entry.isLive && row.text.isEmpty() ? tr("Thinking…")
            : row.thought > 0 ? tr("Thought, %1 tokens").arg(formatCount(row.thought))
                              : tr("Thought");
        m_y += scaledLength(24);
        if (!open)
            return;
        if (ChatBox* part = addText(InertDocument::Form::Plain, row.reasoning, m_left + scaledLength(18),
                                    textWidth() - scaledLength(18)))
            part->ink = &Tokens::muted;
        m_y += scaledLength(8);
    }

    void addAnswer()
    {
        const ChatRow& row = m_entry.row;
        const bool isTool = row.role == ChatRow::Role::Tool;
        const double begin = m_y;
        if (isTool) {
            addText(InertDocument::Form::Output, row.text, m_left, m_right - m_left);
        } else {
            const QStringList blocks = markdownBlocks(row.text);
            for (qsizetype i = 0; i < blocks.size(); ++i) {
                if (i > 0)
                    m_y += scaledLength(8);
                addText(InertDocument::Form::Markdown, blocks[i], m_left, textWidth());
            }
        }
        if (m_entry.isLive && row.calls.empty())
            addCursor(begin);
        addPictures(row, m_left, textWidth());
        if (m_y > begin)
            m_y += scaledLength(4);
    }

    // Behind the last word.
    void addCursor(double begin)
    {
        QPointF end(m_left, m_y);
        if (m_y > begin && !m_made.parts.empty() && m_made.parts.back().document) {
            const ChatBox& last = m_made.parts.back();
            const QTextBlock block = last.document->lastBlock();
            if (const QTextLayout* lines = block.layout(); lines != nullptr && lines->lineCount() > 0) {
                const QTextLine line = lines->lineAt(lines->lineCount() - 1);
                end = last.rect.topLeft() + lines->position()
                    + QPointF(line.x() + line.naturalTextWidth() + 4, line.y() + 1);
            }
        } else {
            m_y += scaledLength(18);
        }
        add(ChatBox::Kind::Cursor, { end, QSizeF(scaledLength(8), scaledLength(16)) });
    }

    void addPictures(const ChatRow& row, double left, double width)
    {
        for (const QImage& picture : row.pictures) {
            const QSizeF size =
                QSizeF(picture.size())
                    .scaled(std::min({ width, double(picture.width()), double(scaledLength(480)) }), 1e6,
                            Qt::KeepAspectRatio);
            m_y += scaledLength(6);
            add(ChatBox::Kind::Picture, { QPointF(left, m_y), size }).picture = picture;
            m_y += std::ceil(size.height());
        }
        for (const QString& note : row.left) {
            ChatBox& part = add(ChatBox::Kind::Line, { left, m_y, width, double(scaledLength(18)) });
            part.text = QStringLiteral("[%1]").arg(note);
            part.ink = &Tokens::muted;
            m_y += scaledLength(18);
        }
    }

    // The time when the calls of one turn ran, and how long that would have taken one after another.
    struct Round {
        double from = kUnknown;
        double to = kUnknown;
        double sum = 0;
        int known = 0;
    };
    [[nodiscard]] Round round() const
    {
        Round found;
        for (const auto& answer : m_entry.answers) {
            if (!answer || qIsNaN(answer->startedMs) || qIsNaN(answer->seconds))
                continue;
            const double end = answer->startedMs + answer->seconds * 1000;
            found.from = found.known == 0 ? answer->startedMs : std::min(found.from, answer->startedMs);
            found.to = found.known == 0 ? end : std::max(found.to, end);
            found.sum += answer->seconds;
            ++found.known;
        }
        return found;
    }

    void addCalls()
    {
        const auto& calls = m_entry.row.calls;
        if (calls.empty())
            return;
        const Round times = round();
        if (calls.size() > 1) {
            ChatBox& line =
                add(ChatBox::Kind::Line, { m_left, m_y, (m_right - m_left) / 2, double(scaledLength(18)) });
            line.text = tr("%1 calls in parallel").arg(calls.size());
            line.ink = &Tokens::muted;
            if (times.known > 1) {
                ChatBox& time =
                    add(ChatBox::Kind::Line,
                        { (m_left + m_right) / 2, m_y, (m_right - m_left) / 2, double(scaledLength(18)) });
                time.text =
                    tr("%1, one after another %2")
                        .arg(formatDuration((times.to - times.from) / 1000), formatDuration(times.sum));
                time.ink = &Tokens::muted;
                time.isRight = true;
            }
            m_y += scaledLength(20);
        }
        for (std::size_t i = 0; i < calls.size(); ++i) {
            m_call = static_cast<int>(i);
            addCall(calls[i], m_entry.answers[i], times);
            m_y += scaledLength(6);
        }
        m_call = -1;
    }

    void addCall(const ChatCallRow& call, const std::optional<ChatRow>& answer, const Round& times)
    {
        const QString name = QString::number(m_call);
        const bool open = isOpen(name);
        const double top = m_y;
        const std::size_t frame = m_made.parts.size();
        add(ChatBox::Kind::Frame, { m_left, top, m_right - m_left, 0 });
        ChatBox& head = add(ChatBox::Kind::Call, { m_left, top, m_right - m_left, double(scaledLength(28)) });
        head.text = call.name;
        head.note = call.id;
        head.isOpen = open;
        head.state = call.isBroken || (answer && answer->hasFailed) ? StateKind::Failed
            : answer                                                ? StateKind::Done
            : m_entry.isLive                                        ? StateKind::Queued
                                                                    : m_look.unanswered;
        head.time = call.isBroken ? tr("not run")
            : answer              ? secondsText(answer->seconds)
            : m_entry.isLive      ? tr("being written")
                                  : stateWord(head.state);
        if (times.known > 0 && answer && !qIsNaN(answer->startedMs) && times.to > times.from) {
            head.from = (answer->startedMs - times.from) / (times.to - times.from);
            head.to = head.from + answer->seconds * 1000 / (times.to - times.from);
        }
        m_made.parts[frame].state = head.state;
        const bool isReason = head.state == StateKind::Failed && answer && !open;
        head.brief = isReason ? answer->text.section(QLatin1Char('\n'), 0, 0) : briefOf(call);
        m_y = top + scaledLength(28);
        if (open)
            addOpened(call, answer, name);
        m_made.parts[frame].rect.setHeight(m_y - top);
        m_made.parts[frame].isOpen = open;
    }

    static QString briefOf(const ChatCallRow& call)
    {
        const QString code = call.code.trimmed().section(QLatin1Char('\n'), 0, 0);
        return call.arguments.isEmpty() ? code : call.arguments;
    }

    void addRule()
    {
        add(ChatBox::Kind::Rule, { m_left, m_y, m_right - m_left, 1 });
        m_y += scaledLength(8);
    }

    void addOpened(const ChatCallRow& call, const std::optional<ChatRow>& answer, const QString& name)
    {
        const double pad = scaledLength(12);
        const double left = m_left + pad;
        const double width = m_right - m_left - 2 * pad;
        const bool hasPicture = answer && !answer->pictures.empty() && width > scaledLength(520);
        const double pictures = hasPicture ? scaledLength(248) : 0;
        addRule();
        const double top = m_y;
        addText(InertDocument::Form::Code, call.code, left, width - pictures);
        if (!call.code.isEmpty() && !call.whole.isEmpty())
            m_y += scaledLength(6);
        addText(InertDocument::Form::Output, call.whole, left, width - pictures);
        if (call.code.isEmpty() && call.whole.isEmpty())
            addMuted(tr("without arguments"), left, width);
        m_y += scaledLength(8);
        if (answer) {
            addRule();
            addOutput(*answer, left, width - pictures, name);
            if (!hasPicture)
                addPictures(*answer, left, width);
        } else if (call.isBroken) {
            addMuted(tr("These arguments cannot be read: the call was not run."), left, width);
        }
        if (hasPicture) {
            const double end = std::exchange(m_y, top);
            addPictures(*answer, left + width - pictures + scaledLength(8), pictures - scaledLength(8));
            m_y = std::max(m_y, end);
        }
        m_y += scaledLength(8);
    }

    void addMuted(const QString& words, double left, double width)
    {
        ChatBox& part = add(ChatBox::Kind::Line, { left, m_y, width, double(scaledLength(18)) });
        part.text = words;
        part.ink = &Tokens::muted;
        m_y += scaledLength(18);
    }

    void addOutput(const ChatRow& answer, double left, double width, const QString& name)
    {
        const qsizetype lines = answer.text.count(QLatin1Char('\n')) + 1;
        const bool whole = isOpen(name + QStringLiteral("/all"));
        QString shown = whole ? answer.text.left(kMostOutput)
                              : answer.text.section(QLatin1Char('\n'), 0, kOutputLines - 1).left(4000);
        const bool isCut = shown.size() < answer.text.size();
        if (answer.text.isEmpty() && answer.pictures.empty())
            addMuted(tr("It returned nothing."), left, width);
        if (ChatBox* part = addText(InertDocument::Form::Output, shown, left, width))
            part->ink = answer.hasFailed ? &Tokens::failed : &Tokens::text;
        if (isCut || whole) {
            ChatBox& more = add(ChatBox::Kind::More, { left, m_y, width, double(scaledLength(20)) });
            more.text = whole && !isCut ? tr("Show less")
                : whole                 ? tr("The first %1 of %2 characters: copy it for all")
                              .arg(shown.size())
                              .arg(answer.text.size())
                        : tr("Show all %1 lines").arg(lines);
            m_y += scaledLength(20);
        }
    }

    const ChatEntry& m_entry;
    const ChatLook& m_look;
    const bool m_isNarrow; // the speaker's name is above what was said
    const double m_left; // of what was said
    const double m_right;
    double m_y = 0;
    double m_headEnd = 0; // of the lines below the speaker's name
    int m_call = -1; // that is being laid out
    ChatLayout m_made;
    std::vector<std::shared_ptr<InertDocument>> m_known;
};

} // namespace

const ChatBox* ChatLayout::at(const QPointF& place) const
{
    const ChatBox* found = nullptr;
    for (const ChatBox& part : parts)
        if (part.kind != ChatBox::Kind::Frame && part.kind != ChatBox::Kind::Rule
            && part.rect.contains(place))
            found = &part;
    return found;
}

QString costText(double cost, const QString& currency)
{
    const QString number = QString::number(cost, 'f', cost < 0.01 ? 4 : cost < 1 ? 3 : 2);
    return currency == QLatin1String("USD") ? QLatin1Char('$') + number
                                            : QStringLiteral("%1 %2").arg(number, currency);
}

ChatLayout layOut(const ChatEntry& entry, const ChatLook& look, const ChatLayout* before)
{
    return Maker(entry, look, before).make();
}

double guessedHeight(const ChatEntry& entry, const ChatLook& look)
{
    const QString& text = look.isAsSent ? entry.row.json : entry.row.text;
    const bool isNarrow = look.width < scaledLength(kLeastBeside);
    const double perLine = std::max(20.0, (look.width - (isNarrow ? 54 : 170)) / 7);
    const double lines =
        std::max(1.0, std::ceil(double(text.size()) / perLine) + double(text.count(QLatin1Char('\n'))));
    const double calls = look.isAsSent ? 0 : double(entry.row.calls.size()) * scaledLength(34);
    const double said = lines * scaledLength(18) + calls;
    return (isNarrow ? said + scaledLength(38) : std::max(said, double(scaledLength(52)))) + scaledLength(24);
}

} // namespace sg::ui
