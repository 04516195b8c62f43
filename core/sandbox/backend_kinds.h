#pragma once

#include <span>
#include <string>
#include <string_view>

// BackendKind describes a backend once for all readers: the choice of one, upkeep of its sandboxes, settings,
// preparing its Python, command line and window. The code that makes sandboxes is in the backend's own
// folder. Texts are English; the window translates them. All data is constant and may be read by any thread.
namespace sg::sandbox {

inline constexpr std::string_view kAutoBackend = "auto"; // stands for the first backend that can be used

// The origin of the sandbox's Python.
enum class RunsOn {
    Image, // a container's image
    Environment, // a virtual environment on this machine; without one, only the system's Python
    Service, // another machine has it ready: nothing is built here
};

struct BackendKind {
    std::string_view name; // in graphs, settings and records
    std::string_view title; // shown in a choice
    std::string_view note; // in two words
    std::string_view ready; // shown in the status line when it can be used
    std::string_view help; // what it is, for people
    std::string_view package; // of Debian, which brings it to this machine; empty: none does
    RunsOn runsOn = RunsOn::Image;
    bool isAutomatic = false; // `kAutoBackend` may choose it
    bool isWeaker = false; // its limits may be weaker than asked for, and people are told
    bool diesWithProgram = false; // when the program ends that started the sandbox; the records name it
    bool mayBeKept = false; // a session can live on after its program
};

// Kinds in order of preference.
std::span<const BackendKind> backendKinds();
const BackendKind* findBackendKind(std::string_view name); // null: unknown name
const BackendKind& firstBackendOn(RunsOn place); // for Image and Environment, which each have one

// False for an unknown kind.
bool diesWithProgram(std::string_view backend);
bool mayBeKept(std::string_view backend);
bool runsOnEnvironment(std::string_view backend);

// The names of all kinds that fit, in order: "docker or bubblewrap".
std::string backendNames(bool (*fits)(const BackendKind&), std::string_view between = " or ");

} // namespace sg::sandbox
