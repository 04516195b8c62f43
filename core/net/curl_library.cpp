#include "core/net/curl_library.h"

#include <dlfcn.h>

#include <string>

namespace sg::net {
namespace {

constexpr const char* kFile = "libcurl.so.4"; // the version that <curl/curl.h> describes

Error missing(const char* why)
{
    return { Errc::Unavailable,
             std::string("the HTTP library ") + kFile + " cannot be loaded ("
                 + (why != nullptr ? why : "unknown") + "); install the package libcurl4" };
}

template<typename Function>
bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

Result<CurlLibrary> load()
{
    void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return missing(dlerror());
    CurlLibrary curl;
    decltype(&curl_global_init) globalInit = nullptr;
    const bool whole = find(library, "curl_global_init", globalInit)
        && find(library, "curl_easy_init", curl.easyInit)
        && find(library, "curl_easy_cleanup", curl.easyCleanup)
        && find(library, "curl_easy_reset", curl.easyReset)
        && find(library, "curl_easy_setopt", curl.easySetopt)
        && find(library, "curl_easy_getinfo", curl.easyGetinfo)
        && find(library, "curl_easy_perform", curl.easyPerform)
        && find(library, "curl_multi_init", curl.multiInit)
        && find(library, "curl_multi_cleanup", curl.multiCleanup)
        && find(library, "curl_multi_add_handle", curl.multiAddHandle)
        && find(library, "curl_multi_remove_handle", curl.multiRemoveHandle)
        && find(library, "curl_multi_perform", curl.multiPerform)
        && find(library, "curl_multi_poll", curl.multiPoll)
        && find(library, "curl_multi_wakeup", curl.multiWakeup)
        && find(library, "curl_multi_info_read", curl.multiInfoRead)
        && find(library, "curl_multi_strerror", curl.multiStrerror)
        && find(library, "curl_easy_send", curl.easySend) && find(library, "curl_easy_recv", curl.easyRecv)
        && find(library, "curl_easy_strerror", curl.easyStrerror)
        && find(library, "curl_slist_append", curl.slistAppend)
        && find(library, "curl_slist_free_all", curl.slistFreeAll);
    if (!whole)
        return missing(dlerror());
    if (globalInit(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return Error{ Errc::Unavailable, "the HTTP library could not be started" };
    return curl;
}

} // namespace

const Result<CurlLibrary>& curlLibrary()
{
    static const Result<CurlLibrary> library = load();
    return library;
}

} // namespace sg::net
