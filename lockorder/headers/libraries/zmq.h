// Parse-only stand-in for ZeroMQ's zmq.h (minimal).
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct zmq_msg_t { unsigned char _[64]; } zmq_msg_t; typedef struct { void* socket; int fd; short events, revents; } zmq_pollitem_t;
enum { ZMQ_PAIR, ZMQ_PUB, ZMQ_SUB, ZMQ_REQ, ZMQ_REP, ZMQ_DEALER, ZMQ_ROUTER, ZMQ_PULL, ZMQ_PUSH, ZMQ_XPUB, ZMQ_XSUB, ZMQ_STREAM }; enum { ZMQ_DONTWAIT = 1, ZMQ_SNDMORE = 2, ZMQ_POLLIN = 1, ZMQ_POLLOUT = 2, ZMQ_POLLERR = 4 }; enum { ZMQ_IDENTITY = 5, ZMQ_SUBSCRIBE, ZMQ_UNSUBSCRIBE, ZMQ_RCVMORE = 13, ZMQ_FD, ZMQ_EVENTS, ZMQ_TYPE, ZMQ_LINGER, ZMQ_SNDHWM = 23, ZMQ_RCVHWM, ZMQ_RCVTIMEO = 27, ZMQ_SNDTIMEO, ZMQ_LAST_ENDPOINT = 32, ZMQ_ROUTER_MANDATORY, ZMQ_IMMEDIATE = 39, ZMQ_IO_THREADS = 1 };
void* zmq_ctx_new(void); int zmq_ctx_term(void* c); int zmq_ctx_destroy(void* c); int zmq_ctx_shutdown(void* c); int zmq_ctx_set(void* c, int o, int v); void* zmq_socket(void* c, int type); int zmq_close(void* s); int zmq_bind(void* s, const char* a); int zmq_connect(void* s, const char* a); int zmq_disconnect(void* s, const char* a); int zmq_unbind(void* s, const char* a); int zmq_setsockopt(void* s, int o, const void* v, size_t n); int zmq_getsockopt(void* s, int o, void* v, size_t* n); int zmq_send(void* s, const void* b, size_t n, int f); int zmq_recv(void* s, void* b, size_t n, int f); int zmq_msg_init(zmq_msg_t* m); int zmq_msg_init_size(zmq_msg_t* m, size_t n); int zmq_msg_init_data(zmq_msg_t* m, void* d, size_t n, void (*ffn)(void*, void*), void* h); int zmq_msg_send(zmq_msg_t* m, void* s, int f); int zmq_msg_recv(zmq_msg_t* m, void* s, int f); int zmq_msg_close(zmq_msg_t* m); void* zmq_msg_data(zmq_msg_t* m); size_t zmq_msg_size(const zmq_msg_t* m); int zmq_msg_more(const zmq_msg_t* m); int zmq_poll(zmq_pollitem_t* i, int n, long t); int zmq_errno(void); const char* zmq_strerror(int e); int zmq_proxy(void* f, void* b, void* c);
#ifdef __cplusplus
}
#endif
