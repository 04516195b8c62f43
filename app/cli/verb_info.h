#pragma once

#include <string>
#include <vector>

namespace sg::cli {

struct OptionInfo {
    std::vector<std::string> names; // "-o", "--output"; an argument has only its name
    std::string value; // its value: "FILE"; empty: it is a flag
    std::vector<std::string> words; // its allowed values; empty: any
    std::string help;
    bool isArgument = false; // a positional argument
    bool isRequired = false;
};

// A verb as it was declared, with those beneath it: the source of completions, manual pages and the guide's
// list.
struct VerbInfo {
    std::string path; // "session exec"; empty: the program
    std::string help;
    std::string example; // a complete command; empty where it only has verbs beneath it
    std::vector<OptionInfo> options; // its own, in the order of its help
    std::vector<VerbInfo> verbs;
};

} // namespace sg::cli
