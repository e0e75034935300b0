/**
 * Cookies of published sites: the session of a visitor, the token of a preview, unsigned claims from a URL, and the
 * consent to cookies of third-party scripts.
 *
 * Each cookie applies only to the path of its site or preview, and scripts cannot read it. A session is signed for one
 * site. The other cookies contain only claims that any visitor may make.
 */
import type { PublishedContent, VisitorPayload } from "@lectern/core/publishing/PublishedUrl"
import { type Claims, canonical, unsignedFromUrl } from "@lectern/core/adaptive/Claims"
import { Duration, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { Cookies } from "effect/http"
import type { Consent } from "../page/SiteScripts.ts"

const sessionName = "lectern-visitor"
/** Token that opens a preview. Applies only to the path of the preview. */
const previewName = "lectern-preview"
const claimsName = "lectern-claims"
const consentName = "lectern-consent"

/** Maximum length of the claims in a cookie, in characters. Browsers store no larger cookie. */
const maxClaimsText = 4 * 1024
const claimsMaxAge = Duration.days(30)
const consentMaxAge = Duration.days(180)

/** Names of the cookies that a response may depend on. */
export const cookieNames = [sessionName, previewName, claimsName, consentName] as const

type RequestCookies = Readonly<Record<string, string>>

/** Parses the claims of the cookie. Undefined if the cookie is missing or invalid. */
const parseClaims = (text: string | undefined): { readonly [name: string]: unknown } | undefined => {
  if (text === undefined || text.length > maxClaimsText) return undefined
  const value = Result.try((): unknown =>
    JSON.parse(new TextDecoder().decode(Result.getOrThrow(Base64Url.decode(text))))
  )
  if (Result.isFailure(value)) return undefined
  const claims = value.success
  return typeof claims === "object" && claims !== null && !Array.isArray(claims)
    ? (claims as { readonly [name: string]: unknown })
    : undefined
}

/** Returns the visitor of a request; undefined if the request has no cookies of a visitor. */
export const visitorOf = (cookies: RequestCookies): VisitorPayload | undefined => {
  // The token of a preview takes precedence over the session of a visitor.
  const jwtToken = cookies[previewName] ?? cookies[sessionName]
  const unsignedClaims = parseClaims(cookies[claimsName])
  if (jwtToken === undefined && unsignedClaims === undefined) return undefined
  return { ...(jwtToken !== undefined && { jwtToken }), ...(unsignedClaims !== undefined && { unsignedClaims }) }
}

/**
 * Serializes Lectern's cookies of a `Cookie` header. The result is equal only for equal cookies, and "" if the header
 * has none. Cookies are parsed as in a request, so a space before `=` does not matter.
 */
export const relevantCookies = (header: string | undefined): string => {
  if (header === undefined || !cookieNames.some((name) => header.includes(name))) return ""
  const cookies = Cookies.parseHeader(header)
  const values = cookieNames.map((name) => cookies[name] ?? null)
  return values.every((value) => value === null) ? "" : JSON.stringify(values)
}

const cookieOptions = ({ protocol }: URL) =>
  ({ httpOnly: true, secure: protocol === "https:", sameSite: "lax" }) as const

const updatedClaims = (url: URL, cookies: RequestCookies): Claims | undefined => {
  let hasClaims = false
  for (const name of url.searchParams.keys()) hasClaims ||= name.startsWith("visitor.")
  return hasClaims ? unsignedFromUrl(url, parseClaims(cookies[claimsName])) : undefined
}

/** Returns cookies that delete the session and the claims. */
export const cookiesToClear = (url: URL, { siteBasePath }: PublishedContent): Cookies.Cookies => {
  const expiredOptions = { ...cookieOptions(url), path: siteBasePath, maxAge: Duration.zero } as const
  return Cookies.fromIterable(
    [sessionName, claimsName].map((name) => Cookies.makeCookieUnsafe(name, "", expiredOptions))
  )
}

/** Returns the cookies that a response sets; undefined if it sets no cookies. */
export const cookiesToSet = (
  url: URL,
  { session, siteBasePath }: PublishedContent,
  cookies: RequestCookies
): Cookies.Cookies | undefined => {
  const sharedOptions = cookieOptions(url)
  const claims = updatedClaims(url, cookies)
  const setCookies: Array<Cookies.Cookie> = []
  if (session !== undefined && session.value !== cookies[session.name]) {
    const options = { ...sharedOptions, path: session.path, maxAge: Duration.seconds(session.maxAge) }
    setCookies.push(Cookies.makeCookieUnsafe(session.name, session.value, options))
  }
  if (claims !== undefined) {
    const value = Base64Url.encode(canonical(claims))
    if (value !== cookies[claimsName]) {
      setCookies.push(
        Cookies.makeCookieUnsafe(claimsName, value, { ...sharedOptions, path: siteBasePath, maxAge: claimsMaxAge })
      )
    }
  }
  return setCookies.length === 0 ? undefined : Cookies.fromIterable(setCookies)
}

/**
 * Returns the cookies with paths without a trailing slash. A browser sends a cookie for `/help/` with no request for
 * `/help`, but a cookie for `/help` with requests for both.
 */
export const withoutTrailingSlash = (cookies: Cookies.Cookies): Cookies.Cookies =>
  Cookies.fromIterable(
    Object.values(cookies.cookies).map(({ name, value, options }) =>
      Cookies.makeCookieUnsafe(name, value, { ...options, path: options?.path?.replace(/(?<=.)\/$/, "") })
    )
  )

/** Returns a reader's decision about cookies of third-party scripts. */
export const consentOf = (cookies: RequestCookies): Consent => {
  const decision = cookies[consentName]
  return decision === "yes" || decision === "no" ? decision : undefined
}

/** Returns a cookie that stores a reader's decision. `path`: path of the site. */
export const consentCookies = (decision: "yes" | "no", url: URL, path: string): Cookies.Cookies =>
  Cookies.fromIterable([
    Cookies.makeCookieUnsafe(consentName, decision, {
      httpOnly: true,
      secure: url.protocol === "https:",
      sameSite: "lax",
      path,
      maxAge: consentMaxAge
    })
  ])
