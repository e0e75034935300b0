/**
 * State of an attempt to sign on, for when the visitor comes back from the identity provider. The visitor's
 * own browser keeps it: in a cookie for each attempt, encrypted, so that nobody but this installation made it,
 * and the visitor who comes back is the one who left. The key is another than visitors' tokens are signed
 * with.
 *
 * Limit: 10 minutes to sign on.
 */
import { EncryptJWT, jwtDecrypt } from "jose"
import type { Attempt } from "./Provider.ts"

const seconds = 600

export interface Kept extends Attempt {
  /** Path on the site that the visitor wants to reach. */
  readonly location: string
}

const keyOf = async (secret: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`attempt to sign on\n${secret}`)))

const nameOf = (state: string): string => `sign-on-${state.slice(0, 16)}`

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

export const keep = async (secret: string, kept: Kept, endpoint: URL): Promise<string> => {
  const sealed = await new EncryptJWT({ ...kept })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt()
    .setExpirationTime(`${seconds} seconds`)
    .encrypt(await keyOf(secret))
  return cookie(endpoint, nameOf(kept.state), sealed, seconds)
}

export const forget = (state: string, endpoint: URL): string => cookie(endpoint, nameOf(state), "", 0)

/** The attempt of this state; undefined where this browser did not begin it, or too long ago. */
export const find = async (secret: string, state: string, cookies: string): Promise<Kept | undefined> => {
  const beginning = `${nameOf(state)}=`
  const found = cookies
    .split(";")
    .map((one) => one.trim())
    .find((one) => one.startsWith(beginning))
  if (found === undefined) return undefined
  try {
    const { payload } = await jwtDecrypt<Kept>(found.slice(beginning.length), await keyOf(secret), {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"]
    })
    return payload.state === state ? payload : undefined
  } catch {
    return undefined
  }
}
