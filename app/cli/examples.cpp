#include "app/cli/examples.h"

#include <utility>

namespace sg::cli {
namespace {

constexpr std::pair<const char*, const char*> kExamples[] = {
    { "artifacts delete", R"(sandglass artifacts delete --thread alice --project counter)" },
    { "artifacts export", R"(sandglass artifacts export --thread alice -o results --project counter)" },
    { "artifacts gc", R"(sandglass artifacts gc --dry-run --project counter)" },
    { "artifacts list", R"(sandglass artifacts list --thread alice --project counter)" },
    { "artifacts url", R"(sandglass artifacts url --seconds 60 ID)" },
    { "artifacts verify", R"(sandglass artifacts verify --project counter)" },
    { "audit", R"(sandglass audit --kind cell --last 20 --project counter)" },
    { "bundle export", R"(sandglass bundle export --thread alice -o alice.sandglass.zip --project counter)" },
    { "bundle import", R"(sandglass bundle import alice.sandglass.zip --as bob --project counter)" },
    { "completions", R"(sandglass completions bash > ~/.local/share/bash-completion/completions/sandglass)" },
    { "dataset add", R"(sandglass dataset add numbers --directory data --format csv)" },
    { "dataset allow", R"(sandglass dataset allow numbers)" },
    { "dataset export", R"(sandglass dataset export /session/data/result.parquet --thread alice)" },
    { "dataset list", R"(sandglass dataset list --project penguins)" },
    { "dataset providers", R"(sandglass dataset providers)" },
    { "dataset remove", R"(sandglass dataset remove numbers)" },
    { "dataset stage", R"(sandglass dataset stage penguins -o data)" },
    { "diff", R"(sandglass diff ID1 ID2 --thread alice --project counter)" },
    { "doctor", R"(sandglass doctor --quick)" },
    { "explain", R"(sandglass explain --thread alice --project counter)" },
    { "export", R"(sandglass export counter --python -o counter-langgraph)" },
    { "fork", R"(sandglass fork counter --thread alice --checkpoint ID --values '{"value": 7}')" },
    { "graph diff", R"(sandglass graph diff counter --rev HEAD~1)" },
    { "graph", R"(sandglass graph counter --dot)" },
    { "help", R"(sandglass help checkpoints)" },
    { "history", R"(sandglass history --thread alice --limit 10 --project counter)" },
    { "image build", R"(sandglass image build --backend bubblewrap)" },
    { "image check", R"(sandglass image check)" },
    { "image packages", R"(sandglass image packages)" },
    { "import", R"(sandglass import graph.json -o new.graph.json)" },
    { "layers gc", R"(sandglass layers gc --dry-run)" },
    { "layers install", R"(sandglass layers install --project penguins)" },
    { "layers list", R"(sandglass layers list)" },
    { "layers remove", R"(sandglass layers remove LAYER)" },
    { "manual", R"(sandglass manual -o man1)" },
    { "new", R"(sandglass new krill --template python)" },
    { "open", R"(sandglass open counter --thread alice --layout review)" },
    { "query", R"(sandglass query 'status:failed node:plan step:>100 "timeout"' --project counter)" },
    { "replay", R"(sandglass replay counter --thread alice --checkpoint ID)" },
    { "resume", R"(sandglass resume approval --thread alice --answer yes)" },
    { "run", R"(sandglass run counter --thread alice --input '{"value": 1}')" },
    { "secret list", R"(sandglass secret list api-key)" },
    { "secret remove", R"(sandglass secret remove api-key)" },
    { "secret set", R"(sandglass secret set api-key < key.txt)" },
    { "serve", R"(sandglass serve --port 8123 --project counter)" },
    { "session attach", R"(sandglass session attach --thread alice --save shown --project counter)" },
    { "session exec", R"(sandglass session exec --thread alice 'sum(range(10))' --project counter)" },
    { "session extend", R"(sandglass session extend SESSION --by 3600)" },
    { "session gc", R"(sandglass session gc --dry-run)" },
    { "session limits", R"(sandglass session limits SESSION --memory-mb 4096)" },
    { "session list", R"(sandglass session list --all)" },
    { "session pause", R"(sandglass session pause SESSION)" },
    { "session settings", R"(sandglass session settings --mode BIND_LOCAL --project penguins)" },
    { "session shell", R"(sandglass session shell --thread alice --project counter)" },
    { "session start", R"(sandglass session start --thread alice --keep-session)" },
    { "session stop", R"(sandglass session stop SESSION)" },
    { "session unpause", R"(sandglass session unpause SESSION)" },
    { "session view", R"(sandglass session view SESSION --limit 50)" },
    { "snapshots diff", R"(sandglass snapshots diff ID1 ID2 --thread alice)" },
    { "snapshots gc", R"(sandglass snapshots gc --project counter)" },
    { "snapshots list", R"(sandglass snapshots list --thread alice --project counter)" },
    { "snapshots restore", R"(sandglass snapshots restore ID --thread alice -o files)" },
    { "snapshots show", R"(sandglass snapshots show ID --thread alice)" },
    { "state", R"(sandglass state --thread alice --project counter)" },
    { "storage prune", R"(sandglass storage prune --keep 10 --dry-run --project counter)" },
    { "storage", R"(sandglass storage --project counter)" },
    { "store delete", R"(sandglass store delete memories.alice tea)" },
    { "store get", R"(sandglass store get memories.alice tea)" },
    { "store list", R"(sandglass store list memories)" },
    { "store put", R"(sandglass store put memories.alice tea '{"kind": "note", "text": "green"}')" },
    { "store search", R"(sandglass store search memories --filter '{"kind": "note"}')" },
    { "threads", R"(sandglass threads --project counter)" },
    { "update", R"(sandglass update counter --thread alice --values '{"value": 7}' --as-node incrementer)" },
    { "usage price", R"(sandglass usage price gpt-4o --input 2.5 --output 10)" },
    { "usage", R"(sandglass usage --thread alice --project counter)" },
    { "validate", R"(sandglass validate counter)" },
};

} // namespace

void addExamples(CommandLine& line)
{
    for (const auto& [path, command] : kExamples)
        line.setExample(path, command);
}

} // namespace sg::cli
