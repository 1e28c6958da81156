// SPDX-License-Identifier: GPL-2.0-or-later
/* The pre-shared key: read from a file, turned into a key for one connection. */
#include "secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

int secret_read(const char *path, struct secret *key)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	crypto_generichash_state state;
	unsigned char buf[4096];
	size_t total = 0;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return -errno;
	if (sodium_init() < 0 || fstat(fd, &st) || st.st_mode & (S_IRWXG | S_IRWXO)) {
		close(fd);
		return -EACCES;
	}
	crypto_generichash_init(&state, NULL, 0, sizeof(key->key));
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		crypto_generichash_update(&state, buf, (unsigned long long)n);
		total += (size_t)n;
	}
	sodium_memzero(buf, sizeof(buf));
	crypto_generichash_final(&state, key->key, sizeof(key->key));
	n = n < 0 ? -errno : 0;
	close(fd);
	return n ? (int)n : total < SECRET_MIN_FILE_BYTES ? -ENOKEY : 0;
}

const char *secret_reason(int error)
{
	switch (error) {
	case -ENOKEY:
		return "shorter than 16 bytes";
	case -EACCES:
		return "must be readable for its owner, and for nobody else";
	}
	return strerror(-error);
}

void secret_nonce(char *text)
{
	unsigned char nonce[SECRET_NONCE_BYTES];

	randombytes_buf(nonce, sizeof(nonce));
	sodium_bin2hex(text, SECRET_NONCE_TEXT_BYTES, nonce, sizeof(nonce));
}

int secret_is_nonce(const char *text)
{
	return strlen(text) == SECRET_NONCE_TEXT_BYTES - 1 &&
	       strspn(text, "0123456789abcdef") == SECRET_NONCE_TEXT_BYTES - 1;
}

void secret_derive(const struct secret *key, const char *server_nonce, const char *client_nonce,
		   struct secret *session)
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, key->key, sizeof(key->key), sizeof(session->key));
	crypto_generichash_update(&state, (const unsigned char *)server_nonce,
				  SECRET_NONCE_TEXT_BYTES);
	crypto_generichash_update(&state, (const unsigned char *)client_nonce,
				  SECRET_NONCE_TEXT_BYTES);
	crypto_generichash_final(&state, session->key, sizeof(session->key));
}
