/** URL that a client requested, from the parts of its request. */

/** A host without characters that end it in a URL. With one of them, the URL would have another path than the request. */
const hostPattern = /^[^\s/?#\\@]+$/

/** Returns the URL; undefined if the host is missing or invalid. `path`: path and query, with a slash at the start. */
export const make = (protocol: "http:" | "https:", host: unknown, path: string): URL | undefined =>
  typeof host === "string" && hostPattern.test(host)
    ? (URL.parse(`${protocol}//${host}${path}`) ?? undefined)
    : undefined
