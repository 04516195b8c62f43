#pragma once

#include "core/base/result.h"

#define CURL_DISABLE_TYPECHECK // its macros would stand in for the members below
#include <curl/curl.h>

// The headers define macros with these names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace sg::net {

// Libcurl depends on thirty libraries and takes 10 ms to load. It is loaded at the first request, so that
// programs without HTTP do without it. Members are libcurl's functions of the same names.
struct CurlLibrary {
    decltype(&curl_easy_init) easyInit = nullptr;
    decltype(&curl_easy_cleanup) easyCleanup = nullptr;
    decltype(&curl_easy_reset) easyReset = nullptr;
    decltype(&curl_easy_setopt) easySetopt = nullptr;
    decltype(&curl_easy_getinfo) easyGetinfo = nullptr;
    decltype(&curl_easy_perform) easyPerform = nullptr;
    decltype(&curl_multi_init) multiInit = nullptr;
    decltype(&curl_multi_cleanup) multiCleanup = nullptr;
    decltype(&curl_multi_add_handle) multiAddHandle = nullptr;
    decltype(&curl_multi_remove_handle) multiRemoveHandle = nullptr;
    decltype(&curl_multi_perform) multiPerform = nullptr;
    decltype(&curl_multi_poll) multiPoll = nullptr;
    decltype(&curl_multi_wakeup) multiWakeup = nullptr;
    decltype(&curl_multi_info_read) multiInfoRead = nullptr;
    decltype(&curl_multi_strerror) multiStrerror = nullptr;
    decltype(&curl_easy_send) easySend = nullptr;
    decltype(&curl_easy_recv) easyRecv = nullptr;
    decltype(&curl_easy_strerror) easyStrerror = nullptr;
    decltype(&curl_slist_append) slistAppend = nullptr;
    decltype(&curl_slist_free_all) slistFreeAll = nullptr;
};

// Loads and starts the library once per program. Errc::Unavailable says what is missing. Any thread.
const Result<CurlLibrary>& curlLibrary();

} // namespace sg::net
