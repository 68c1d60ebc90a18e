"""Which standard header declares a name: of the C++ standard library, of POSIX threads, of C.

After the C++ working draft's synopses ([utility] to [thread]), POSIX.1-2017 and C17.  Names that
sources use although no header that could be read brings them (a project's own header is missing,
say) are then declared all the same, by the headers of this machine or by those shipped.
"""

from __future__ import annotations

import functools
import re

#: Types of what calls return, where these matter and nothing else tells them.
RESULTS = {
    "std::async": "std::future<void>",
    "std::promise::get_future": "std::future<void>",
    "std::packaged_task::get_future": "std::future<void>",
    "std::future::share": "std::shared_future<void>",
    "std::bind": "std::function<void ()>",
    "std::condition_variable::wait_for": "bool",
    "std::condition_variable::wait_until": "bool",
}

#: By header, the names in namespace ``std`` that it declares, the header that defines them first.
_CXX = {
    "mutex": "mutex timed_mutex recursive_mutex recursive_timed_mutex lock_guard unique_lock"
    " scoped_lock lock try_lock once_flag call_once defer_lock try_to_lock adopt_lock defer_lock_t"
    " try_to_lock_t adopt_lock_t",
    "shared_mutex": "shared_mutex shared_timed_mutex shared_lock",
    "condition_variable": "condition_variable condition_variable_any cv_status"
    " notify_all_at_thread_exit",
    "thread": "thread jthread this_thread",
    "stop_token": "stop_token stop_source stop_callback nostopstate nostopstate_t",
    "future": "future promise shared_future packaged_task async launch future_status future_error"
    " future_errc future_category",
    "semaphore": "counting_semaphore binary_semaphore",
    "latch": "latch",
    "barrier": "barrier",
    "atomic": "atomic atomic_flag atomic_bool atomic_char atomic_int atomic_uint atomic_long"
    " atomic_ulong atomic_llong atomic_ullong atomic_size_t atomic_int8_t atomic_uint8_t"
    " atomic_int16_t atomic_uint16_t atomic_int32_t atomic_uint32_t atomic_int64_t atomic_uint64_t"
    " atomic_intptr_t atomic_uintptr_t atomic_ptrdiff_t atomic_load atomic_store atomic_exchange"
    " atomic_fetch_add atomic_fetch_sub atomic_compare_exchange_strong"
    " atomic_compare_exchange_weak atomic_thread_fence atomic_signal_fence atomic_ref"
    " atomic_load_explicit atomic_store_explicit memory_order memory_order_relaxed"
    " memory_order_consume memory_order_acquire memory_order_release memory_order_acq_rel"
    " memory_order_seq_cst kill_dependency",
    "memory": "shared_ptr unique_ptr weak_ptr make_shared make_unique allocate_shared"
    " enable_shared_from_this default_delete allocator allocator_traits addressof"
    " static_pointer_cast dynamic_pointer_cast const_pointer_cast reinterpret_pointer_cast"
    " owner_less bad_weak_ptr pointer_traits to_address align destroy_at construct_at",
    "functional": "function bind ref cref reference_wrapper hash plus minus multiplies less"
    " less_equal greater greater_equal equal_to not_equal_to placeholders mem_fn invoke not_fn"
    " bad_function_call is_bind_expression move_only_function",
    "chrono": "chrono",
    "string": "string wstring u16string u32string basic_string to_string stoi stol stoul stoll"
    " stoull stof stod getline char_traits",
    "string_view": "string_view wstring_view basic_string_view",
    "vector": "vector",
    "map": "map multimap",
    "set": "set multiset",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set unordered_multiset",
    "list": "list",
    "forward_list": "forward_list",
    "deque": "deque",
    "queue": "queue priority_queue",
    "stack": "stack",
    "array": "array",
    "bitset": "bitset",
    "tuple": "tuple make_tuple tie forward_as_tuple tuple_size tuple_element apply ignore"
    " tuple_cat",
    "utility": "pair make_pair move forward swap exchange declval index_sequence integer_sequence"
    " make_index_sequence index_sequence_for piecewise_construct in_place in_place_t as_const"
    " move_if_noexcept",
    "optional": "optional nullopt nullopt_t make_optional bad_optional_access",
    "variant": "variant monostate visit get_if holds_alternative bad_variant_access variant_size",
    "any": "any any_cast make_any bad_any_cast",
    "expected": "expected unexpected unexpect bad_expected_access",
    "exception": "exception exception_ptr current_exception rethrow_exception make_exception_ptr"
    " terminate uncaught_exception uncaught_exceptions nested_exception throw_with_nested",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range length_error domain_error"
    " range_error overflow_error underflow_error",
    "system_error": "system_error error_code error_condition error_category errc generic_category"
    " system_category make_error_code",
    "new": "bad_alloc nothrow nothrow_t align_val_t launder",
    "typeinfo": "type_info bad_cast bad_typeid",
    "typeindex": "type_index",
    "type_traits": "enable_if enable_if_t is_same is_same_v is_base_of is_base_of_v decay decay_t"
    " remove_reference remove_reference_t remove_cv remove_cv_t remove_const remove_pointer"
    " remove_pointer_t conditional conditional_t is_void is_void_v true_type false_type"
    " integral_constant is_integral is_integral_v is_convertible is_convertible_v underlying_type"
    " underlying_type_t is_pointer is_enum is_class is_function is_trivially_copyable void_t"
    " result_of invoke_result invoke_result_t is_invocable is_invocable_v common_type"
    " is_floating_point is_arithmetic add_const aligned_storage bool_constant conjunction"
    " disjunction negation is_constructible is_default_constructible is_copy_constructible"
    " is_move_constructible is_nothrow_move_constructible remove_cvref remove_cvref_t"
    " type_identity",
    "limits": "numeric_limits",
    "initializer_list": "initializer_list",
    "iterator": "begin end back_inserter inserter front_inserter make_move_iterator advance"
    " distance next prev iterator_traits reverse_iterator istream_iterator ostream_iterator"
    " istreambuf_iterator size data rbegin rend",
    "algorithm": "sort stable_sort find find_if find_if_not any_of all_of none_of for_each copy"
    " copy_if copy_n transform remove remove_if unique reverse fill fill_n count count_if max min"
    " minmax max_element min_element lower_bound upper_bound binary_search equal replace search"
    " partition clamp generate rotate shuffle nth_element merge iter_swap lexicographical_compare",
    "numeric": "accumulate iota partial_sum inner_product reduce gcd lcm",
    "random": "mt19937 mt19937_64 random_device uniform_int_distribution"
    " uniform_real_distribution normal_distribution default_random_engine",
    "ostream": "ostream endl flush ends basic_ostream",
    "istream": "istream basic_istream ws",
    "iostream": "cout cerr cin clog",
    "sstream": "stringstream ostringstream istringstream stringbuf",
    "fstream": "ifstream ofstream fstream filebuf",
    "iomanip": "setw setfill setprecision put_time get_time quoted",
    "ios": "ios ios_base hex dec fixed streamsize boolalpha",
    "locale": "locale",
    "regex": "regex smatch cmatch regex_match regex_search regex_replace sregex_iterator",
    "filesystem": "filesystem",
    "span": "span dynamic_extent",
    "complex": "complex",
    "ratio": "ratio milli micro nano",
    "coroutine": "coroutine_handle suspend_always suspend_never coroutine_traits noop_coroutine",
    "source_location": "source_location",
    "cstddef": "size_t ptrdiff_t nullptr_t max_align_t byte",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t"
    " uintptr_t intmax_t uintmax_t",
    "cstring": "memcpy memset memmove memcmp strlen strcmp strncmp strcpy strncpy strerror strstr"
    " strchr strrchr",
    "cstdlib": "abort exit atexit quick_exit getenv malloc free calloc realloc abs atoi atol strtol"
    " strtoul strtoull strtoll strtod rand srand system div",
    "cstdio": "printf fprintf snprintf sprintf vsnprintf puts fopen fclose fread fwrite fflush"
    " FILE perror sscanf",
    "cmath": "sqrt pow floor ceil round log log2 exp fabs isnan isinf fmod sin cos tan lround",
    "cassert": "assert",
    "ctime": "time_t tm time localtime gmtime strftime mktime clock difftime",
    "cerrno": "errno",
    "csignal": "signal raise sig_atomic_t",
    "cstdarg": "va_list",
    "cctype": "isdigit isspace isalpha isalnum tolower toupper",
}
#: C and POSIX: by header, the names that it declares, and patterns of them.
_C = {
    "pthread.h": r"pthread_\w+|PTHREAD_\w+",
    "semaphore.h": r"sem_(?:t|init|destroy|open|close|unlink|wait|trywait|timedwait|post|getvalue)",
    "threads.h": r"mtx_\w+|cnd_\w+|thrd_\w+|tss_\w+|once_flag|call_once|ONCE_FLAG_INIT",
    "sys/file.h": r"flock|LOCK_(?:SH|EX|NB|UN)",
    "sched.h": r"sched_yield|sched_\w+|cpu_set_t|CPU_\w+",
    "stdatomic.h": r"atomic_\w+|memory_order_\w+",
    "stdint.h": r"u?int(?:8|16|32|64|ptr|max)_t|U?INT(?:8|16|32|64)_(?:MAX|MIN|C)|SIZE_MAX",
    "stdbool.h": r"bool|true|false",
    "stddef.h": r"size_t|ptrdiff_t|offsetof|NULL",
    "stdlib.h": r"malloc|calloc|realloc|free|abort|exit|atexit|getenv|setenv|atoi|strtou?l{1,2}|"
    r"qsort|posix_memalign",
    "string.h": r"mem(?:cpy|set|move|cmp)|str(?:len|n?cmp|n?cpy|n?cat|dup|ndup|chr|rchr|str|tok|"
    r"tok_r|error|casecmp)",
    "stdio.h": r"[fs]?n?printf|v[fs]n?printf|puts|fopen|fclose|fread|fwrite|fflush|FILE|stderr|"
    r"stdout|stdin|perror|sscanf",
    "unistd.h": r"u?sleep|read|write|close|pipe|fork|getpid|unlink|ftruncate|access|ssize_t|pid_t",
    "time.h": r"time_t|timespec|clock_gettime|clock_nanosleep|nanosleep|CLOCK_\w+",
    "errno.h": r"errno|E(?:BUSY|AGAIN|INTR|INVAL|NOMEM|DEADLK|OWNERDEAD|TIMEDOUT|PERM|EXIST|NOENT)",
    "assert.h": r"assert",
    "signal.h": r"sig(?:action|emptyset|fillset|addset|procmask)|SIG\w+|sigset_t",
    "sys/types.h": r"off_t|mode_t|uid_t|gid_t",
    "stdarg.h": r"va_\w+",
}


@functools.cache
def _by_name() -> dict[str, str]:
    return {name: header for header, names in reversed(_CXX.items()) for name in names.split()}


@functools.cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(header, re.compile(rf"(?:{pattern})\Z")) for header, pattern in _C.items()]


def is_standard(name: str) -> bool:
    """Whether ``std::name`` is a name of the C++ standard library."""
    return name in _by_name()


def header_of(name: str, space: str, cxx: bool) -> str:
    """The standard header that declares *name* in namespace *space*; empty where none does.

    In the global namespace that is one of C or POSIX, in C++ too.
    """
    first = space.split("::", maxsplit=1)[0]
    if first == "std" and cxx:
        return _by_name().get(name if space == "std" else space.split("::")[1], "")
    if space:
        return ""
    header = next((h for h, pattern in _patterns() if pattern.match(name)), "")
    if cxx and header in ("threads.h", "stdbool.h", "stdatomic.h"):
        return ""  # other names in C++, or words of the language
    return header
