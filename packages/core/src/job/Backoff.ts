const minBackoff = 5_000
const maxBackoff = 3_600_000

/** Returns the pause after a number of failed attempts (ms): 5 seconds, doubled by each further failure, at most an hour. */
export const backoff = (attempts: number): number => Math.min(minBackoff * 2 ** Math.max(attempts - 1, 0), maxBackoff)
