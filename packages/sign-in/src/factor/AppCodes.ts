/**
 * Codes of authenticator apps (TOTP, RFC 6238) as all apps understand them: SHA-1, 6 digits, 30 seconds. A code counts
 * in its own 30 seconds and in those before and after, since clocks differ.
 */
import { Secret, TOTP } from "otpauth"

/** Length of a time step in ms. */
export const stepLength = 30_000

/** Number of steps before and after the current one whose codes are accepted. */
const stepsAround = 1

/** Number of bytes of a secret. RFC 4226 recommends 20. */
const secretBytes = 20

/** Returns a secret in base32, from at least 20 random bytes. */
export const appSecret = (random: Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(random.subarray(0, secretBytes)).buffer }).base32

/** Returns the secret of an app in groups of four characters, for people who type it. */
export const groupedSecret = (secret: string): string => secret.replace(/.{4}(?=.)/g, "$& ")

/** Returns the URI that an app reads from a picture. `issuer` and `account` are the names in the app's list. */
export const appUri = (secret: string, issuer: string, account: string): string =>
  new TOTP({ secret, issuer, label: account }).toString()

/** Returns the time step of a code: the number of 30 seconds since 1970. Undefined for a wrong code. */
export const stepOf = (secret: string, code: string, now: number): number | undefined => {
  const token = code.replaceAll(/\s/g, "")
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = new TOTP({ secret }).validate({ token, timestamp: now, window: stepsAround })
  return delta === null ? undefined : Math.floor(now / stepLength) + delta
}
