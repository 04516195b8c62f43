// Messages as a person sees them: what stands where, what is folded, found, copied, and what is never done
// with what a message holds.

#include "tests/support/qtest_std.h"
#include "tests/support/window_style.h"
#include "tests/ui/chat/messages.h"
#include "ui/chat/chat_document.h"

#include <QAccessible>
#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace sg;
using namespace sg::ui;
using sg::test::exchange;
using sg::test::rowOf;
using sg::test::rowsOf;

namespace {

// Returns the words of all boxes of a kind.
QString kinds(const ChatLayout& layout, ChatBox::Kind kind)
{
    QStringList found;
    for (const ChatBox& box : layout.parts)
        if (box.kind == kind)
            found << (box.document ? box.document->toPlainText() : box.text);
    return found.join(QLatin1Char('|'));
}

ChatLayout laidOut(const ChatEntry& entry, const QStringList& open = {})
{
    ChatLook look;
    look.width = 900;
    look.isOpen = [open](const QString& part) { return open.contains(part); };
    return layOut(entry, look);
}

} // namespace

class TestChatView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { sg::test::useStyle(); }
    void init() { sg::test::failOnQtWarnings(); }

    void aNarrowViewHasTheNameAbove()
    {
        ChatEntries entries;
        entries.reset(exchange().rows);
        ChatLook look;
        look.width = 300;
        const ChatLayout made = layOut(entries.at(1), look);
        const auto call = std::ranges::find(made.parts, ChatBox::Kind::Call, &ChatBox::kind);
        const auto name = std::ranges::find(made.parts, ChatBox::Kind::Line, &ChatBox::kind);
        QVERIFY(call != made.parts.end() && name != made.parts.end());
        QVERIFY2(call->rect.left() < 60, qPrintable(QString::number(call->rect.left())));
        QVERIFY(call->rect.width() > 200);
        QVERIFY(name->rect.bottom() <= call->rect.top());
        QCOMPARE(name->text, QStringLiteral("analyst"));
    }

    void anAnswerStandsWithItsCall()
    {
        ChatEntries entries;
        entries.reset(exchange().rows);
        QCOMPARE(entries.size(), std::size_t(3));
        const ChatEntry& turn = entries.at(1);
        QCOMPARE(speakerOf(turn.row), QStringLiteral("analyst"));
        QCOMPARE(turn.answers[0]->text, QStringLiteral("1\n2"));
        QVERIFY(turn.answers[1]->hasFailed);
        const ChatLayout folded = laidOut(turn);
        QCOMPARE(kinds(folded, ChatBox::Kind::Call), QStringLiteral("code_sandbox|export"));
        QCOMPARE(kinds(folded, ChatBox::Kind::Text), QStringLiteral("I count."));
        const ChatLayout opened = laidOut(turn, { QStringLiteral("0") });
        QCOMPARE(kinds(opened, ChatBox::Kind::Text), QStringLiteral("I count.|print(1)\nprint(2)|1\n2"));
        QVERIFY(opened.height > folded.height);
        for (const ChatBox& box : folded.parts)
            if (box.kind == ChatBox::Kind::Frame)
                QVERIFY((box.state == StateKind::Failed) == (box.call == 1)); // and so it is tinted
    }

    void reasoningStandsApart()
    {
        ChatEntries entries;
        entries.reset(exchange().rows);
        QCOMPARE(entries.at(2).row.text, QStringLiteral("Two."));
        QCOMPARE(kinds(laidOut(entries.at(2)), ChatBox::Kind::Text), QStringLiteral("Two."));
        QCOMPARE(kinds(laidOut(entries.at(2), { QStringLiteral("thought") }), ChatBox::Kind::Text),
                 QStringLiteral("one and one|Two."));
        const ChatRow thinking = rowOf(sg::test::kThinking, "x");
        QCOMPARE(thinking.reasoning + QLatin1Char('/') + thinking.text, QStringLiteral("hm/Yes."));
    }

    void markdownIsInert()
    {
        const QString hostile =
            QStringLiteral("# Title\n\n<script>alert(1)</script><img src=\"http:/"
                           "/example.test/a.png\">\n\n"
                           "![picture](file:///etc/passwd) [link](http://example.test)\n\n- one\n- two");
        ChatEntry entry;
        entry.row.role = ChatRow::Role::Agent;
        entry.row.text = hostile;
        const ChatLayout layout = laidOut(entry);
        const QString shown = kinds(layout, ChatBox::Kind::Text);
        QVERIFY2(shown.contains(QLatin1String("<script>alert(1)</script>")),
                 qPrintable(shown)); // words, no markup
        for (const ChatBox& box : layout.parts)
            if (box.document) {
                for (const char* name : { "http:/"
                                          "/example.test/a.png",
                                          "file:///etc/passwd" })
                    QVERIFY(!box.document->resource(QTextDocument::ImageResource, QUrl(QLatin1String(name)))
                                 .isValid());
            }
    }

    void cutsMarkdownWhereItMay()
    {
        QCOMPARE(
            markdownBlocks(QStringLiteral("a\n\nb\nc\n\n\n- x\n\n  more\n")),
            (QStringList{ QStringLiteral("a"), QStringLiteral("b\nc"), QStringLiteral("- x\n\n  more") }));
        QCOMPARE(markdownBlocks(QStringLiteral("```\na\n\nb\n```\n\nc")),
                 (QStringList{ QStringLiteral("```\na\n\nb\n```"), QStringLiteral("c") }));
        QCOMPARE(markdownBlocks({}), QStringList());
    }

    void picturesAreDecodedAndNothingIsFetched()
    {
        QImage picture(20, 10, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        picture.save(&buffer, "PNG");
        const QByteArray json = sg::test::withPicture(bytes.toBase64());
        const ChatRow row = rowOf(json.constData(), "1");
        QCOMPARE(row.pictures.size(), std::size_t(1));
        QCOMPARE(row.pictures.front().size(), QSize(20, 10));
        QCOMPARE(row.left.size(), 3);
        QVERIFY(row.text.isEmpty());
    }

    void answersThatAreNotWholeSaySo()
    {
        const auto left = [](const char* json) { return rowOf(json, "1").left.join(QLatin1Char('|')); };
        QVERIFY(left(R"({"type": "ai", "content": "Hel", "response_metadata": {"finish_reason": "length"}})")
                    .startsWith(QLatin1String("the answer is cut off: it reached its limit of tokens")));
        QVERIFY(left(R"({"type": "ai", "content": [], "response_metadata": {"stop_reason": "refusal"}})")
                    .startsWith(QLatin1String("the model refused to go on")));
        QVERIFY(left(R"({"type": "ai", "content": "", "additional_kwargs": {"refusal": "I cannot."}})")
                    .contains(QLatin1String("I cannot.")));
        QCOMPARE(left(R"({"type": "ai", "content": "Hi", "response_metadata": {"stop_reason": "end_turn"}})"),
                 QString());
        QCOMPARE(left(R"({"type": "ai", "content": "Hi", "response_metadata": {"finish_reason": "STOP"}})"),
                 QString());
    }

    void callsThatCannotBeReadSayThatTheyNeverRan()
    {
        ChatEntries entries;
        entries.reset({ rowOf(sg::test::kBrokenCall, "1") });
        const ChatLayout layout = laidOut(entries.at(0), { QStringLiteral("0") });
        QVERIFY(kinds(layout, ChatBox::Kind::Line).contains(QLatin1String("cannot be read")));
    }

    void wordsGrowAndBecomeTheMessage()
    {
        ChatDocument chat(QStringLiteral("t"));
        chat.resize(900, 600);
        chat.show();
        chat.setRows(rowsOf({ exchange().rows.front() }));
        ChatPiece piece;
        piece.thread = QStringLiteral("t");
        piece.task = QStringLiteral("task1");
        piece.node = QStringLiteral("analyst");
        for (const char* words : { "One ", "two ", "three" }) {
            piece.text = QLatin1String(words);
            chat.add({ piece });
        }
        const ChatEntries& entries = chat.view().entries();
        QCOMPARE(entries.size(), std::size_t(2));
        QCOMPARE(entries.at(1).row.text, QStringLiteral("One two three"));
        QVERIFY(entries.at(1).isLive);
        piece.thread = QStringLiteral("other");
        chat.add({ piece });
        QCOMPARE(entries.at(1).row.text, QStringLiteral("One two three"));
        // Read anew before it is stored: it stays. Then the stored message takes its place.
        chat.setRows(rowsOf({ exchange().rows.front() }));
        QCOMPARE(entries.size(), std::size_t(2));
        ChatRow stored = rowOf(sg::test::kStored, "9");
        stored.task = QStringLiteral("task1");
        chat.setRows(rowsOf({ exchange().rows.front(), stored }));
        QCOMPARE(entries.size(), std::size_t(2));
        QVERIFY(!entries.at(1).isLive);
        // A task that ended without a message leaves nothing.
        piece.thread = QStringLiteral("t");
        piece.task = QStringLiteral("task2");
        chat.add({ piece });
        QCOMPARE(entries.size(), std::size_t(3));
        chat.view().endTask(QStringLiteral("task2"));
        chat.setRows(rowsOf({ exchange().rows.front(), stored }));
        QCOMPARE(entries.size(), std::size_t(2));
    }

    void findsInMessagesAndCalls()
    {
        ChatDocument chat(QStringLiteral("t"));
        chat.resize(900, 600);
        chat.show();
        chat.setRows(exchange());
        QCOMPARE(chat.view().find(QStringLiteral("print(2)")), (std::vector<ChatItem>{ { 1, 0 } }));
        QCOMPARE(chat.view().find(QStringLiteral("NO SUCH")), (std::vector<ChatItem>{ { 1, 1 } }));
        QCOMPARE(chat.view().find(QStringLiteral("one and")), (std::vector<ChatItem>{ { 2, -1 } }));
        QTest::keyClick(&chat, Qt::Key_F, Qt::ControlModifier);
        auto* words = chat.findChild<QLineEdit*>();
        QVERIFY(words->isVisible());
        QTest::keyClicks(words, QStringLiteral("print"));
        QVERIFY(chat.view().isOpen({ 1, 0 })); // it is shown
        QTest::keyClick(words, Qt::Key_Escape);
        QVERIFY(!words->isVisible());
    }

    void goesByKeyboardAndIsReadAloud()
    {
        ChatDocument chat(QStringLiteral("t"));
        chat.resize(900, 600);
        chat.show();
        chat.setRows(exchange());
        ChatView& view = chat.view();
        view.setFocus();
        for (const Qt::Key key : { Qt::Key_Home, Qt::Key_Down, Qt::Key_Down })
            QTest::keyClick(&view, key);
        QCOMPARE(view.current(), (ChatItem{ 1, 0 }));
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(view.isOpen({ 1, 0 }));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("print(1)\nprint(2)\n\n1\n2"));
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&view);
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->childCount(), 5);
        QCOMPARE(list->child(0)->text(QAccessible::Name), QStringLiteral("You: How many?"));
        QCOMPARE(list->child(3)->text(QAccessible::Name), QStringLiteral("call of export, failed"));
        QVERIFY(list->child(2)->state().expanded && list->child(3)->state().collapsed);
        list->child(3)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(view.isOpen({ 1, 1 }));
        QSignalSpy stepped(&chat, &ChatDocument::stepRequested);
        QTest::keyClick(&view, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(stepped.size(), 1);
    }

    void keepsItsPlaceInAThreadOfTenThousand()
    {
        std::vector<ChatRow> rows;
        for (int i = 0; i < 10'000; ++i) {
            ChatRow row;
            row.key = QString::number(i);
            row.role = i % 2 == 0 ? ChatRow::Role::Person : ChatRow::Role::Agent;
            row.text = QStringLiteral("Message %1\n\n").arg(i) + QStringLiteral("words ").repeated(i % 200);
            rows.push_back(row);
        }
        ChatDocument chat(QStringLiteral("t"));
        chat.resize(900, 600);
        chat.show();
        chat.setRows(rowsOf(rows));
        ChatView& view = chat.view();
        QVERIFY(view.isFollowing());
        QVERIFY(view.laidOut() < 60);
        QVERIFY(!view.rectOf({ 9'999, -1 }).isEmpty());
        view.goTo({ 5'000, -1 });
        QVERIFY(!view.isFollowing());
        const QRect before = view.rectOf({ 5'000, -1 });
        QVERIFY(!before.isEmpty());
        rows.push_back(rows.front());
        rows.back().key = QStringLiteral("new");
        chat.setRows(rowsOf(rows)); // more at the end: what is read stays where it is
        QCOMPARE(view.rectOf({ 5'000, -1 }), before);
        for (int i = 0; i < 300; ++i) {
            view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() - 500);
            QVERIFY(view.laidOut() < 120);
        }
        view.verticalScrollBar()->setValue(0);
        QVERIFY(view.rectOf({ 0, -1 }).top() == 0);
        view.setFollowing(true);
        QVERIFY(!view.rectOf({ 10'000, -1 }).isEmpty());
        QVERIFY(qAbs(view.rectOf({ 10'000, -1 }).bottom() - view.viewport()->height()) <= 2);
    }

    void showsEitherTheme_data() { sg::test::themes(); }
    void showsEitherTheme()
    {
        const QString theme = sg::test::useTheme();
        ChatDocument chat(QStringLiteral("t"));
        chat.resize(1000, 700);
        chat.setRows(exchange());
        chat.view().toggle({ 1, 0 });
        QVERIFY(sg::test::colourCount(sg::test::pictureOf(chat, QStringLiteral("chat-") + theme)) > 20);
    }
};

SG_WINDOW_TEST(TestChatView)
#include "tst_chat_view.moc"
