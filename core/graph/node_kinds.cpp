#include "core/graph/node_kinds.h"

#include "core/graph/checks/checks.h"

#include <array>

namespace sg::graph {
namespace {

constexpr std::array kOnRetryWords{
    SettingWord{ "rollback", "undo what the attempt changed",
                 "what a failed attempt changed in the sandbox is undone" },
    SettingWord{ "keep", "keep what it changed", "" },
};

constexpr std::array kParallelWords{
    SettingWord{ "fork", "beside others, in a fork",
                 "tasks of one superstep run beside each other, each in a fork of the interpreter" },
    SettingWord{ "serial", "one after another", "they run one after another in the thread's interpreter" },
};

constexpr NodeSetting kProgram{ .key = "jq",
                                .label = "Program (jq)",
                                .help = "Makes the update from the node's input.",
                                .type = SettingType::Program,
                                .place = SettingPlace::Editor,
                                .first = "{}",
                                .needed = "its program" };
constexpr NodeSetting kFile{ .key = "file",
                             .label = "File",
                             .hint = "nodes/name.py",
                             .help = "The file that has its function, below the graph's folder.",
                             .type = SettingType::CodeFile,
                             .first = "nodes/{name}.py",
                             .needed = "its code file" };
constexpr NodeSetting kFunction{
    .key = "function",
    .label = "Function",
    .help = "The function that is called.",
    .type = SettingType::Function,
    .fallback = "node",
};
constexpr NodeSetting kTimeout{ .key = "timeout_s",
                                .label = "Time limit",
                                .hint = "none; seconds",
                                .help = "A task that takes longer has failed.",
                                .type = SettingType::Seconds,
                                .place = SettingPlace::Time };
constexpr NodeSetting kOnRetry{ .key = "on_retry",
                                .label = "Before the next",
                                .help = "What a failed attempt changed in the sandbox is undone before the "
                                        "next, or kept.",
                                .type = SettingType::Word,
                                .place = SettingPlace::Retry,
                                .fallback = "rollback",
                                .words = kOnRetryWords };

constexpr std::array kCode{ kProgram, kFile, kFunction, kTimeout, kOnRetry };
constexpr std::array kCommon{
    kTimeout,
    NodeSetting{ .key = "ends",
                 .label = "May go to",
                 .hint = "where its edges lead",
                 .help = "Where a Command of this node may go.",
                 .type = SettingType::NodeNames,
                 .place = SettingPlace::Order },
};

constexpr std::array kJq{ kProgram };

constexpr NodeSetting kOwnSecrets{
    .key = "secrets",
    .label = "Secrets",
    .hint = "none of the graph's; [] for none",
    .help = "Names that hosts are shown for this node alone; for a node with a session of its own.",
    .type = SettingType::Secrets,
    .place = SettingPlace::Last
};

constexpr NodeSetting kOwnSecretHeaders{ .key = "secret_headers",
                                         .label = "Headers with secrets",
                                         .hint = "none",
                                         .help = "Names of secrets that the proxy puts into requests of this "
                                                 "node alone; for a node with a session of its own.",
                                         .type = SettingType::Secrets,
                                         .place = SettingPlace::Last };

constexpr std::array kPython{
    kFile,
    kFunction,
    kOnRetry,
    NodeSetting{ .key = "parallel",
                 .label = "In one superstep",
                 .hint = "the graph's; in forks",
                 .help = "How tasks run that share a session. In a fork, names that they set are dropped.",
                 .type = SettingType::Word,
                 .place = SettingPlace::Order,
                 .words = kParallelWords },
    NodeSetting{ .key = "keep_names",
                 .label = "Keeps names",
                 .help = "Names that a fork sets are brought into the thread's interpreter.",
                 .type = SettingType::Flag,
                 .place = SettingPlace::Order },
    NodeSetting{ .key = "requirements",
                 .label = "Packages",
                 .help = "One a line, as pip writes them; for a node with a session of its own.",
                 .type = SettingType::Packages,
                 .place = SettingPlace::Last },
    kOwnSecrets,
    kOwnSecretHeaders,
    NodeSetting{ .key = kRoleKey,
                 .label = "Role",
                 .hint = "none: it runs here",
                 .help = "A worker of this role does its tasks, in a session of its own.",
                 .place = SettingPlace::Order,
                 .shape = R"({"pattern": "^[a-z0-9_-]{0,64}$"})" },
};

constexpr std::string_view kObjectShape = R"({"type": ["object", "null"]})";
constexpr std::string_view kHeadersShape =
    R"({"type": ["object", "null"], "additionalProperties": {"type": "string"}})";

constexpr std::array kFormWords{
    SettingWord{ "any", "anything", "" },
    SettingWord{ "approve", "yes or no", "" },
    SettingWord{ "choose", "one of the answers", "" },
    SettingWord{ "edit", "a changed value", "" },
    SettingWord{ "form", "a form", "" },
};

constexpr std::array kHuman{
    NodeSetting{ .key = "question",
                 .label = "Question",
                 .help = "What it asks.",
                 .type = SettingType::TextOrValue,
                 .first = "Go on?" },
    NodeSetting{ .key = "jq",
                 .label = "Made by (jq)",
                 .hint = "the question as it is",
                 .help = "Makes the question from the node's input.",
                 .type = SettingType::Program },
    NodeSetting{ .key = "channel",
                 .label = "Answer to",
                 .hint = "the answer is an update of the state",
                 .help = "The channel that takes it. Absent: it is an update of the state.",
                 .type = SettingType::ChannelName,
                 .says = "the channel that takes the answer" },
    NodeSetting{ .key = "form",
                 .label = "Answered by",
                 .help = "How it is answered. approve gives true or false, edit changes what edits holds, "
                         "form takes what matches the schema.",
                 .type = SettingType::Word,
                 .fallback = "any",
                 .words = kFormWords },
    NodeSetting{ .key = "answers",
                 .label = "Answers",
                 .hint = "to choose from",
                 .help = "What may be chosen.",
                 .type = SettingType::Names },
    NodeSetting{ .key = "edits",
                 .label = "Edits",
                 .hint = "the channel whose value is shown and changed",
                 .help = "The channel whose value is shown and changed.",
                 .type = SettingType::ChannelName,
                 .says = "the channel that is edited" },
    NodeSetting{
        .key = "schema",
        .label = "Answer must match",
        .hint = "anything; a JSON Schema",
        .help = "The inbox shows its fields as a form. An answer that does not match is asked for again.",
        .type = SettingType::Json,
        .shape = kObjectShape },
};

constexpr std::array kMethodWords{
    SettingWord{ "GET", "GET", "" },         SettingWord{ "HEAD", "HEAD", "" },
    SettingWord{ "POST", "POST", "" },       SettingWord{ "PUT", "PUT", "" },
    SettingWord{ "PATCH", "PATCH", "" },     SettingWord{ "DELETE", "DELETE", "" },
    SettingWord{ "OPTIONS", "OPTIONS", "" },
};

constexpr std::array kHttp{
    NodeSetting{ .key = "url",
                 .label = "Address",
                 .hint = "https://api.example.com/v1/items",
                 .help = "Asked only if HTTP_HOSTS names its host. Redirects are not followed.",
                 .first = "https://api.example.com/",
                 .shape = R"({"pattern": "^https?://"})" },
    NodeSetting{ .key = "method",
                 .label = "Method",
                 .help = "The method of the request.",
                 .type = SettingType::Word,
                 .fallback = "GET",
                 .words = kMethodWords },
    NodeSetting{ .key = "request",
                 .label = "Made by (jq)",
                 .hint = "{query: {q: .question}}",
                 .help =
                     "Gives an object of url, method, query, headers and body, each in place of the setting.",
                 .type = SettingType::Program },
    NodeSetting{ .key = "headers",
                 .label = "Headers",
                 .hint = R"({"Authorization": "Bearer {secret}"})",
                 .help = "Sent with the request; {secret} stands for the secret.",
                 .type = SettingType::Json,
                 .shape = kHeadersShape },
    NodeSetting{ .key = "secret",
                 .label = "Secret",
                 .hint = "none; its name",
                 .help = "Stands for {secret} in the headers. MODEL_KEYS says which host may be shown it.",
                 .type = SettingType::Secret },
    NodeSetting{ .key = "channel",
                 .label = "Answer to",
                 .hint = "the answer is an update of the state",
                 .help = "The channel that takes it. Absent: it is an update of the state.",
                 .type = SettingType::ChannelName,
                 .says = "the channel that takes the answer" },
    NodeSetting{ .key = "whole",
                 .label = "With status and headers",
                 .help =
                     "The answer is an object of status, headers and body; an error status is no failure.",
                 .type = SettingType::Flag,
                 .place = SettingPlace::Last },
    NodeSetting{ .key = "max_kb",
                 .label = "KiB at most",
                 .hint = "1024",
                 .help = "How large the answer may be. Absent: 1024.",
                 .type = SettingType::Count,
                 .place = SettingPlace::Last,
                 .least = 1,
                 .most = 65'536 },
};

constexpr std::array kTool{
    NodeSetting{ .key = "server",
                 .label = "MCP server",
                 .hint = "its name in the graph's mcp",
                 .help = "An MCP server of the graph.",
                 .first = "name",
                 .needed = "an MCP server of the graph" },
    NodeSetting{ .key = "tool",
                 .label = "Tool",
                 .hint = "as the server names it",
                 .help = "The tool, as its server names it.",
                 .first = "tool",
                 .needed = "a tool of the server" },
    NodeSetting{ .key = "arguments",
                 .label = "Arguments (jq)",
                 .hint = "the state as it is",
                 .help = "Gives its arguments as an object.",
                 .type = SettingType::Program,
                 .fallback = "." },
    NodeSetting{ .key = "channel",
                 .label = "Result to",
                 .hint = "the result is an update of the state",
                 .help = "The channel that takes it. Absent: it is an update of the state.",
                 .type = SettingType::ChannelName,
                 .says = "the channel that takes the result" },
};

constexpr std::array kMap{
    NodeSetting{ .key = "items",
                 .label = "Items (jq)",
                 .hint = ".words",
                 .help = "A list; the node that it may go to runs once for each, beside each other.",
                 .type = SettingType::Program,
                 .first = "[]",
                 .needed = "a program that gives a list" },
    NodeSetting{ .key = "limit",
                 .label = "At once",
                 .hint = "all",
                 .help = "So many of them run at once.",
                 .type = SettingType::Count,
                 .least = 1,
                 .most = 1000 },
};

constexpr std::array kSubgraph{
    NodeSetting{
        .key = "graph_file",
        .label = "From file",
        .hint = "the graph within; or other.graph.json",
        .help = "A graph file of this folder, in place of the graph within. It is read when a run begins." },
    NodeSetting{ .key = "in",
                 .label = "Takes (jq)",
                 .hint = "the state as it is",
                 .help = "Its input from the node's input.",
                 .type = SettingType::Program,
                 .fallback = "." },
    NodeSetting{ .key = "out",
                 .label = "Gives (jq)",
                 .hint = "what changed",
                 .help = "The update from {state, result}.",
                 .type = SettingType::Program,
                 .fallback = ".result" },
    NodeSetting{ .key = "calls",
                 .label = "Runs",
                 .hint = "once",
                 .help = "So many runs one after another; the result is a list.",
                 .type = SettingType::Count,
                 .place = SettingPlace::Last,
                 .says = "a number of runs",
                 .most = 10'000,
                 .checkedByRun = true },
};

constexpr std::array kDataset{
    NodeSetting{ .key = "dataset",
                 .label = "Dataset",
                 .hint = "its name in datasets.json",
                 .help = "What it brings into the session.",
                 .first = "name",
                 .checkedByRun = true },
    NodeSetting{ .key = "from",
                 .label = "or named in",
                 .hint = "a channel that holds its name",
                 .help = "The channel that holds the dataset's name, instead of \"dataset\".",
                 .type = SettingType::ChannelName,
                 .says = "the channel that holds the dataset's name",
                 .checkedByRun = true },
    NodeSetting{ .key = "channel",
                 .label = "Path to",
                 .hint = "the channel that gets its path",
                 .type = SettingType::ChannelName,
                 .says = "the channel that takes the dataset's path",
                 .checkedByRun = true },
};

constexpr std::array kWireWords{
    SettingWord{ "openai", "OpenAI and servers like it", "chat/completions" },
    SettingWord{ "anthropic", "Anthropic", "v1/messages" },
};
constexpr std::array kAuthWords{
    SettingWord{ "bearer", "Authorization: Bearer", "" },
    SettingWord{ "x-api-key", "x-api-key", "" },
    SettingWord{ "none", "no key", "" },
};

constexpr std::string_view kToolsShape = R"({
  "type": ["array", "null"],
  "items": {
    "type": "object",
    "required": ["name"],
    "properties": {
      "name": {"type": "string", "minLength": 1},
      "description": {"type": "string"},
      "parameters": {"type": ["object", "null"]}
    }
  }
})";

constexpr NodeSetting kModelName{
    .key = "model",
    .label = "Model",
    .hint = "the graph's",
    .help = "The model's name. This and all that follows may stand in the graph's \"llm\" too."
};
constexpr NodeSetting kBaseUrl{ .key = "base_url",
                                .label = "Base URL",
                                .hint = "the graph's; http://127.0.0.1:11434/v1",
                                .help = "The only place that is asked.",
                                .shape = R"({"pattern": "^https?://"})" };
constexpr NodeSetting kWire{ .key = "wire",
                             .label = "Speaks",
                             .help = "How the server is spoken to.",
                             .type = SettingType::Word,
                             .fallback = "openai",
                             .words = kWireWords };
constexpr NodeSetting kModelKey{ .key = "key",
                                 .label = "Key",
                                 .hint = "none; the name of a secret",
                                 .help = "A secret's name. MODEL_KEYS says which host may be shown it.",
                                 .type = SettingType::Secret };
constexpr NodeSetting kSystem{ .key = "system",
                               .label = "System prompt",
                               .hint = "none; comes before the messages and is not stored",
                               .help = "Comes before the messages and is not stored.",
                               .type = SettingType::LongText };
constexpr NodeSetting kMessages{
    .key = "messages",
    .label = "Messages",
    .hint = "messages",
    .help = "The channel that is sent, and takes the answer. Absent: messages, where the state "
            "has it; null: none.",
    .type = SettingType::ChannelName,
    .says = "the channel of messages"
};
constexpr NodeSetting kPrompt{
    .key = "prompt",
    .label = "Asked (jq)",
    .hint = "the messages as they are",
    .help = "Gives the text, or the messages, that are sent in place of the channel's.",
    .type = SettingType::Program
};
constexpr NodeSetting kSchema{ .key = "schema",
                               .label = "Answer must match",
                               .hint = "any text; a JSON Schema",
                               .help = "An answer that does not match is asked for once more.",
                               .type = SettingType::Json,
                               .shape = kObjectShape };
constexpr NodeSetting kTemperature{ .key = "temperature",
                                    .label = "Temperature",
                                    .hint = "the model's",
                                    .help = "How freely it chooses its words. Absent: the model's own.",
                                    .type = SettingType::Number,
                                    .most = 2 };
constexpr NodeSetting kMaxTokens{ .key = "max_tokens",
                                  .label = "Tokens at most",
                                  .hint = "the model's",
                                  .help = "The answer's length at most. Absent: the model's own.",
                                  .type = SettingType::Count,
                                  .least = 1,
                                  .most = 10'000'000 };
constexpr NodeSetting kIdle{ .key = "idle_s",
                             .label = "Silence at most",
                             .hint = "120; seconds",
                             .help =
                                 "Without a word of the model for so long, the call has failed. Absent: 120.",
                             .type = SettingType::Seconds,
                             .place = SettingPlace::Time };
constexpr NodeSetting kMaxRetries{ .key = "max_retries",
                                   .label = "Calls again",
                                   .hint = "2",
                                   .help = "Where the server is busy, before the node fails. Absent: 2.",
                                   .type = SettingType::Count,
                                   .place = SettingPlace::Time,
                                   .most = 10 };
constexpr NodeSetting kInOnePiece{ .key = "in_one_piece",
                                   .label = "Answer in one piece",
                                   .help = "Asks for the answer at once, not word by word.",
                                   .type = SettingType::Flag,
                                   .place = SettingPlace::Last };
constexpr NodeSetting kAuth{ .key = "auth",
                             .label = "Key goes as",
                             .help = "How the key is sent. Absent: as the wire does.",
                             .type = SettingType::Word,
                             .place = SettingPlace::Last,
                             .fallback = "bearer",
                             .words = kAuthWords };
constexpr NodeSetting kOptions{ .key = "options",
                                .label = "Further fields",
                                .hint = R"({"top_p": 0.9})",
                                .help = "Fields of the request, sent as they are.",
                                .type = SettingType::Json,
                                .place = SettingPlace::Last,
                                .shape = kObjectShape };

constexpr std::array kLlm{
    kModelName,
    kBaseUrl,
    kWire,
    kModelKey,
    kSystem,
    kMessages,
    kPrompt,
    NodeSetting{ .key = "channel",
                 .label = "Answer to",
                 .hint = "the messages alone",
                 .help = "The channel that takes the answer's text; with a schema what was read of it.",
                 .type = SettingType::ChannelName,
                 .says = "the channel that takes the answer" },
    kSchema,
    NodeSetting{ .key = "tools",
                 .label = "Tools",
                 .hint = R"([{"name": …, "description": …, "parameters": {…}}])",
                 .help = "What the model may ask for; another node does it.",
                 .type = SettingType::Json,
                 .shape = kToolsShape },
    NodeSetting{ .key = "tool_choice",
                 .label = "Tool choice",
                 .hint = "auto",
                 .help = "auto, none, any, or a tool's name." },
    kTemperature,
    kMaxTokens,
    kIdle,
    kMaxRetries,
    kInOnePiece,
    kAuth,
    kOptions,
};

constexpr std::array kAnswerWords{
    SettingWord{ "tool", "a tool's arguments", "LangChain's ToolStrategy" },
    SettingWord{ "response_format", "the wire's response_format", "LangChain's ProviderStrategy" },
};
constexpr std::array kToolErrorWords{
    SettingWord{ "tell", "tell the model", "the model is told and goes on" },
    SettingWord{ "raise", "fail the node", "as LangChain does" },
};
constexpr std::string_view kAgentToolsShape = R"({
  "type": ["array", "null"],
  "maxItems": 512,
  "items": {
    "anyOf": [
      {
        "type": "string",
        "pattern": "(\\.py(:[^:/]+)?|\\.graph\\.json|^mcp:[A-Za-z0-9_-]+(/.+)?|^(code_sandbox|select_dataset|list_datasets|export_datasets))$"
      },
      {
        "type": "object",
        "required": ["tool"],
        "propertyNames": {
          "anyOf": [
            {"enum": ["tool", "name", "description", "parameters", "in", "out", "return_direct", "timeout_s"]},
            {"pattern": "^x-"}
          ]
        },
        "properties": {
          "tool": {
            "type": "string",
            "pattern": "(\\.py(:[^:/]+)?|\\.graph\\.json|^mcp:[A-Za-z0-9_-]+(/.+)?|^(code_sandbox|select_dataset|list_datasets|export_datasets))$"
          },
          "name": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
          "description": {"type": "string"},
          "parameters": {"type": "object"},
          "in": {"$ref": "#/$defs/program"},
          "out": {"$ref": "#/$defs/program"},
          "return_direct": {"type": "boolean"},
          "timeout_s": {"$ref": "#/$defs/seconds", "exclusiveMinimum": 0}
        }
      },
      {
        "type": "object",
        "required": ["http", "name", "description"],
        "propertyNames": {
          "anyOf": [
            {"enum": ["http", "name", "description", "parameters", "return_direct", "timeout_s"]},
            {"pattern": "^x-"}
          ]
        },
        "properties": {
          "http": {
            "type": "object",
            "properties": {
              "url": {"type": "string", "pattern": "^https?://"},
              "method": {"enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]},
              "request": {"$ref": "#/$defs/program"},
              "headers": {"type": "object", "additionalProperties": {"type": "string"}},
              "secret": {"type": "string"},
              "whole": {"type": "boolean"},
              "max_kb": {"type": "integer", "minimum": 1, "maximum": 65536}
            }
          },
          "name": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
          "description": {"type": "string", "minLength": 1},
          "parameters": {"type": "object"},
          "return_direct": {"type": "boolean"},
          "timeout_s": {"$ref": "#/$defs/seconds", "exclusiveMinimum": 0}
        }
      }
    ]
  }
})";
constexpr std::string_view kReviewShape = R"({
  "type": ["object", "null"],
  "required": ["tools"],
  "propertyNames": {"anyOf": [{"enum": ["mode", "on_wrong_answer", "tools"]}, {"pattern": "^x-"}]},
  "properties": {
    "mode": {"enum": ["batched", "per_call"]},
    "on_wrong_answer": {"enum": ["ask", "raise"]},
    "tools": {
      "type": "object",
      "additionalProperties": {
        "anyOf": [
          {"type": ["boolean", "null"]},
          {
            "type": "object",
            "propertyNames": {
              "anyOf": [{"enum": ["allowed_decisions", "description", "when"]}, {"pattern": "^x-"}]
            },
            "properties": {
              "allowed_decisions": {
                "type": "array",
                "minItems": 1,
                "items": {"enum": ["approve", "edit", "reject", "respond"]}
              },
              "description": {"type": "string"},
              "when": {"$ref": "#/$defs/program"}
            }
          }
        ]
      }
    }
  }
})";
constexpr std::string_view kPermissionsShape = R"({
  "type": ["object", "null"],
  "propertyNames": {"anyOf": [{"enum": ["tools", "datasets", "hosts"]}, {"pattern": "^x-"}]},
  "properties": {
    "tools": {"type": ["array", "null"], "items": {"type": "string"}},
    "datasets": {"type": ["array", "null"], "items": {"type": "string"}},
    "hosts": {"type": ["array", "null"], "items": {"type": "string"}}
  }
})";
constexpr std::string_view kAgentBudgetShape = R"({
  "type": ["object", "null"],
  "propertyNames": {"anyOf": [{"enum": ["turns", "tokens", "cost", "seconds", "then"]}, {"pattern": "^x-"}]},
  "properties": {
    "turns": {"type": "integer", "minimum": 1, "maximum": 1000000000000000},
    "tokens": {"type": "number", "minimum": 0, "maximum": 1000000000000000},
    "cost": {"type": "number", "minimum": 0, "maximum": 1000000000000000},
    "seconds": {"type": "number", "minimum": 0, "maximum": 2592000},
    "then": {"enum": ["fail", "end"]}
  }
})";

constexpr std::array kAgent{
    kModelName,
    kBaseUrl,
    kWire,
    kModelKey,
    kSystem,
    NodeSetting{
        .key = "tools",
        .label = "Tools",
        .hint = R"(["nodes/tools.py", "code_sandbox"])",
        .help =
            "Python files or FILE:FUNCTION, mcp:SERVER or mcp:SERVER/TOOL, NAME.graph.json, code_sandbox, "
            "select_dataset, list_datasets, export_datasets; {\"tool\": one of these} says more "
            "of one, {\"http\": {…}} is a web service.",
        .type = SettingType::Json,
        .shape = kAgentToolsShape },
    kMessages,
    kPrompt,
    NodeSetting{ .key = "channel",
                 .label = "Answer to",
                 .hint = "the messages alone",
                 .help = "Takes the last answer's text; with a schema what was read of it.",
                 .type = SettingType::ChannelName,
                 .says = "the channel that takes the answer" },
    kSchema,
    NodeSetting{ .key = "answers_by",
                 .label = "Answers by",
                 .help = "How the model answers by the schema.",
                 .type = SettingType::Word,
                 .fallback = "tool",
                 .words = kAnswerWords },
    NodeSetting{ .key = "review",
                 .label = "Review",
                 .hint = R"(nothing; {"tools": {"delete_file": true}})",
                 .help = "Calls that a person approves, edits or rejects before they run.",
                 .type = SettingType::Json,
                 .shape = kReviewShape },
    NodeSetting{ .key = "permissions",
                 .label = "May use",
                 .hint = R"(all of it; {"tools": […], "datasets": […], "hosts": […]})",
                 .help = "A call of anything else is refused to the model, and audited.",
                 .type = SettingType::Json,
                 .shape = kPermissionsShape },
    NodeSetting{ .key = "budget",
                 .label = "Budget",
                 .hint = R"({"turns": 100}; also tokens, cost, seconds)",
                 .help = "What one run of the node may use up; absent: 100 turns.",
                 .type = SettingType::Json,
                 .shape = kAgentBudgetShape },
    kTemperature,
    kMaxTokens,
    kIdle,
    kMaxRetries,
    NodeSetting{ .key = "on_tool_error",
                 .label = "A tool's error",
                 .help = "Whether a tool's exception is told to the model or fails the node.",
                 .type = SettingType::Word,
                 .place = SettingPlace::Last,
                 .fallback = "tell",
                 .words = kToolErrorWords },
    NodeSetting{ .key = "result_limit",
                 .label = "Of a result",
                 .hint = "100000; characters",
                 .help =
                     "A longer result is a file among the artifacts; the model sees its beginning and end.",
                 .type = SettingType::Count,
                 .place = SettingPlace::Last,
                 .least = 100,
                 .most = 10'000'000 },
    NodeSetting{ .key = "speaks_as",
                 .label = "Speaks as",
                 .hint = "nobody; the name in its messages",
                 .help = "The name in its messages.",
                 .place = SettingPlace::Last },
    kInOnePiece,
    kAuth,
    kOptions,
    kOwnSecrets,
    kOwnSecretHeaders,
};

constexpr std::array kKinds{
    NodeKind{ .id = kJqKind,
              .title = "jq transform",
              .does = "reshapes the state",
              .group = "Code",
              .icon = "tool",
              .firstName = "transform",
              .subtitle = "jq",
              .onePlanned = "1 jq program, which touches nothing",
              .manyPlanned = "%1 jq programs, which touch nothing",
              .exported = ExportAs::Program,
              .settings = kJq },
    NodeKind{ .id = kPythonKind,
              .title = "Python",
              .does = "a function in the sandbox",
              .group = "Code",
              .icon = "python",
              .firstName = "python",
              .subtitle = "file",
              .effect = SideEffect::RunsCode,
              .onePlanned = "1 Python node runs in the thread's sandbox",
              .manyPlanned = "%1 Python nodes run in the thread's sandbox",
              .exported = ExportAs::Function,
              .usesSandbox = true,
              .mayOwnSession = true,
              .settings = kPython,
              .check = checkOwnRequirements },
    NodeKind{ .id = "human",
              .title = "Human",
              .does = "asks a person and waits",
              .group = "People",
              .icon = "human",
              .firstName = "ask",
              .subtitle = "=asks a person",
              .effect = SideEffect::AsksPerson,
              .onePlanned = "1 question to you",
              .manyPlanned = "%1 questions to you",
              .exported = ExportAs::Interrupt,
              .settings = kHuman,
              .check = checkHuman },
    NodeKind{ .id = kLlmKind,
              .title = "Chat model",
              .does = "asks a language model",
              .group = "Models",
              .icon = "llm",
              .firstName = "chat",
              .subtitle = "model",
              .effect = SideEffect::ReachesOut,
              .onePlanned = "1 call of a chat model, which may cost money",
              .manyPlanned = "%1 calls of chat models, which may cost money",
              .settings = kLlm,
              .check = checkModel },
    NodeKind{ .id = kAgentKind,
              .title = "Agent",
              .does = "a model in a loop with tools",
              .group = "Models",
              .icon = "agent",
              .firstName = "agent",
              .subtitle = "model",
              .effect = SideEffect::RunsCode,
              .onePlanned = "1 agent, which calls tools as its model says",
              .manyPlanned = "%1 agents, which call tools as their models say",
              .usesSandbox = true,
              .mayOwnSession = true,
              .settings = kAgent,
              .check = checkAgent },
    NodeKind{ .id = kSubgraphKind,
              .title = "Subgraph",
              .does = "a graph as one node",
              .group = "Flow",
              .icon = "subgraph",
              .firstName = "subgraph",
              .effect = SideEffect::RunsInside,
              .onePlanned = "1 subgraph runs with all that is in it",
              .manyPlanned = "%1 subgraphs run with all that is in them",
              .exported = ExportAs::Subgraph,
              .holdsGraph = true,
              .settings = kSubgraph },
    NodeKind{ .id = "map",
              .title = "Map",
              .does = "runs a node for each item",
              .group = "Flow",
              .icon = "fork",
              .firstName = "map",
              .subtitle = "items",
              .settings = kMap,
              .check = checkMap },
    NodeKind{ .id = "dataset",
              .title = "Dataset",
              .does = "brings data into the session",
              .group = "Data",
              .icon = "dataset",
              .firstName = "dataset",
              .subtitle = "dataset",
              .effect = SideEffect::FetchesData,
              .exported = ExportAs::DatasetPath,
              .settings = kDataset },
    NodeKind{ .id = "http",
              .title = "HTTP request",
              .does = "asks a web service",
              .group = "Services",
              .icon = "http",
              .firstName = "request",
              .subtitle = "url",
              .effect = SideEffect::ReachesOut,
              .onePlanned = "1 request over HTTP",
              .manyPlanned = "%1 requests over HTTP",
              .settings = kHttp,
              .check = checkHttp },
    NodeKind{ .id = "tool",
              .title = "MCP tool",
              .does = "calls a tool of an MCP server",
              .group = "Services",
              .icon = "tool",
              .firstName = "call",
              .subtitle = "tool",
              .effect = SideEffect::ReachesOut,
              .onePlanned = "1 call of an MCP tool",
              .manyPlanned = "%1 calls of MCP tools",
              .settings = kTool,
              .check = checkTool },
};

} // namespace

std::span<const NodeKind> nodeKinds()
{
    return kKinds;
}

std::span<const NodeSetting> commonSettings()
{
    return kCommon;
}

std::span<const NodeSetting> codeSettings()
{
    return kCode;
}

std::string functionOf(const ValueMap& code)
{
    return textOr(code, kFunction);
}

} // namespace sg::graph
