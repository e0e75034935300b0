/** The header `Retry-After`, by which a server says how long it wants to be left alone: seconds, or a date. */

/** In milliseconds from `now`, which may be over; undefined where it says nothing that can be read. */
export const millisOf = (header: string, now: number): number | undefined => {
  const text = header.trim()
  const millis = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(millis) ? undefined : millis
}
