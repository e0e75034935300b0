/**
 * Ids and secrets. An id is 22 characters of base 58: eight for the time in milliseconds, so that
 * ids order by when they were made, and fourteen from a cryptographic source (82 bits), so that
 * nobody guesses one. It is URL-safe and begins with a letter, so that a selector of CSS can name it
 * as it is and it is never all digits: a change request is also addressed by its number. A secret is 43 characters of base64url (256 bits).
 *
 * The default draws from Web Crypto; `layerSeeded` is for tests that need the same ids each time.
 */
import { Context, Effect, Layer } from "effect"
import { Base64Url } from "effect/encoding"

/** In the order of their code points: without 0, O, I and l. */
const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const timeLength = 8
const randomLength = 14
const keyLength = 10
const secretLength = 32
const nonceLength = 12

export class Ids extends Context.Service<
  Ids,
  {
    readonly next: Effect.Effect<string>
    /** The next id, behind `last` in order even where the clock is not. */
    readonly behind: (last: string) => Effect.Effect<string>
    /** A text that sorts before every id made from a time on (epoch ms), and behind those made earlier. */
    readonly firstAt: (time: number) => string
    readonly secret: Effect.Effect<string>
    /** Random bytes to seal one value with. */
    readonly nonce: Effect.Effect<Uint8Array>
    /** A key for a block of a document: 10 characters, unique in any one document. */
    readonly key: () => string
  }
>()("@lectern/core/identity/Ids") {
  static readonly layer = Layer.sync(Ids, () => make((bytes) => globalThis.crypto.getRandomValues(bytes)))

  /** The same ids for the same seed and clock. Never outside tests. */
  static readonly layerSeeded = (seed: number) => Layer.sync(Ids, () => make(seeded(seed)))
}

type Fill = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>

const make = (fill: Fill) => {
  const randomPart = randomFrom(fill)
  const secretBytes = bytesFrom(fill, secretLength)
  const nonceBytes = bytesFrom(fill, nonceLength)
  return Ids.of({
    next: Effect.clockWith((clock) =>
      Effect.succeed(timePart(clock.currentTimeMillisUnsafe()) + randomPart(randomLength))
    ),
    behind: (last) =>
      Effect.clockWith((clock) => {
        const time = timePart(clock.currentTimeMillisUnsafe())
        const lastTime = last.slice(0, timeLength)
        return Effect.succeed((time > lastTime ? time : following(lastTime)) + randomPart(randomLength))
      }),
    firstAt: (time) => timePart(Math.max(0, time)),
    secret: Effect.sync(() => Base64Url.encode(secretBytes())),
    nonce: Effect.sync(nonceBytes),
    key: () => randomPart(keyLength)
  })
}

/** Added to the time, so that an id begins with a letter: those stand behind the nine digits of the alphabet. */
const firstLetter = 9 * 58 ** (timeLength - 1)

const timePart = (now: number): string => {
  let text = ""
  for (let rest = firstLetter + now, i = 0; i < timeLength; i++, rest = Math.floor(rest / 58))
    text = alphabet[rest % 58] + text
  return text
}

/** The text that comes next among those of its length. */
const following = (text: string): string => {
  const last = text.length - 1
  const rest = text.slice(0, last)
  const digit = alphabet.indexOf(text[last]!) + 1
  return digit < alphabet.length ? rest + alphabet[digit] : (rest === "" ? "" : following(rest)) + alphabet[0]
}

/** Pieces of so many random bytes. To ask for them costs more than to use them, so they come by the thousand. */
const bytesFrom = (fill: Fill, length: number) => {
  const pool = new Uint8Array(32 * length)
  let at = pool.length
  return () => {
    if (at === pool.length) {
      fill(pool)
      at = 0
    }
    at += length
    return pool.slice(at - length, at)
  }
}

/** Random letters, of bytes that come by the thousand. */
const randomFrom = (fill: Fill) => {
  const pool = new Uint8Array(1024)
  let at = pool.length
  const nextByte = () => {
    if (at === pool.length) {
      fill(pool)
      at = 0
    }
    return pool[at++]!
  }
  return (length: number): string => {
    let text = ""
    while (text.length < length) {
      const byte = nextByte()
      // 232 is the largest multiple of 58 below 256: what lies above it would favour some letters.
      if (byte >= 232) continue
      const char = alphabet[byte % 58]!
      // A letter at the end keeps every id from being all digits.
      if (text.length === length - 1 && char <= "9") continue
      text += char
    }
    return text
  }
}

const seeded = (seed: number) => {
  let state = seed >>> 0
  return (bytes: Uint8Array<ArrayBuffer>) => {
    for (let i = 0; i < bytes.length; i++) {
      // Mulberry32: small, and even enough for ids that only have to differ.
      state = (state + 0x6d2b79f5) >>> 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      bytes[i] = (t ^ (t >>> 14)) & 255
    }
    return bytes
  }
}

const countLength = 4

/**
 * Keys for the blocks of one document, where no service is at hand: all follow from one key that was
 * made, and differ from those of any other.
 */
export const keysFrom = (seed: string): (() => string) => {
  let count = ""
  const rest = seed.slice(countLength)
  return () => (count = count === "" ? "1".repeat(countLength) : following(count)) + rest
}
