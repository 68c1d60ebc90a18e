// Parse-only stand-in for OpenSSL's openssl/ssl.h (common calls).
#pragma once
#include <openssl/types.h>
#ifdef __cplusplus
extern "C" {
#endif
#define OPENSSL_VERSION_NUMBER 0x30000000L
#define OPENSSL_INIT_LOAD_CRYPTO_STRINGS 0x00000002L
#define OPENSSL_INIT_LOAD_SSL_STRINGS 0x00200000L
#define SSL_ERROR_NONE 0
#define SSL_ERROR_SSL 1
#define SSL_ERROR_WANT_READ 2
#define SSL_ERROR_WANT_WRITE 3
#define SSL_ERROR_SYSCALL 5
#define SSL_ERROR_ZERO_RETURN 6
#define SSL_VERIFY_NONE 0
#define SSL_VERIFY_PEER 1
#define SSL_VERIFY_FAIL_IF_NO_PEER_CERT 2
#define SSL_VERIFY_CLIENT_ONCE 4
#define SSL_FILETYPE_PEM 1
#define SSL_FILETYPE_ASN1 2
#define SSL_OP_LEGACY_SERVER_CONNECT 0x4u
#define SSL_MODE_AUTO_RETRY 4
#define TLS1_VERSION 0x0301
#define TLS1_1_VERSION 0x0302
#define TLS1_2_VERSION 0x0303
#define TLS1_3_VERSION 0x0304
#define TLS_MAX_VERSION TLS1_3_VERSION
#define SSL_CTRL_SET_MIN_PROTO_VERSION 123
#define SSL_CTRL_SET_MAX_PROTO_VERSION 124
typedef int (*SSL_verify_cb)(int preverify_ok, X509_STORE_CTX* ctx);
const SSL_METHOD* TLS_method(void); const SSL_METHOD* TLS_client_method(void); const SSL_METHOD* TLS_server_method(void); int OPENSSL_init_ssl(uint64_t opts, const OPENSSL_INIT_SETTINGS* settings); int OPENSSL_init_crypto(uint64_t opts, const OPENSSL_INIT_SETTINGS* settings);
#define SSL_library_init() OPENSSL_init_ssl(0, NULL)
#define SSL_load_error_strings() OPENSSL_init_ssl(OPENSSL_INIT_LOAD_SSL_STRINGS | OPENSSL_INIT_LOAD_CRYPTO_STRINGS, NULL)
SSL_CTX* SSL_CTX_new(const SSL_METHOD* meth); void SSL_CTX_free(SSL_CTX* ctx); long SSL_CTX_ctrl(SSL_CTX* ctx, int cmd, long larg, void* parg); uint64_t SSL_CTX_set_options(SSL_CTX* ctx, uint64_t op); uint64_t SSL_CTX_clear_options(SSL_CTX* ctx, uint64_t op); void SSL_CTX_set_security_level(SSL_CTX* ctx, int level);
#define SSL_CTX_set_min_proto_version(ctx, version) SSL_CTX_ctrl(ctx, SSL_CTRL_SET_MIN_PROTO_VERSION, version, NULL)
#define SSL_CTX_set_max_proto_version(ctx, version) SSL_CTX_ctrl(ctx, SSL_CTRL_SET_MAX_PROTO_VERSION, version, NULL)
void SSL_CTX_set_verify(SSL_CTX* ctx, int mode, SSL_verify_cb callback); void SSL_CTX_set_verify_depth(SSL_CTX* ctx, int depth); int SSL_CTX_load_verify_locations(SSL_CTX* ctx, const char* file, const char* path); int SSL_CTX_set_default_verify_paths(SSL_CTX* ctx); int SSL_CTX_use_certificate_chain_file(SSL_CTX* ctx, const char* file); int SSL_CTX_use_certificate_file(SSL_CTX* ctx, const char* file, int type); int SSL_CTX_use_PrivateKey_file(SSL_CTX* ctx, const char* file, int type); int SSL_CTX_check_private_key(const SSL_CTX* ctx); int SSL_CTX_set_cipher_list(SSL_CTX* ctx, const char* str); void SSL_CTX_set_default_passwd_cb(SSL_CTX* ctx, pem_password_cb* cb);
SSL* SSL_new(SSL_CTX* ctx); void SSL_free(SSL* ssl); int SSL_up_ref(SSL* ssl); int SSL_set_fd(SSL* ssl, int fd); int SSL_get_fd(const SSL* ssl); void SSL_set_bio(SSL* ssl, BIO* rbio, BIO* wbio); void SSL_set_connect_state(SSL* ssl); void SSL_set_accept_state(SSL* ssl); int SSL_do_handshake(SSL* ssl); int SSL_accept(SSL* ssl); int SSL_connect(SSL* ssl); int SSL_is_init_finished(const SSL* ssl);
int SSL_read(SSL* ssl, void* buf, int num); int SSL_write(SSL* ssl, const void* buf, int num); int SSL_read_ex(SSL* ssl, void* buf, size_t num, size_t* readbytes); int SSL_write_ex(SSL* ssl, const void* buf, size_t num, size_t* written); int SSL_peek(SSL* ssl, void* buf, int num); int SSL_pending(const SSL* ssl); int SSL_shutdown(SSL* ssl); int SSL_get_shutdown(const SSL* ssl); int SSL_get_error(const SSL* ssl, int ret); long SSL_get_verify_result(const SSL* ssl); const char* SSL_get_version(const SSL* ssl); SSL_CTX* SSL_get_SSL_CTX(const SSL* ssl); SSL_SESSION* SSL_get1_session(SSL* ssl); void SSL_SESSION_free(SSL_SESSION* session);
#ifdef __cplusplus
}
#endif
