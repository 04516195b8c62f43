#pragma once

#include <span>
#include <string>
#include <string_view>

// What a backend is, once, for all that ask: choosing one, looking after its sandboxes, settings, preparing
// the Python that it runs, command line and window. What makes sandboxes stands in its own folder. Texts are
// English; the window translates them. All of it is constant and may be read by any thread.
namespace sg::sandbox {

inline constexpr std::string_view kAutoBackend = "auto"; // in place of a name: the first that can be used

// Where the sandbox's Python comes from.
enum class RunsOn {
    Image, // of a container
    Environment, // a virtual environment on this machine; without it the system's Python alone
    Service, // another machine has it ready: nothing is built here
};

struct BackendKind {
    std::string_view name; // in graphs, settings and records
    std::string_view title; // in a choice
    std::string_view note; // in two words
    std::string_view ready; // as the status line says that it can be used
    std::string_view help; // what it is, for people
    RunsOn runsOn = RunsOn::Image;
    bool isAutomatic = false; // `kAutoBackend` may choose it
    bool isWeaker = false; // its limits may be weaker than asked for, and people are told
    bool diesWithProgram = false; // with the one that started the sandbox, whose records say which that is
    bool mayBeKept = false; // a session can live on after its program
};

// In the order in which they are preferred.
std::span<const BackendKind> backendKinds();
const BackendKind* findBackendKind(std::string_view name); // null: none is called so
const BackendKind& firstBackendOn(RunsOn place); // of Image and Environment, of which there is always one

// Of a known kind that says so.
bool diesWithProgram(std::string_view backend);
bool mayBeKept(std::string_view backend);
bool runsOnEnvironment(std::string_view backend);

// Of all that fit, in order: "docker or bubblewrap".
std::string backendNames(bool (*fits)(const BackendKind&), std::string_view between = " or ");

} // namespace sg::sandbox
