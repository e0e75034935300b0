/**
 * Cookies of published sites: who has signed on to one, who sees a preview, what was said of a visitor in a URL, and
 * whether programs of others may set cookies. They hold for the path of their site or preview alone, no script may read
 * them, and they are good for nothing but that site: a session is signed for it, and the others are what anybody may
 * say of oneself.
 */
import type { PublishedContent, VisitorPayload } from "@lectern/core/publishing/PublishedUrl"
import { type Claims, canonical, unsignedFromUrl } from "@lectern/core/adaptive/Claims"
import { Duration, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { Cookies } from "effect/http"
import type { Consent } from "../page/SiteScripts.ts"

const sessionName = "lectern-visitor"
/** Opens a preview. It holds for the path of that alone. */
const previewName = "lectern-preview"
const claimsName = "lectern-claims"
const consentName = "lectern-consent"

/** No browser keeps more. */
const maxClaimsText = 4 * 1024
const claimsLast = Duration.days(30)
const consentLasts = Duration.days(180)

/** Names of the cookies that an answer may depend on. */
export const names = [sessionName, previewName, claimsName, consentName] as const

type Sent = Readonly<Record<string, string>>

/** Claims that the cookie holds; none where it holds something else. */
const claimsIn = (text: string | undefined): { readonly [name: string]: unknown } | undefined => {
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

/** The visitor that a request shows; undefined where it shows none. */
export const visitorOf = (cookies: Sent): VisitorPayload | undefined => {
  // Whoever is in a preview is no visitor there.
  const jwtToken = cookies[previewName] ?? cookies[sessionName]
  const unsignedClaims = claimsIn(cookies[claimsName])
  if (jwtToken === undefined && unsignedClaims === undefined) return undefined
  return { ...(jwtToken !== undefined && { jwtToken }), ...(unsignedClaims !== undefined && { unsignedClaims }) }
}

/**
 * Our cookies in a header, as one text that is the same for the same ones alone; "" where there is none. They are read as
 * those of a request are, to whom a space before the = says nothing.
 */
export const shownIn = (header: string | undefined): string => {
  if (header === undefined || !names.some((name) => header.includes(name))) return ""
  const sent = Cookies.parseHeader(header)
  const shown = names.map((name) => sent[name] ?? null)
  return shown.every((value) => value === null) ? "" : JSON.stringify(shown)
}

const boundTo = ({ protocol }: URL) => ({ httpOnly: true, secure: protocol === "https:", sameSite: "lax" }) as const

const claimsToKeep = (url: URL, sent: Sent): Claims | undefined => {
  let says = false
  for (const name of url.searchParams.keys()) says ||= name.startsWith("visitor.")
  return says ? unsignedFromUrl(url, claimsIn(sent[claimsName])) : undefined
}

/** Cookies that make a browser forget the reader. */
export const toClear = (url: URL, { siteBasePath }: PublishedContent): Cookies.Cookies => {
  const gone = { ...boundTo(url), path: siteBasePath, maxAge: Duration.zero } as const
  return Cookies.fromIterable([sessionName, claimsName].map((name) => Cookies.makeCookieUnsafe(name, "", gone)))
}

/** The cookies that an answer sets; undefined where it sets none. */
export const toSet = (
  url: URL,
  { session, siteBasePath }: PublishedContent,
  sent: Sent
): Cookies.Cookies | undefined => {
  const bound = boundTo(url)
  const claims = claimsToKeep(url, sent)
  const set: Array<Cookies.Cookie> = []
  if (session !== undefined && session.value !== sent[session.name]) {
    const options = { ...bound, path: session.path, maxAge: Duration.seconds(session.maxAge) }
    set.push(Cookies.makeCookieUnsafe(session.name, session.value, options))
  }
  if (claims !== undefined) {
    const value = Base64Url.encode(canonical(claims))
    if (value !== sent[claimsName]) {
      set.push(Cookies.makeCookieUnsafe(claimsName, value, { ...bound, path: siteBasePath, maxAge: claimsLast }))
    }
  }
  return set.length === 0 ? undefined : Cookies.fromIterable(set)
}

/** A reader's word about cookies of others. */
export const consentOf = (cookies: Sent): Consent => {
  const said = cookies[consentName]
  return said === "yes" || said === "no" ? said : undefined
}

/** Keeps what a reader has said. `path`: of the site. */
export const consentToSet = (said: "yes" | "no", url: URL, path: string): Cookies.Cookies =>
  Cookies.fromIterable([
    Cookies.makeCookieUnsafe(consentName, said, {
      httpOnly: true,
      secure: url.protocol === "https:",
      sameSite: "lax",
      path,
      maxAge: consentLasts
    })
  ])
