// Parse-only stand-in for gtest/gtest.h: tests become functions; checks keep their arguments.
#pragma once
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>
namespace testing {
class Message { public: Message(); template <class T> Message& operator<<(const T&) { return *this; } Message& operator<<(std::ostream& (*)(std::ostream&)) { return *this; } std::string GetString() const; };
class AssertionResult { public: explicit AssertionResult(bool); template <class T> AssertionResult& operator<<(const T&) { return *this; } operator bool() const; const char* message() const; };
AssertionResult AssertionSuccess(); AssertionResult AssertionFailure();
struct lostub_void { void operator=(const Message&) const {} };
Message lostub_message(); template <class... A> bool lostub_use(const A&...) { return true; }
class TestInfo { public: const char* name() const; const char* test_suite_name() const; const char* test_case_name() const; const char* value_param() const; }; class TestSuite { public: const char* name() const; }; class TestResult; class Environment { public: virtual ~Environment(); virtual void SetUp(); virtual void TearDown(); };
class Test { public: virtual ~Test(); static void SetUpTestSuite(); static void TearDownTestSuite(); static void SetUpTestCase(); static void TearDownTestCase(); static bool HasFatalFailure(); static bool HasFailure(); static bool IsSkipped(); template <class T> static void RecordProperty(const std::string&, const T&); protected: Test(); virtual void SetUp(); virtual void TearDown(); virtual void TestBody(); };
template <class T> struct TestParamInfo { T param; size_t index; };
template <class T> class WithParamInterface { public: typedef T ParamType; virtual ~WithParamInterface(); static const ParamType& GetParam(); };
template <class T> class TestWithParam : public Test, public WithParamInterface<T> {};
class TestEventListener { public: virtual ~TestEventListener(); }; class EmptyTestEventListener : public TestEventListener { public: virtual void OnTestStart(const TestInfo&); virtual void OnTestEnd(const TestInfo&); }; class TestEventListeners { public: void Append(TestEventListener*); TestEventListener* Release(TestEventListener*); TestEventListener* default_result_printer() const; };
class UnitTest { public: static UnitTest* GetInstance(); const TestInfo* current_test_info() const; TestEventListeners& listeners(); int failed_test_count() const; const char* original_working_dir() const; };
void InitGoogleTest(); void InitGoogleTest(int* argc, char** argv); Environment* AddGlobalTestEnvironment(Environment*); std::string TempDir();
template <class T> std::string PrintToString(const T&) { return std::string(); }
template <class T> struct lostub_gen { template <class U> operator U() const; };
template <class... A> lostub_gen<int> Values(A&&...) { return {}; } template <class... A> lostub_gen<int> ValuesIn(const A&...) { return {}; } template <class T> lostub_gen<int> ValuesIn(std::initializer_list<T>) { return {}; } template <class... A> lostub_gen<int> Range(A...) { return {}; } lostub_gen<int> Bool(); template <class... A> lostub_gen<int> Combine(const A&...) { return {}; } template <class T, class F> lostub_gen<int> ConvertGenerator(const F&) { return {}; }
template <class... A> bool lostub_instantiate(const A&...) { return true; }
template <class... T> struct Types {};
class ScopedTrace { public: template <class T> ScopedTrace(const char*, int, const T&) {} ~ScopedTrace(); };
struct ExitedWithCode { explicit ExitedWithCode(int); }; struct KilledBySignal { explicit KilledBySignal(int); };
namespace internal { std::string GetCapturedStdout(); std::string GetCapturedStderr(); void CaptureStdout(); void CaptureStderr(); size_t GetThreadCount(); }
template <class T, class U> bool StaticAssertTypeEq(); template <class T> struct lostub_decay { typedef T type; }; std::string FormatFileLocation(const char*, int);
}
int RUN_ALL_TESTS();
#define GTEST_FLAG(n) FLAGS_gtest_##n
#define GTEST_FLAG_SET(n, v) ((void)(v))
#define GTEST_FLAG_GET(n) 0
#define GTEST_API_
#define LOSTUB_TEST(s, n, base) class s##_##n##_Test : public base { public: void TestBody() override; }; void s##_##n##_Test::TestBody()
#define TEST(s, n) LOSTUB_TEST(s, n, ::testing::Test)
#define TEST_F(s, n) LOSTUB_TEST(s, n, s)
#define TEST_P(s, n) LOSTUB_TEST(s, n, s)
#define GTEST_TEST(s, n) TEST(s, n)
#define TYPED_TEST_SUITE(s, types, ...) typedef types lostub_types_##s
#define TYPED_TEST_CASE(s, types, ...) typedef types lostub_types_##s
#define TYPED_TEST(s, n) template <typename TypeParam> class s##_##n##_Test : public s<TypeParam> { typedef s<TypeParam> TestFixture; public: void TestBody(); }; template <typename TypeParam> void s##_##n##_Test<TypeParam>::TestBody()
#define TYPED_TEST_SUITE_P(s) extern int lostub_typed_##s
#define TYPED_TEST_P(s, n) TYPED_TEST(s, n)
#define REGISTER_TYPED_TEST_SUITE_P(...) extern int lostub_registered
#define INSTANTIATE_TYPED_TEST_SUITE_P(...) extern int lostub_instantiated
#define INSTANTIATE_TEST_SUITE_P(p, s, ...) static const bool lostub_inst_##p##_##s = ::testing::lostub_instantiate(__VA_ARGS__)
#define INSTANTIATE_TEST_CASE_P(p, s, ...) static const bool lostub_inst_##p##_##s = ::testing::lostub_instantiate(__VA_ARGS__)
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(s) extern int lostub_uninst_##s
#define LOSTUB_EXPECT(c) if (c) ; else ::testing::lostub_void() = ::testing::Message()
#define LOSTUB_ASSERT(c) if (c) ; else return ::testing::lostub_void() = ::testing::Message()
#define EXPECT_TRUE(c) LOSTUB_EXPECT(static_cast<bool>(c))
#define EXPECT_FALSE(c) LOSTUB_EXPECT(!static_cast<bool>(c))
#define ASSERT_TRUE(c) LOSTUB_ASSERT(static_cast<bool>(c))
#define ASSERT_FALSE(c) LOSTUB_ASSERT(!static_cast<bool>(c))
#define EXPECT_EQ(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_NE(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_LT(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_LE(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_GT(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_GE(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_STREQ(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_STRNE(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_STRCASEEQ(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_FLOAT_EQ(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_DOUBLE_EQ(a, b) LOSTUB_EXPECT(::testing::lostub_use(a, b))
#define EXPECT_NEAR(a, b, c) LOSTUB_EXPECT(::testing::lostub_use(a, b, c))
#define EXPECT_PRED1(p, a) LOSTUB_EXPECT(::testing::lostub_use(p, a))
#define EXPECT_PRED2(p, a, b) LOSTUB_EXPECT(::testing::lostub_use(p, a, b))
#define EXPECT_THAT(a, m) LOSTUB_EXPECT(::testing::lostub_use(a, m))
#define ASSERT_EQ(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_NE(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_LT(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_LE(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_GT(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_GE(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_STREQ(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_STRNE(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_FLOAT_EQ(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_DOUBLE_EQ(a, b) LOSTUB_ASSERT(::testing::lostub_use(a, b))
#define ASSERT_NEAR(a, b, c) LOSTUB_ASSERT(::testing::lostub_use(a, b, c))
#define ASSERT_THAT(a, m) LOSTUB_ASSERT(::testing::lostub_use(a, m))
#define LOSTUB_STMT(...) try { if (true) { __VA_ARGS__; } } catch (...) {} LOSTUB_EXPECT(true)
#define EXPECT_THROW(s, e) LOSTUB_STMT(s)
#define EXPECT_ANY_THROW(s) LOSTUB_STMT(s)
#define EXPECT_NO_THROW(s) LOSTUB_STMT(s)
#define EXPECT_DEATH(s, m) LOSTUB_STMT(s)
#define EXPECT_EXIT(s, p, m) LOSTUB_STMT(s)
#define EXPECT_DEATH_IF_SUPPORTED(s, m) LOSTUB_STMT(s)
#define EXPECT_FATAL_FAILURE(s, m) LOSTUB_STMT(s)
#define EXPECT_NONFATAL_FAILURE(s, m) LOSTUB_STMT(s)
#define ASSERT_THROW(s, e) LOSTUB_STMT(s)
#define ASSERT_ANY_THROW(s) LOSTUB_STMT(s)
#define ASSERT_NO_THROW(s) LOSTUB_STMT(s)
#define ASSERT_DEATH(s, m) LOSTUB_STMT(s)
#define ASSERT_EXIT(s, p, m) LOSTUB_STMT(s)
#define EXPECT_NO_FATAL_FAILURE(s) LOSTUB_STMT(s)
#define ASSERT_NO_FATAL_FAILURE(s) LOSTUB_STMT(s)
#define SUCCEED() LOSTUB_EXPECT(true)
#define FAIL() return ::testing::lostub_void() = ::testing::Message()
#define ADD_FAILURE() ::testing::lostub_void() = ::testing::Message()
#define ADD_FAILURE_AT(f, l) ::testing::lostub_void() = ::testing::Message()
#define GTEST_SKIP() return ::testing::lostub_void() = ::testing::Message()
#define GTEST_SUCCEED() SUCCEED()
#define GTEST_FAIL() FAIL()
#define SCOPED_TRACE(m) ::testing::ScopedTrace lostub_trace(__FILE__, __LINE__, (m))
#define FRIEND_TEST(s, n) friend class s##_##n##_Test
