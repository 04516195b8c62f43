#include "core/servers/mcp/project_offering.h"

#include "core/artifacts/signed_token.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random_bytes.h"
#include "core/base/utf8.h"
#include "core/models/json_schema.h"
#include "core/servers/mcp/cell_result.h"
#include "core/servers/mcp/graph_tool.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace fs = std::filesystem;

namespace sg::servers {
namespace {

constexpr std::size_t kMostValues = 200'000; // of a run's values in a result; more becomes an artifact
constexpr std::size_t kMostRead = 600'000; // of a resource; base64 makes a third more of it
constexpr std::size_t kPage = 200;
constexpr double kMostSeconds = 50; // clients give up after 60 s unless they are told otherwise

Value objectSchema(ValueMap properties, ValueList required = {})
{
    ValueMap schema{ { "type", "object" }, { "properties", Value(std::move(properties)) } };
    if (!required.empty())
        schema.set("required", std::move(required));
    return Value(std::move(schema));
}

Value text(const char* description)
{
    return Value::map({ { "type", "string" }, { "description", description } });
}

std::vector<mcp::Tool> sandboxTools()
{
    const Value thread =
        text("The thread whose session is meant: names and files stay in it. Absent: the one "
             "of this connection, or, over HTTP without a session, a new one. The result "
             "tells it: name it in the next call to go on there.");
    std::vector<mcp::Tool> tools;
    mcp::Tool code{ "code_sandbox" };
    code.title = "Run Python in a sandbox";
    code.description =
        "Runs Python code in an isolated session, without network. Names and files stay for the next call of "
        "the same thread. Files that the code leaves in /session/artifacts are kept as artifacts. The value "
        "of the last expression is part of the result.";
    code.inputSchema = objectSchema(
        { { "code", text("Python code") },
          { "thread", thread },
          { "timeout_s",
            Value::map({ { "type", "number" },
                         { "exclusiveMinimum", 0 },
                         { "maximum", 3600 },
                         { "description", "Seconds after which it is ended; absent: 50." } }) } },
        { "code" });
    code.openWorld = false;
    tools.push_back(std::move(code));
    mcp::Tool list{ "list_datasets" };
    list.title = "List datasets";
    list.description = "Lists the datasets of this project, and which of them the session has.";
    list.inputSchema = objectSchema({ { "thread", thread } });
    list.readOnly = true;
    list.destructive = false;
    list.openWorld = false;
    tools.push_back(std::move(list));
    mcp::Tool select{ "select_dataset" };
    select.title = "Bring a dataset into the session";
    select.description = "Makes a dataset readable for code in the session, and tells its path there.";
    select.inputSchema =
        objectSchema({ { "dataset", text("The dataset's id") }, { "thread", thread } }, { "dataset" });
    select.destructive = false;
    select.idempotent = true;
    select.openWorld = false;
    tools.push_back(std::move(select));
    mcp::Tool exporting{ "export_datasets" };
    exporting.title = "Export a file of the session";
    exporting.description =
        "Copies a file of the session into the project's exports, and keeps it as an artifact.";
    exporting.inputSchema = objectSchema(
        { { "path", text("Such as /session/data/result.parquet") }, { "thread", thread } }, { "path" });
    exporting.destructive = false;
    exporting.openWorld = false;
    tools.push_back(std::move(exporting));
    return tools;
}

class ProjectOffering final : public Offering {
public:
    explicit ProjectOffering(ProjectWorld world)
        : m_world(std::move(world))
    {
    }

    std::string instructions() const override
    {
        return "Workflows and sandboxes of the Sandglass project " + m_world.name
            + ". code_sandbox runs Python in isolation; the other tools bring datasets in, results out, and "
              "run the project's workflows. Artifacts are resources.";
    }

    std::vector<mcp::Tool> tools() override
    {
        std::vector<mcp::Tool> all = sandboxTools();
        const std::lock_guard lock(m_mutex);
        for (const auto& [name, file] : graphNames()) {
            auto graph = opened(file);
            if (graph)
                all.push_back(graphTool(name, (*graph)->graph));
        }
        return all;
    }

    mcp::ToolResult call(const std::string& tool, const Value& arguments, const ToolScene& scene) override
    {
        const std::vector<mcp::Tool> known = tools();
        const auto found = std::ranges::find(known, tool, &mcp::Tool::name);
        if (found == known.end())
            return mcp::failedCall("Unknown tool: " + tool);
        if (const auto why = models::schemaMismatch(found->inputSchema, arguments);
            why && scene.state.empty())
            return mcp::failedCall("The arguments of " + tool + " are wrong: " + *why);
        ToolScene own = scene;
        if (own.thread.empty())
            own.thread = newThread();
        if (tool == "code_sandbox")
            return runCode(arguments, own);
        if (tool == "list_datasets")
            return listDatasets(arguments, own);
        if (tool == "select_dataset")
            return selectDataset(arguments, own);
        if (tool == "export_datasets")
            return exportFile(arguments, own);
        return runGraph(tool, arguments, own);
    }

    Result<ResourcePage> resources(const std::string& cursor) override
    {
        auto graph = first();
        if (!graph)
            return std::move(graph.error());
        std::size_t from = 0;
        if (!cursor.empty()) {
            if (cursor.size() > 9 || cursor.find_first_not_of("0123456789") != std::string::npos)
                return Error{ Errc::InvalidArgument, "there is no such page" };
            from = std::stoul(cursor);
        }
        auto all = (*graph)->artifacts.list({ .limit = static_cast<std::int64_t>(from + kPage + 1) });
        if (!all)
            return std::move(all.error());
        ResourcePage page;
        for (std::size_t i = from; i < std::min(all->size(), from + kPage); ++i) {
            Value entry = linkTo((*all)[i]);
            entry.editMap().erase("type");
            entry.editMap().set("description",
                                "of thread " + (*all)[i].origin.thread.value + ", " + (*all)[i].createdAt);
            page.resources.push_back(std::move(entry));
        }
        if (all->size() > from + kPage)
            page.next = std::to_string(from + kPage);
        return page;
    }

    Result<Value> read(const std::string& uri) override
    {
        const std::string id =
            uri.starts_with(kArtifactScheme) ? uri.substr(kArtifactScheme.size()) : std::string();
        if (!artifacts::isArtifactId(id))
            return Error{ Errc::NotFound, "Unknown resource" };
        auto graph = first();
        if (!graph)
            return std::move(graph.error());
        const auto artifact = (*graph)->artifacts.find(ArtifactId(id));
        if (!artifact)
            return artifact.error();
        if (artifact->size > kMostRead)
            return Error{ Errc::LimitExceeded,
                          "the artifact has " + std::to_string(artifact->size)
                              + " bytes, too many for one message. It can be exported with: sandglass "
                                "artifacts export "
                              + id };
        auto bytes = (*graph)->artifacts.read(*artifact, kMostRead);
        if (!bytes)
            return std::move(bytes.error());
        ValueMap content{ { "uri", uri }, { "mimeType", artifact->mime } };
        if (isValidUtf8(*bytes) && bytes->find('\0') == std::string::npos)
            content.set("text", std::move(*bytes));
        else
            content.set("blob", toBase64(*bytes));
        return Value(std::move(content));
    }

private:
    using Graph = std::shared_ptr<OpenGraph>;

    // The tool of each graph: its file's name, as other programs take it.
    [[nodiscard]] std::vector<std::pair<std::string, fs::path>> graphNames() const
    {
        std::set<std::string> taken;
        for (const mcp::Tool& tool : sandboxTools())
            taken.insert(tool.name);
        std::vector<std::pair<std::string, fs::path>> names;
        for (const fs::path& file : m_world.graphs) {
            std::string stem = file.filename().string();
            stem = stem.substr(0, stem.find(".graph.json"));
            std::string name = mcp::offeredName("run", stem, taken);
            taken.insert(name);
            names.emplace_back(std::move(name), file);
        }
        return names;
    }

    // Called with m_mutex held.
    Result<Graph> opened(const fs::path& file)
    {
        if (const auto found = m_open.find(file); found != m_open.end())
            return found->second;
        auto graph = m_world.open(file);
        if (graph)
            m_open.emplace(file, *graph);
        return graph;
    }

    Result<Graph> first()
    {
        if (m_world.graphs.empty())
            return Error{ Errc::NotFound, "the project has no graph yet" };
        const std::lock_guard lock(m_mutex);
        return opened(m_world.graphs.front());
    }

    static std::string newThread()
    {
        std::array<char, 6> chance{};
        fillRandomBytes(chance.data(), chance.size());
        return "mcp-" + toHex({ chance.data(), chance.size() });
    }

    struct Place {
        Graph graph;
        ThreadId thread;
        std::shared_ptr<sessions::Session> session;
    };
    Result<Place> session(const Value& arguments, const ToolScene& scene)
    {
        auto graph = first();
        if (!graph)
            return std::move(graph.error());
        const std::string named = arguments.stringOr("thread", "");
        const ThreadId thread(named.empty() ? scene.thread : named);
        if (thread.value.size() > 256 || !isValidUtf8(thread.value))
            return Error{ Errc::InvalidArgument, "a thread's name has at most 256 bytes of UTF-8" };
        auto spec = (*graph)->sessionSpec();
        if (!spec)
            return std::move(spec.error());
        int said = 0;
        auto session =
            (*graph)->sessions.acquire(thread, *spec, scene.stop, [&scene, &said](const std::string& line) {
                scene.progress(++said * 0.001, 0, line);
            });
        if (!session)
            return std::move(session.error());
        return Place{ std::move(*graph), thread, std::move(*session) };
    }

    mcp::ToolResult runCode(const Value& arguments, const ToolScene& scene)
    {
        auto place = session(arguments, scene);
        if (!place)
            return mcp::failedCall(place.error().message);
        sessions::CellLimits limits;
        const double seconds =
            arguments["timeout_s"].isNumber() ? arguments["timeout_s"].asDouble() : kMostSeconds;
        limits.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000) + 1);
        CellTexts texts;
        sessions::CellHandlers handlers;
        int pieces = 0;
        handlers.output = [&](const sessions::CellOutput& output) {
            using Stream = sessions::CellOutput::Stream;
            switch (output.stream) {
            case Stream::Stdout: texts.out += output.bytes; break;
            case Stream::Stderr: texts.err += output.bytes; break;
            case Stream::Event: texts.events += (texts.events.empty() ? "" : "\n") + output.bytes; break;
            }
            scene.progress(1 + ++pieces, 0, {});
        };
        artifacts::ArtifactOrigin origin;
        origin.thread = place->thread;
        origin.session = place->session->info().id;
        const auto result =
            place->session->runCell(arguments.stringOr("code", ""), limits, origin, handlers, scene.stop);
        return cellResult(result, std::move(texts), { place->graph->artifacts, origin });
    }

    static mcp::ToolResult structured(Value value, const Place& place)
    {
        value.editMap().set("thread", place.thread.value);
        return structuredResult(std::move(value));
    }

    static Value documentOf(const datasets::DatasetStatus& entry)
    {
        return Value::map({ { "id", entry.dataset.id },
                            { "status", nameOf(entry.state) },
                            { "path", entry.dataset.path.empty() ? Value() : Value(entry.dataset.path) },
                            { "format", entry.dataset.format } });
    }

    mcp::ToolResult listDatasets(const Value& arguments, const ToolScene& scene)
    {
        auto place = session(arguments, scene);
        if (!place)
            return mcp::failedCall(place.error().message);
        const auto entries = place->graph->datasets.list(*place->session);
        if (!entries)
            return mcp::failedCall(entries.error().message);
        ValueList list;
        for (const datasets::DatasetStatus& entry : *entries)
            list.push_back(documentOf(entry));
        return structured(Value::map({ { "datasets", std::move(list) } }), *place);
    }

    mcp::ToolResult selectDataset(const Value& arguments, const ToolScene& scene)
    {
        auto place = session(arguments, scene);
        if (!place)
            return mcp::failedCall(place.error().message);
        const auto staged = place->graph->datasets.select(
            *place->session, arguments.stringOr("dataset", ""),
            [&scene] { return !scene.stop.stop_requested(); },
            [&scene](const std::string& line) { scene.progress(1, 0, line); });
        if (!staged)
            return mcp::failedCall(staged.error().message);
        return structured(documentOf({ *staged, datasets::DatasetStatus::State::Loaded, {} }), *place);
    }

    mcp::ToolResult exportFile(const Value& arguments, const ToolScene& scene)
    {
        auto place = session(arguments, scene);
        if (!place)
            return mcp::failedCall(place.error().message);
        const auto exported =
            place->graph->datasets.exportFile(*place->session, arguments.stringOr("path", ""), {},
                                              [&scene] { return !scene.stop.stop_requested(); });
        if (!exported)
            return mcp::failedCall(exported.error().message);
        mcp::ToolResult made =
            structured(Value::map({ { "path", exported->copy.string() },
                                    { "bytes", static_cast<std::int64_t>(exported->artifact.size) } }),
                       *place);
        made.content.push_back(linkTo(exported->artifact));
        return made;
    }

    mcp::ToolResult runGraph(const std::string& tool, const Value& arguments, const ToolScene& scene)
    {
        Result<Graph> graph = Error{ Errc::NotFound, "Unknown tool: " + tool };
        {
            const std::lock_guard lock(m_mutex);
            for (const auto& [name, file] : graphNames())
                if (name == tool)
                    graph = opened(file);
        }
        if (!graph)
            return mcp::failedCall(graph.error().message);
        const auto key = artifacts::tokenKey(m_world.key);
        if (!key)
            return mcp::failedCall(key.error().message);
        ToolScene own = scene;
        own.thread = newThread(); // each run has its own unless it names one
        mcp::ToolResult made = callGraph(tool, **graph, arguments, own, *key, m_world.clock);
        if (made.structured.isNull())
            return made;
        std::string text = toJson(made.structured, JsonStyle::Indented);
        if (text.size() > kMostValues) {
            ValueList links;
            artifacts::ArtifactOrigin origin;
            origin.thread = ThreadId(made.structured.stringOr("thread", ""));
            shorten({ (*graph)->artifacts, origin }, text, links, kMostValues);
            made.structured.editMap().set("values",
                                          Value("too large for a message; see the artifact that is linked"));
            made.content = std::move(links);
        }
        made.content.push_back(Value::map({ { "type", "text" }, { "text", std::move(text) } }));
        return made;
    }

    const ProjectWorld m_world;
    std::mutex m_mutex;
    std::map<fs::path, Graph> m_open; // guarded by m_mutex
};

} // namespace

std::unique_ptr<Offering> makeProjectOffering(ProjectWorld world)
{
    return std::make_unique<ProjectOffering>(std::move(world));
}

} // namespace sg::servers
