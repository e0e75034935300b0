/** Parses the `Retry-After` header: seconds, or a date. */

/** Returns the delay from `now` in milliseconds, which may be negative. Undefined if the header is invalid. */
export const millisOf = (header: string, now: number): number | undefined => {
  const text = header.trim()
  const millis = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(millis) ? undefined : millis
}
