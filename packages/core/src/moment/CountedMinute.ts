/**
 * Minutes in which something is counted. One that ends further ahead than a minute was begun by a clock that was wrong,
 * and has been set back since: it is over, or nothing would be counted anew until then.
 */

export const length = 60_000

/** Tells whether a minute that ends then has not ended `now` (epoch ms). */
export const isOn = (endsAt: number, now: number): boolean => endsAt > now && endsAt <= now + length
