/**
 * Recovery codes, for people who lost their second factor. Ten codes of 16 characters (80 bits), such as
 * `k7wm-3xrt-9qhd-v2bz`. A code counts once. Only its SHA-256 is stored.
 *
 * The characters are those of Crockford's base 32: a typed `o` is read as 0, `i` and `l` as 1.
 */

export const recoveryCodeCount = 10

/** Number of random bytes of a code: one for each character. */
const codeBytes = 16

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Returns a code from at least 16 random bytes. */
export const recoveryCode = (random: Uint8Array): string =>
  Array.from(random.subarray(0, codeBytes), (byte) => alphabet[byte % alphabet.length]!)
    .join("")
    .replace(/.{4}(?=.)/g, "$&-")

/** Returns the characters of a typed code in the form that is hashed. */
export const foldRecoveryCode = (code: string): string =>
  code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1")

/** True if a text looks like a recovery code rather than a code of an app. */
export const isRecoveryCode = (code: string): boolean => foldRecoveryCode(code).length === codeBytes
