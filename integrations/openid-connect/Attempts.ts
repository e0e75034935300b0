/**
 * State of sign-on attempts, until the visitor returns from the identity provider. Each attempt is an encrypted cookie
 * of the visitor's browser. So only this installation can create it, and only this browser can complete the attempt.
 * The encryption key differs from the key that signs visitor tokens.
 *
 * Limits: 10 minutes for an attempt; 8 KiB of attempts in one browser, oldest removed first, since requests with larger
 * headers would be rejected everywhere on the site.
 */
import { EncryptJWT, jwtDecrypt } from "jose"
import type { Attempt } from "./Provider.ts"

const seconds = 600
/** Maximum length of a cookie. Browsers drop longer ones. */
const maxCookie = 4096
const maxCookies = 8 * 1024

export interface StoredAttempt extends Attempt {
  /** Path on the site that the visitor wants to reach. */
  readonly location: string
}

const keyOf = async (secret: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`attempt to sign on\n${secret}`)))

const cookiePrefix = "sign-on-"

const nameOf = (state: string): string => `${cookiePrefix}${state.slice(0, 16)}`

/** Returns a cookie that the browser sends only to the callback endpoint. */
const cookie = (endpoint: URL, name: string, value: string, maxAge: number): string =>
  [
    `${name}=${value}`,
    `Path=${endpoint.pathname}`,
    `Max-Age=${maxAge}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(endpoint.protocol === "https:" ? ["Secure"] : [])
  ].join("; ")

const seal = async (secret: string, storedAttempt: StoredAttempt): Promise<string> =>
  new EncryptJWT({ ...storedAttempt })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt()
    .setExpirationTime(`${seconds} seconds`)
    .encrypt(await keyOf(secret))

/** Encrypts an attempt. A location that does not fit into a cookie is reduced to its path, or dropped. */
const sealFitting = async (secret: string, { location, ...attempt }: StoredAttempt): Promise<string> => {
  for (const place of [location, location.replace(/[?#].*$/s, "")]) {
    const sealed = await seal(secret, { ...attempt, location: place })
    if (nameOf(attempt.state).length + 1 + sealed.length <= maxCookie) return sealed
  }
  return seal(secret, { ...attempt, location: "" })
}

/** Returns the names of the oldest attempt cookies that must be removed to store a new one of the given length. */
const superfluous = (cookies: Readonly<Record<string, string>>, length: number): ReadonlyArray<string> => {
  const attempts = Object.entries(cookies).filter(([name]) => name.startsWith(cookiePrefix))
  // Size in a Cookie header, including "=" and "; ".
  const size = ([name, value]: readonly [string, string]) => name.length + value.length + 3
  let remaining = maxCookies - length - attempts.reduce((sum, each) => sum + size(each), 0)
  return attempts.flatMap((each) => {
    if (remaining >= 0) return []
    remaining += size(each)
    return each[0]
  })
}

/** Returns the cookies to set for an attempt. `cookies`: cookies of the request. */
export const keep = async (
  secret: string,
  storedAttempt: StoredAttempt,
  endpoint: URL,
  cookies: Readonly<Record<string, string>>
): Promise<ReadonlyArray<string>> => {
  const name = nameOf(storedAttempt.state)
  const sealed = await sealFitting(secret, storedAttempt)
  const expiredCookies = superfluous(cookies, name.length + sealed.length + 3)
  return [cookie(endpoint, name, sealed, seconds), ...expiredCookies.map((each) => cookie(endpoint, each, "", 0))]
}

export const forget = (state: string, endpoint: URL): string => cookie(endpoint, nameOf(state), "", 0)

/** Returns the attempt with a state, or undefined if this browser did not start it or if it has expired. */
export const find = async (secret: string, state: string, cookies: string): Promise<StoredAttempt | undefined> => {
  const name = `${nameOf(state)}=`
  const value = cookies
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(name))
  if (value === undefined) return undefined
  try {
    const { payload } = await jwtDecrypt<StoredAttempt>(value.slice(name.length), await keyOf(secret), {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"]
    })
    return payload.state === state ? payload : undefined
  } catch {
    return undefined
  }
}
