/* SPDX-License-Identifier: GPL-2.0-only */
/* The fabric: its HCAs, its switches and the cables between them. */
#ifndef SOFTIB_FABRIC_H
#define SOFTIB_FABRIC_H

int softib_fabric_alloc(void);
void softib_fabric_free(void);
int softib_fabric_register(void);
void softib_fabric_unregister(void);

#endif
