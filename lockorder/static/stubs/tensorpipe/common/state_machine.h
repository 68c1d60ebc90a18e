// Parse-only stand-in for TensorPipe: tensorpipe/common/state_machine.h.
#pragma once
#include <tensorpipe/common/defs.h>
#include <cstdint>
#include <deque>
#include <initializer_list>
namespace tensorpipe { template <class S, class O> class OpsStateMachine { public: class Iter { public: O& operator*() const; O* operator->() const; }; using Transitioner = void (S::*)(Iter, typename O::State); OpsStateMachine(S& subject, Transitioner transitioner); template <class... A> Iter emplaceBack(uint64_t sequenceNumber, A&&... args); void advanceOperation(Iter initialOpIter); void advanceAllOperations(); void attemptTransition(Iter opIter, typename O::State from, typename O::State to, bool cond, std::initializer_list<void (S::*)(Iter)> actions); }; }
