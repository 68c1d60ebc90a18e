// Parse-only stand-in for OpenSSL's openssl/types.h (common types).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
typedef struct ssl_st SSL; typedef struct ssl_ctx_st SSL_CTX; typedef struct ssl_method_st SSL_METHOD; typedef struct ssl_session_st SSL_SESSION; typedef struct ssl_cipher_st SSL_CIPHER;
typedef struct bio_st BIO; typedef struct bio_method_st BIO_METHOD; typedef struct x509_st X509; typedef struct X509_name_st X509_NAME; typedef struct x509_store_st X509_STORE; typedef struct x509_store_ctx_st X509_STORE_CTX;
typedef struct evp_pkey_st EVP_PKEY; typedef struct ossl_init_settings_st OPENSSL_INIT_SETTINGS; typedef int pem_password_cb(char* buf, int size, int rwflag, void* userdata);
