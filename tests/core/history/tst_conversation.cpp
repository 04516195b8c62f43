// A conversation has the messages of a thread's state, and says where each was made.

#include "core/history/conversation.h"
#include "tests/core/history/talk_graph.h"
#include "tests/support/example_project.h"
#include "tests/support/qtest_std.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace sg;
using namespace sg::history;

namespace {

Value said(const char* text)
{
    return Value::map({ { "messages", text } });
}

// "human:hello@__start__ ai:planned@plan …"; what an agent keeps for itself in brackets.
std::string shown(const Conversation& conversation)
{
    std::string text;
    for (const SaidMessage& one : conversation.messages) {
        const std::string words =
            one.message.stringOr("type", "") + ":" + one.message.stringOr("content", "?") + "@" + one.node;
        text += (text.empty() ? "" : " ") + (one.ns.empty() ? words : "[" + words + "]");
    }
    return text;
}

} // namespace

class TestConversation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhoSaidWhatAndWhatWasSaidInside()
    {
        test::ExampleProject project(test::kTalk);
        const auto ran = project.run(ThreadId("t"), said("hello"));
        QVERIFY2(ran.status == RunStatus::Done, ran.error.c_str());
        Conversations conversations(project->history(), project.database());
        const auto found = conversations.of(ThreadId("t"), {});
        SG_VERIFY_OK(found);
        QCOMPARE(found->channel, std::string("messages"));
        QCOMPARE(
            shown(*found),
            std::string("human:hello@__start__ ai:planned@plan [human:do it@work] [ai:@work] [tool:2@work] "
                        "ai:done@end"));
        for (const SaidMessage& one : found->messages) {
            QVERIFY2(!one.checkpoint.empty() && !one.task.empty(), one.key.c_str());
            const bool isGiven = one.message.stringOr("type", "") == "human"; // no node made it
            QVERIFY2(isGiven || !one.startedAt.empty(), one.key.c_str());
        }
        QVERIFY(found->messages[3].task != found->messages[4].task);
    }

    void showsAnEarlierStepAsItWas()
    {
        test::ExampleProject project(test::kTalk);
        project.run(ThreadId("t"), said("hello"));
        Conversations conversations(project->history(), project.database());
        const auto rows = project->history().checkpoints(ThreadId("t"));
        SG_VERIFY_OK(rows);
        std::vector<std::string> texts;
        for (const CheckpointRow& row : *rows) {
            const auto found = conversations.of(ThreadId("t"), row.id.value);
            SG_VERIFY_OK(found);
            texts.push_back(shown(*found));
        }
        const std::string planned = "human:hello@__start__ ai:planned@plan";
        const std::string worked = planned + " [human:do it@work] [ai:@work] [tool:2@work]";
        QCOMPARE(texts,
                 (std::vector<std::string>{ worked + " ai:done@end", worked, planned, "human:hello@__start__",
                                            "" }));
    }

    // Steps that were read once are not read again, and equal messages are told apart.
    void goesOnWithAThread()
    {
        test::ExampleProject project(test::kTalk);
        Conversations conversations(project->history(), project.database());
        std::set<std::string> checkpoints;
        for (int turn = 1; turn <= 3; ++turn) {
            project.run(ThreadId("t"), said("hello"));
            const auto found = conversations.of(ThreadId("t"), {});
            SG_VERIFY_OK(found);
            QCOMPARE(found->messages.size(), std::size_t(turn * 6));
            std::set<std::string> keys;
            std::set<std::string> asked;
            for (const SaidMessage& one : found->messages) {
                QVERIFY2(keys.insert(one.key).second, one.key.c_str());
                if (one.ns.empty() && one.message.stringOr("type", "") == "human")
                    asked.insert(one.checkpoint);
            }
            QCOMPARE(asked.size(), std::size_t(turn)); // each is of its own turn
        }
    }

    void toleratesAThreadWithoutMessages()
    {
        test::ExampleProject project(test::oneNodeGraph("{value: [{role: 1}]}"));
        project.run(ThreadId("t"), Value::map({ { "value", 1 } }));
        Conversations conversations(project->history(), project.database());
        const auto found = conversations.of(ThreadId("t"), {});
        SG_VERIFY_OK(found);
        QVERIFY(found->channel.empty() && found->messages.empty());
        const auto none = conversations.of(ThreadId("nobody"), {});
        QVERIFY(!none || none->messages.empty());
    }
};

SG_CORE_TEST(TestConversation)
#include "tst_conversation.moc"
