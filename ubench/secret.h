/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pre-shared key: read from a file, turned into a key for one connection. */
#ifndef UBENCH_SECRET_H
#define UBENCH_SECRET_H

#include <stddef.h>

#define SECRET_KEY_BYTES 32
#define SECRET_NONCE_BYTES 32
#define SECRET_NONCE_TEXT_BYTES (2 * SECRET_NONCE_BYTES + 1)
/* Shorter files are refused: they can be guessed. */
#define SECRET_MIN_FILE_BYTES 16

struct secret {
	unsigned char key[SECRET_KEY_BYTES];
};

/*
 * Hash the whole file into key. 0, -errno of the file, -ENOKEY for one that is
 * too short, -EACCES for one that others may read.
 */
int secret_read(const char *path, struct secret *key);

/* Why secret_read() failed. */
const char *secret_reason(int error);

/* Fresh random text of SECRET_NONCE_TEXT_BYTES. */
void secret_nonce(char *text);

/* Whether text is one that secret_nonce() can have made. */
int secret_is_nonce(const char *text);

/* The key of one connection, from the key that both ends have and a nonce of each. */
void secret_derive(const struct secret *key, const char *server_nonce, const char *client_nonce,
		   struct secret *session);

#endif
