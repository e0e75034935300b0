/**
 * A URL that somebody entered, as it is told and as the header of an answer can say it: in printable ASCII, with `//` in
 * front of its host. In a header what is no ASCII is an error or other letters, and `https:x` is a path to browsers.
 */

const asIs = /^https?:\/\/[\x21-\x5b\x5d-\x7e]*$/i

/** The URL as it was entered, where that can be said; else as browsers write it. */
export const sent = (url: string): string => (asIs.test(url) ? url : new URL(url).href)
