/* The Python functions that a thread is in: see python_frames.c. */
#ifndef LOCKORDER_PYTHON_FRAMES_H
#define LOCKORDER_PYTHON_FRAMES_H

#include "shim.h"

struct lo_python_frame {
    uintptr_t code;
    uintptr_t at; /* the instruction; up to 3.10 its number in the code */
    uintptr_t frame;
    bool entry; /* C called it: the frames below have a call of the interpreter of their own */
};

/* Innermost first. */
struct lo_python_frames {
    uint32_t count;
    bool truncated;
    struct lo_python_frame frame[LO_MAX_PYTHON];
};

bool lo_python_frames_setup(void *state, void *own, void *initialized); /* false: not known */
int lo_python_minor(void); /* of 3.x; 0: frames cannot be read */
void lo_python_locks_setup(void);
void lo_python_frames_begin(void);
void lo_python_frames_after_fork(void);
void lo_python_walk(struct lo_python_frames *out); /* of this thread */
uintptr_t
lo_python_place(uintptr_t pc); /* a call in the interpreter: with the function that it is for */
uint64_t lo_python_hash(const struct lo_python_frames *frames);
void lo_python_write(struct lo_thread *thread, const struct lo_python_frames *frames, lo_id stack);

#endif
