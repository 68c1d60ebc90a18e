// Parse-only stand-in for Abseil: absl/time/time.h.
#pragma once
#include <chrono>
#include <cstdint>
#include <ctime>
#include <ostream>
#include <string>
#include <sys/time.h>
namespace absl {
class Duration { public: constexpr Duration() {} Duration& operator+=(Duration); Duration& operator-=(Duration); template <class T> Duration& operator*=(T); template <class T> Duration& operator/=(T); };
class Time { public: constexpr Time() {} Time& operator+=(Duration); Time& operator-=(Duration); };
#define LOSTUB_CMP(T) bool operator<(T, T); bool operator>(T, T); bool operator<=(T, T); bool operator>=(T, T); bool operator==(T, T); bool operator!=(T, T);
LOSTUB_CMP(Duration) LOSTUB_CMP(Time)
#undef LOSTUB_CMP
Duration operator-(Duration); Duration operator+(Duration, Duration); Duration operator-(Duration, Duration); template <class T> Duration operator*(Duration, T); template <class T> Duration operator*(T, Duration); template <class T> Duration operator/(Duration, T); int64_t operator/(Duration, Duration); Time operator+(Time, Duration); Time operator+(Duration, Time); Time operator-(Time, Duration); Duration operator-(Time, Time); std::ostream& operator<<(std::ostream&, Duration); std::ostream& operator<<(std::ostream&, Time);
constexpr Duration ZeroDuration() { return Duration(); } constexpr Duration InfiniteDuration() { return Duration(); } constexpr Time InfiniteFuture() { return Time(); } constexpr Time InfinitePast() { return Time(); } constexpr Time UnixEpoch() { return Time(); }
template <class T> constexpr Duration Nanoseconds(T) { return Duration(); } template <class T> constexpr Duration Microseconds(T) { return Duration(); } template <class T> constexpr Duration Milliseconds(T) { return Duration(); } template <class T> constexpr Duration Seconds(T) { return Duration(); } template <class T> constexpr Duration Minutes(T) { return Duration(); } template <class T> constexpr Duration Hours(T) { return Duration(); }
int64_t ToInt64Nanoseconds(Duration); int64_t ToInt64Microseconds(Duration); int64_t ToInt64Milliseconds(Duration); int64_t ToInt64Seconds(Duration); double ToDoubleNanoseconds(Duration); double ToDoubleMicroseconds(Duration); double ToDoubleMilliseconds(Duration); double ToDoubleSeconds(Duration); std::chrono::nanoseconds ToChronoNanoseconds(Duration); std::chrono::microseconds ToChronoMicroseconds(Duration); std::chrono::milliseconds ToChronoMilliseconds(Duration); std::chrono::seconds ToChronoSeconds(Duration); template <class R, class P> Duration FromChrono(const std::chrono::duration<R, P>&); Time FromChrono(const std::chrono::system_clock::time_point&); timespec ToTimespec(Duration); timespec ToTimespec(Time); Duration AbsDuration(Duration); std::string FormatDuration(Duration);
Time FromUnixNanos(int64_t); Time FromUnixMicros(int64_t); Time FromUnixMillis(int64_t); Time FromUnixSeconds(int64_t); Time FromTimeT(time_t); int64_t ToUnixNanos(Time); int64_t ToUnixMicros(Time); int64_t ToUnixMillis(Time); int64_t ToUnixSeconds(Time); time_t ToTimeT(Time); std::chrono::system_clock::time_point ToChronoTime(Time); class TimeZone {}; TimeZone LocalTimeZone(); TimeZone UTCTimeZone(); std::string FormatTime(Time); std::string FormatTime(Time, TimeZone); template <class S> std::string FormatTime(const S&, Time, TimeZone);
}
