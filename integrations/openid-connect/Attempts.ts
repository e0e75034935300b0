/**
 * State of an attempt to sign on, for when the visitor comes back from the identity provider. The visitor's
 * own browser keeps it: in a cookie for each attempt, encrypted, so that nobody but this installation made it,
 * and the visitor who comes back is the one who left. The key is another than visitors' tokens are signed
 * with.
 *
 * Limits: 10 minutes to sign on; 8 KiB of attempts in one browser, of which the oldest are forgotten first. What a
 * browser sends along is bounded by whoever reads it, and it would be refused everywhere on this site with more.
 */
import { EncryptJWT, jwtDecrypt } from "jose"
import type { Attempt } from "./Provider.ts"

const seconds = 600
/** A browser drops a longer one. */
const maxCookie = 4096
const maxCookies = 8 * 1024

export interface Kept extends Attempt {
  /** Path on the site that the visitor wants to reach. */
  readonly location: string
}

const keyOf = async (secret: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`attempt to sign on\n${secret}`)))

const beginning = "sign-on-"

const nameOf = (state: string): string => `${beginning}${state.slice(0, 16)}`

/** For the endpoint that the visitor comes back to, and no other. */
const cookie = (endpoint: URL, name: string, value: string, maxAge: number): string =>
  [
    `${name}=${value}`,
    `Path=${endpoint.pathname}`,
    `Max-Age=${maxAge}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(endpoint.protocol === "https:" ? ["Secure"] : [])
  ].join("; ")

const seal = async (secret: string, kept: Kept): Promise<string> =>
  new EncryptJWT({ ...kept })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt()
    .setExpirationTime(`${seconds} seconds`)
    .encrypt(await keyOf(secret))

/** Of a place that is too long for a cookie its page is kept, or else none. */
const sealFitting = async (secret: string, { location, ...attempt }: Kept): Promise<string> => {
  for (const place of [location, location.replace(/[?#].*$/s, "")]) {
    const sealed = await seal(secret, { ...attempt, location: place })
    if (nameOf(attempt.state).length + 1 + sealed.length <= maxCookie) return sealed
  }
  return seal(secret, { ...attempt, location: "" })
}

/** Those of the attempts that a browser keeps which have to go for one of this length, the oldest first. */
const superfluous = (cookies: Readonly<Record<string, string>>, length: number): ReadonlyArray<string> => {
  const attempts = Object.entries(cookies).filter(([name]) => name.startsWith(beginning))
  // As a header has them: with "=" in each, and "; " in between.
  const size = ([name, value]: readonly [string, string]) => name.length + value.length + 3
  let left = maxCookies - length - attempts.reduce((sum, each) => sum + size(each), 0)
  return attempts.flatMap((each) => {
    if (left >= 0) return []
    left += size(each)
    return each[0]
  })
}

/** Cookies to set. `cookies`: those that the browser has shown. */
export const keep = async (
  secret: string,
  kept: Kept,
  endpoint: URL,
  cookies: Readonly<Record<string, string>>
): Promise<ReadonlyArray<string>> => {
  const name = nameOf(kept.state)
  const sealed = await sealFitting(secret, kept)
  const gone = superfluous(cookies, name.length + sealed.length + 3)
  return [cookie(endpoint, name, sealed, seconds), ...gone.map((each) => cookie(endpoint, each, "", 0))]
}

export const forget = (state: string, endpoint: URL): string => cookie(endpoint, nameOf(state), "", 0)

/** The attempt of this state; undefined where this browser did not begin it, or too long ago. */
export const find = async (secret: string, state: string, cookies: string): Promise<Kept | undefined> => {
  const name = `${nameOf(state)}=`
  const found = cookies
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(name))
  if (found === undefined) return undefined
  try {
    const { payload } = await jwtDecrypt<Kept>(found.slice(name.length), await keyOf(secret), {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"]
    })
    return payload.state === state ? payload : undefined
  } catch {
    return undefined
  }
}
