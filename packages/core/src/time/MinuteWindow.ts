/**
 * One-minute windows of rate counters. A window that ends more than a minute ahead was started by a clock that has been
 * set back since. Such a window counts as ended, otherwise counting would stop until that time.
 */

export const length = 60_000

/** True if the window that ends at `endsAt` is current at `now` (epoch ms). */
export const isCurrent = (endsAt: number, now: number): boolean => endsAt > now && endsAt <= now + length
