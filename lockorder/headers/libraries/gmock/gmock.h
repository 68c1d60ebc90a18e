// Parse-only stand-in for gmock/gmock.h (minimal).
#pragma once
#include "../gtest/gtest.h"
namespace testing {
struct lostub_matcher { template <class T> operator T() const; template <class T> lostub_matcher operator()(const T&) const; };
template <class T> class Matcher { public: Matcher(); template <class U> Matcher(const U&) {} };
const lostub_matcher _{};
#define LOSTUB_MATCH(n) template <class... A> lostub_matcher n(A&&...) { return {}; }
LOSTUB_MATCH(Eq) LOSTUB_MATCH(Ne) LOSTUB_MATCH(Lt) LOSTUB_MATCH(Le) LOSTUB_MATCH(Gt) LOSTUB_MATCH(Ge) LOSTUB_MATCH(IsNull) LOSTUB_MATCH(NotNull) LOSTUB_MATCH(IsEmpty) LOSTUB_MATCH(SizeIs) LOSTUB_MATCH(Not) LOSTUB_MATCH(AllOf) LOSTUB_MATCH(AnyOf) LOSTUB_MATCH(ElementsAre) LOSTUB_MATCH(ElementsAreArray) LOSTUB_MATCH(UnorderedElementsAre) LOSTUB_MATCH(UnorderedElementsAreArray) LOSTUB_MATCH(Contains) LOSTUB_MATCH(Each) LOSTUB_MATCH(HasSubstr) LOSTUB_MATCH(StartsWith) LOSTUB_MATCH(EndsWith) LOSTUB_MATCH(ContainsRegex) LOSTUB_MATCH(MatchesRegex) LOSTUB_MATCH(StrEq) LOSTUB_MATCH(Pair) LOSTUB_MATCH(Field) LOSTUB_MATCH(Property) LOSTUB_MATCH(Pointee) LOSTUB_MATCH(Key) LOSTUB_MATCH(Optional) LOSTUB_MATCH(IsTrue) LOSTUB_MATCH(IsFalse) LOSTUB_MATCH(FloatEq) LOSTUB_MATCH(DoubleEq) LOSTUB_MATCH(FloatNear) LOSTUB_MATCH(DoubleNear) LOSTUB_MATCH(Throws) LOSTUB_MATCH(ThrowsMessage) LOSTUB_MATCH(ResultOf) LOSTUB_MATCH(Ref) LOSTUB_MATCH(VariantWith) LOSTUB_MATCH(WhenSorted)
LOSTUB_MATCH(Return) LOSTUB_MATCH(ReturnRef) LOSTUB_MATCH(ReturnArg) LOSTUB_MATCH(Invoke) LOSTUB_MATCH(InvokeWithoutArgs) LOSTUB_MATCH(DoAll) LOSTUB_MATCH(SetArgPointee) LOSTUB_MATCH(SaveArg) LOSTUB_MATCH(Throw) LOSTUB_MATCH(WithArgs) LOSTUB_MATCH(ByMove) LOSTUB_MATCH(AtLeast) LOSTUB_MATCH(AtMost) LOSTUB_MATCH(Exactly) LOSTUB_MATCH(Between) LOSTUB_MATCH(AnyNumber)
#undef LOSTUB_MATCH
template <class T> lostub_matcher A() { return {}; } template <class T> lostub_matcher An() { return {}; }
template <class T> class NiceMock : public T { public: using T::T; }; template <class T> class StrictMock : public T { public: using T::T; }; template <class T> class NaggyMock : public T { public: using T::T; };
class Sequence {}; class InSequence { public: InSequence(); ~InSequence(); }; template <class F> class MockFunction { public: lostub_matcher gmock_Call(...); std::function<F> AsStdFunction(); };
struct lostub_expect { template <class... T> lostub_expect& Times(T&&...) { return *this; } template <class... T> lostub_expect& WillOnce(T&&...) { return *this; } template <class... T> lostub_expect& WillRepeatedly(T&&...) { return *this; } template <class... T> lostub_expect& WillByDefault(T&&...) { return *this; } template <class... T> lostub_expect& With(T&&...) { return *this; } template <class... T> lostub_expect& After(T&&...) { return *this; } template <class... T> lostub_expect& InSequence(T&&...) { return *this; } lostub_expect& RetiresOnSaturation() { return *this; } };
template <class... T> lostub_expect lostub_expect_on(T&&...) { return {}; }
struct Mock { template <class T> static bool VerifyAndClearExpectations(T*); template <class T> static void AllowLeak(T*); }; void InitGoogleMock(int*, char**);
}
#define LOSTUB_UNP(...) __VA_ARGS__
#define MOCK_METHOD(ret, name, args, ...) template <class... LostubA> ::testing::lostub_expect gmock_##name(LostubA&&...) { return {}; } ret name args
#define MOCK_METHOD0(m, ...) template <class... LostubA> ::testing::lostub_expect gmock_##m(LostubA&&...) { return {}; }
#define MOCK_METHOD1(m, ...) MOCK_METHOD0(m)
#define MOCK_METHOD2(m, ...) MOCK_METHOD0(m)
#define MOCK_METHOD3(m, ...) MOCK_METHOD0(m)
#define MOCK_CONST_METHOD0(m, ...) MOCK_METHOD0(m)
#define MOCK_CONST_METHOD1(m, ...) MOCK_METHOD0(m)
#define EXPECT_CALL(obj, call) (obj).gmock_##call
#define ON_CALL(obj, call) (obj).gmock_##call
#define MATCHER(name, d) template <class... LostubA> ::testing::lostub_matcher name(LostubA&&...) { return {}; } template <class arg_type> bool lostub_match_##name(const arg_type& arg)
#define MATCHER_P(name, p, d) template <class LostubA> ::testing::lostub_matcher name(LostubA&&) { return {}; } template <class arg_type, class p##_type> bool lostub_match_##name(const arg_type& arg, const p##_type& p)
#define ACTION(name) template <class... LostubA> void name(LostubA&&...)
