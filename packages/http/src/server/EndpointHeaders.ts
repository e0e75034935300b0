/**
 * Headers of what programs answer at their endpoints, as far as they are for programs to say. They share an origin, so
 * none may speak for all of it, or for the domain around it: its storage, its certificates, where it is reported to. A
 * cookie is of this host alone, and of the paths of its own program: whatever else it says, its path is made that.
 */

/** Headers between two neighbours, and those that are for us to say. */
const ours = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "content-security-policy",
  "x-request-id"
]

/** Headers that a browser keeps for a whole origin or domain. */
const ofOrigin = [
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

const dropped: ReadonlySet<string> = new Set([...ours, ...ofOrigin])

export const isOurCookie = (cookie: string): boolean => /^\s*(__Host-|__Secure-)?lectern/i.test(cookie)

const nameOf = (attribute: string): string => attribute.split("=")[0]!.trim().toLowerCase()

/** Cookie without a domain, whose path leads to no other program; `base`: path of all endpoints of its own. */
const kept = (cookie: string, base: string): string => {
  const [pair, ...attributes] = cookie.split(";")
  const others = attributes.filter((attribute) => !["domain", "path"].includes(nameOf(attribute)))
  const path = attributes.findLast((attribute) => nameOf(attribute) === "path")
  if (path === undefined) return [pair, ...others].join(";")
  const wanted = path.slice(path.indexOf("=") + 1).trim()
  const isWithin = `${wanted}/`.toLowerCase().startsWith(`${base}/`.toLowerCase())
  return [pair, ...others, ` Path=${isWithin ? wanted : base}`].join(";")
}

type Headers = ReadonlyArray<readonly [name: string, value: string]>

/** Headers that go out, by names in lower case; cookies stand beside the others, since there may be several. */
export const headersOut = (headers: Headers, base: string) => ({
  plain: Object.fromEntries(headers.filter(([name]) => name !== "set-cookie" && !dropped.has(name))),
  cookies: headers.flatMap(([name, value]) => (name === "set-cookie" && !isOurCookie(value) ? [kept(value, base)] : []))
})
