/**
 * The cookie of a session: `__Host-lectern_session`, which browsers accept only over TLS, and send only to the host that
 * set it. Without TLS its name is `lectern_session`. Scripts can't read it, and browsers don't send it with requests
 * that another website makes.
 *
 * Browsers count all hosts of a domain as one website, so a cookie does not show that one of Lectern's own pages made a
 * request: a request counts only if its browser states that origin (see `isOwnRequest`).
 */

type Headers = Readonly<Record<string, string | undefined>>

interface Request {
  readonly method: string
  readonly headers: Headers
}

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith("https:")

/** Returns the name of a cookie of the server with this URL. */
export const cookieName = (publicUrl: string, name: string): string =>
  `${isSecure(publicUrl) ? "__Host-" : ""}lectern_${name}`

export const sessionCookieName = (publicUrl: string): string => cookieName(publicUrl, "session")

/** Returns a `Set-Cookie` header. Zero seconds delete the cookie. */
export const setCookie = (publicUrl: string, name: string, value: string, seconds: number): string =>
  `${cookieName(publicUrl, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure(publicUrl) ? "; Secure" : ""}`

/** Returns a `Set-Cookie` header with the secret of a session that ends at `expiresAt`. `now`: time in epoch ms. */
export const setSessionCookie = (publicUrl: string, secret: string, expiresAt: string, now: number): string =>
  setCookie(publicUrl, "session", secret, Math.max(0, Math.floor((Date.parse(expiresAt) - now) / 1000)))

const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

/**
 * True if a page of the server's own origin made the request, or its user typed in the URL. A browser that does not send
 * `Sec-Fetch-Site` has to send `Origin` with writes.
 */
export const isOwnRequest = (publicUrl: string, request: Request): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  if (site !== undefined) return site === "same-origin" || (site === "none" && isRead(request))
  return origin === undefined ? isRead(request) : URL.parse(publicUrl)?.origin === origin
}
