/* Parse-only stand-in for <langinfo.h>. */
#pragma once
#include <bits/locale_t.h>
#include <features.h>
typedef int nl_item;
#define CODESET 14
__BEGIN_DECLS
char* nl_langinfo(nl_item);
__END_DECLS
