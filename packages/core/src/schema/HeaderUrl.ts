/**
 * URL from input in the form that a response header can carry: printable ASCII, with `//` before the host. Non-ASCII
 * characters in a header are errors or change, and browsers read `https:x` as a path.
 */

const plainUrl = /^https?:\/\/[\x21-\x5b\x5d-\x7e]*$/i

/** Returns the URL unchanged if a header can carry it, otherwise as browsers serialize it. */
export const headerUrl = (url: string): string => (plainUrl.test(url) ? url : new URL(url).href)
