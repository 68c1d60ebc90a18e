/* Parse-only stand-in for <locale.h>. */
#pragma once
#include <stddef.h>
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
#define LC_CTYPE_MASK 1
#define LC_NUMERIC_MASK 2
#define LC_ALL_MASK 0x1fbf
#define LC_GLOBAL_LOCALE ((locale_t)-1L)
struct lconv { char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign; char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space, p_sign_posn, n_sign_posn; };
#include <bits/locale_t.h>
__BEGIN_DECLS
char* setlocale(int, const char*); struct lconv* localeconv(void); locale_t newlocale(int, const char*, locale_t); locale_t uselocale(locale_t); locale_t duplocale(locale_t); void freelocale(locale_t);
__END_DECLS
