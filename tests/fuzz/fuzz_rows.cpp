// Rows of a database from elsewhere: listed, shown, and run on, by a small graph. Three checkpoints and four
// writes are made of the input.

#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/engine/engine.h"
#include "core/sqlite/db.h"
#include "tests/core/engine/text_graph.h"
#include "tests/fuzz/expect.h"
#include "tests/fuzz/pieces.h"
#include "tests/support/counting_random.h"
#include "tests/support/fake_clock.h"
#include "tests/support/temp_dir.h"

using namespace sg;

namespace {

class World {
public:
    World()
    {
        const auto path = m_folder / "rows.sqlite";
        auto store = checkpoint::openSqliteCheckpointStore(path, { .fullSync = false });
        auto made =
            store ? (*store)->deleteThread(ThreadId("t")) : Result<void>(store.error()); // makes tables
        auto db = sqlite::Db::open(path, { .synchronous = sqlite::Synchronous::Off });
        fuzz::expect(made && db, "there is a database");
        m_store = *std::move(store);
        m_db.emplace(*std::move(db));
        graph::Graph graph = test::graphFromText("start -> a -> b; a -> c; [b, c] -> d");
        graph.channels.emplace_back().name = "changes";
        graph.channels.back().type = graph::ChannelType::Delta;
        auto program = engine::compile(graph, m_nodes);
        fuzz::expect(static_cast<bool>(program), "the graph compiles");
        m_engine.emplace(*std::move(program), engine::Services{ m_store.get(), m_clock, m_random, nullptr });
    }

    void fill(fuzz::Pieces& pieces)
    {
        auto transaction = m_db->begin();
        fuzz::expect(static_cast<bool>(transaction), "rows can be written");
        (void)m_db->exec("DELETE FROM checkpoints; DELETE FROM writes");
        for (int i = 0; i < 3 && !pieces.empty(); ++i)
            addCheckpoint(i, pieces);
        for (int i = 0; i < 4 && !pieces.empty(); ++i)
            addWrite(i, pieces);
        (void)transaction->commit();
    }

    void look()
    {
        (void)m_store->list({}, [](const checkpoint::CheckpointRecord&) { return true; });
        (void)m_store->get(ThreadId("t"), "", std::nullopt);
        (void)m_store->threads();
        const engine::StateAddress here{ ThreadId("t"), "", std::nullopt };
        if (const auto state = m_engine->getState(here, true); !engine::errorOf(state))
            engine::toValue(std::get<engine::StateSnapshot>(state));
        m_engine->history({ here, {}, {}, {} }, [](const engine::StateSnapshot&) { return true; });
        m_engine->updateState(here, { test::json("{\"log\":[\"u\"]}"), "a" });
        engine::RunOptions options;
        options.thread = ThreadId("t");
        options.recursionLimit = 4;
        options.inlineTasks = true;
        options.streamModes = { "values", "updates", "tasks", "checkpoints" };
        m_engine->run(engine::RunInput::goOn(), options);
    }

private:
    void addCheckpoint(int number, fuzz::Pieces& pieces)
    {
        const char* const types[] = { "msgpack", "json", "null", "pickle" };
        const std::uint8_t kind = pieces.byte();
        const std::string id = "1f0000000-0000-6000-8000-00000000000" + std::to_string(number);
        const std::string parent = "1f0000000-0000-6000-8000-00000000000" + std::to_string(number - 1);
        (void)m_db->run("INSERT OR REPLACE INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id,"
                        " parent_checkpoint_id, type, checkpoint, metadata) VALUES ('t', ?, ?, ?, ?, ?, ?)",
                        (kind & 4) != 0 ? "sub:x" : "", id, (kind & 8) != 0 ? parent : std::string(),
                        types[kind & 3], sqlite::Blob{ pieces.field() }, sqlite::Blob{ pieces.field() });
    }
    void addWrite(int number, fuzz::Pieces& pieces)
    {
        const char* const types[] = { "msgpack", "json", "null", "bytes" };
        const char* const channels[] = { "log",
                                         "n",
                                         "x",
                                         "changes",
                                         "__interrupt__",
                                         "__resume__",
                                         "__error__",
                                         "__no_writes__",
                                         "branch:to:a",
                                         "branch:to:d",
                                         "__pregel_tasks",
                                         "elsewhere" };
        const std::uint8_t kind = pieces.byte();
        const std::string task = (kind & 1) != 0 ? "00000000-0000-0000-0000-000000000000" : "some-task";
        (void)m_db->run(
            "INSERT OR REPLACE INTO writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path,"
            " idx, channel, type, value) VALUES ('t', '', ?, ?, '', ?, ?, ?, ?)",
            "1f0000000-0000-6000-8000-00000000000" + std::to_string(kind & 2), task, number,
            channels[(kind >> 2) % 12], types[pieces.byte() & 3], sqlite::Blob{ pieces.field() });
    }

    const test::TempDir m_folder;
    test::FakeClock m_clock;
    test::CountingRandom m_random;
    test::FunctionNodes m_nodes;
    std::unique_ptr<checkpoint::CheckpointStore> m_store;
    std::optional<sqlite::Db> m_db;
    std::optional<engine::Engine> m_engine;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static World world;
    fuzz::Pieces pieces(data, size);
    world.fill(pieces);
    world.look();
    return 0;
}
