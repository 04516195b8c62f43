#pragma once

// libjq's headers lack extern "C".
extern "C" {
#include <jq.h>
#include <jv.h>
}
