#pragma once

#include <string>
#include <vector>

namespace sg::cli {

struct OptionInfo {
    std::vector<std::string> names; // "-o", "--output"; of an argument its name alone
    std::string value; // what stands behind it: "FILE"; empty: nothing, it is a flag
    std::vector<std::string> words; // the only values that it takes; empty: any
    std::string help;
    bool isArgument = false; // stands by its place
    bool isRequired = false;
};

// A verb as it was declared, with those beneath it: what completions, manual pages and the guide's list are
// made of.
struct VerbInfo {
    std::string path; // "session exec"; empty: the program
    std::string help;
    std::string example; // a whole command; empty where it only has verbs beneath it
    std::vector<OptionInfo> options; // its own, in the order of its help
    std::vector<VerbInfo> verbs;
};

} // namespace sg::cli
