/**
 * Filters the response headers of integration endpoints. All integrations share one origin, so an integration must not
 * set headers for the origin or its domain: storage, certificates, reporting. A cookie is limited to the host and to
 * the path of its integration.
 */

/** Hop-by-hop headers, and headers that the server sets. */
const serverHeaders = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "content-security-policy",
  "x-request-id"
]

/** Headers that a browser applies to a whole origin or domain. */
const originHeaders = [
  "accept-ch",
  "activate-storage-access",
  "alt-svc",
  "clear-site-data",
  "critical-ch",
  "expect-ct",
  "nel",
  "origin-agent-cluster",
  "public-key-pins",
  "report-to",
  "reporting-endpoints",
  "sec-session-registration",
  "secure-session-registration",
  "service-worker-allowed",
  "set-login",
  "strict-transport-security",
  "use-as-dictionary"
]

const droppedHeaders: ReadonlySet<string> = new Set([...serverHeaders, ...originHeaders])

export const isOurCookie = (cookie: string): boolean => /^\s*(__Host-|__Secure-)?lectern/i.test(cookie)

const nameOf = (attribute: string): string => attribute.split("=")[0]!.trim().toLowerCase()

/** Removes the domain of a cookie and limits its path to `base`, the common path of the integration's endpoints. */
const confinedCookie = (cookie: string, base: string): string => {
  const [pair, ...attributes] = cookie.split(";")
  const otherAttributes = attributes.filter((attribute) => !["domain", "path"].includes(nameOf(attribute)))
  const path = attributes.findLast((attribute) => nameOf(attribute) === "path")
  if (path === undefined) return [pair, ...otherAttributes].join(";")
  const requested = path.slice(path.indexOf("=") + 1).trim()
  const isWithin = `${requested}/`.toLowerCase().startsWith(`${base}/`.toLowerCase())
  return [pair, ...otherAttributes, ` Path=${isWithin ? requested : base}`].join(";")
}

type Headers = ReadonlyArray<readonly [name: string, value: string]>

/** Returns the headers of a response, by names in lower case. Cookies are separate, since there may be several. */
export const responseHeadersOf = (headers: Headers, base: string) => ({
  plain: Object.fromEntries(headers.filter(([name]) => name !== "set-cookie" && !droppedHeaders.has(name))),
  cookies: headers.flatMap(([name, value]) =>
    name === "set-cookie" && !isOurCookie(value) ? [confinedCookie(value, base)] : []
  )
})
