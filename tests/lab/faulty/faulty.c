// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commits one fault of the kind that the checking kernel must find; it is never part of the kit.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static char *kind = "";
module_param(kind, charp, 0444);
MODULE_PARM_DESC(kind, "use-after-free, leak, lock-order, sleep-in-atomic, live-timer or shift");

static DEFINE_MUTEX(faulty_first);
static DEFINE_MUTEX(faulty_second);
static DEFINE_SPINLOCK(faulty_spin);
static int faulty_sink;

static void faulty_use_after_free(void)
{
	u32 *words = kzalloc(64, GFP_KERNEL);

	if (!words)
		return;
	kfree(words);
	WRITE_ONCE(words[3], 1);
}

static void faulty_leak(void)
{
	int i;

	/* More than one: an address may survive on the stack or in a register. */
	for (i = 0; i < 32; i++)
		memset(kmalloc(96, GFP_KERNEL | __GFP_NOFAIL), i, 96);
}

static void faulty_lock_order(void)
{
	mutex_lock(&faulty_first);
	mutex_lock(&faulty_second);
	mutex_unlock(&faulty_second);
	mutex_unlock(&faulty_first);

	mutex_lock(&faulty_second);
	mutex_lock(&faulty_first);
	mutex_unlock(&faulty_first);
	mutex_unlock(&faulty_second);
}

static void faulty_sleep_in_atomic(void)
{
	spin_lock(&faulty_spin);
	might_sleep();
	spin_unlock(&faulty_spin);
}

static void faulty_timer_function(struct timer_list *timer)
{
}

static void faulty_live_timer(void)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, faulty_timer_function, 0);
	mod_timer(timer, jiffies + 1000 * HZ);
	kfree(timer);
}

static void faulty_shift(void)
{
	int by = 40;

	OPTIMIZER_HIDE_VAR(by);
	WRITE_ONCE(faulty_sink, 1 << by);
}

static const struct {
	const char *kind;
	void (*commit)(void);
} faults[] = {
	{ "use-after-free", faulty_use_after_free },
	{ "leak", faulty_leak },
	{ "lock-order", faulty_lock_order },
	{ "sleep-in-atomic", faulty_sleep_in_atomic },
	{ "live-timer", faulty_live_timer },
	{ "shift", faulty_shift },
};

static int __init faulty_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (strcmp(kind, faults[i].kind))
			continue;
		faults[i].commit();
		return 0;
	}
	return -EINVAL;
}

static void __exit faulty_exit(void)
{
}

module_init(faulty_init);
module_exit(faulty_exit);
MODULE_DESCRIPTION("Faults for the checkers to find");
MODULE_LICENSE("GPL");
