/**
 * Generates ids and secrets. An id has 22 characters of base 58: eight for the time in milliseconds, so that ids sort
 * by creation, and fourteen random ones (82 bits), so that ids cannot be guessed. Ids are URL-safe and start with a
 * letter, so they are valid in CSS selectors and never confused with the number of a change request. A secret has 43
 * characters of base64url (256 bits).
 *
 * If a transaction runs its body again, each run gets the ids and secrets of the first run (see `Tape`). The default
 * layer uses Web Crypto. `layerSeeded` is for tests that need reproducible ids.
 */
import { Context, Effect, Layer } from "effect"
import { Base64Url } from "effect/encoding"
import { Tape } from "../storage/Tape.ts"

/** Alphabet in code point order, without 0, O, I and l. */
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
    /** Returns an id greater than `last`, even if the clock was set back. */
    readonly nextAfter: (last: string) => Effect.Effect<string>
    /** Like `nextAfter`, as a pure function of `last`. For `Repository.append`. */
    readonly following: Effect.Effect<(last: string | undefined) => string>
    /** Returns a text that sorts before all ids created at or after a time (epoch ms), and after all earlier ones. */
    readonly firstAt: (time: number) => string
    readonly secret: Effect.Effect<string>
    /** Random bytes for one encryption. */
    readonly nonce: Effect.Effect<Uint8Array>
    /** Returns a key for a block: 10 characters, unique within a document. */
    readonly key: () => string
  }
>()("@lectern/core/identity/Ids") {
  static readonly layer = Layer.sync(Ids, () => make((bytes) => globalThis.crypto.getRandomValues(bytes)))

  /** Reproducible ids for a seed and a clock. For tests only. */
  static readonly layerSeeded = (seed: number) => Layer.sync(Ids, () => make(seeded(seed)))
}

type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>

const make = (fill: FillRandom) => {
  const randomText = randomFrom(fill)
  const randomPart = (length: number) => Tape.random(() => randomText(length))
  const secretBytes = bytesFrom(fill, secretLength)
  const nonceBytes = bytesFrom(fill, nonceLength)
  const following = Effect.clockWith((clock) => {
    const [time, random] = [timePart(clock.currentTimeMillisUnsafe()), randomPart(randomLength)]
    return Effect.succeed((last = "") => {
      const lastTime = last.slice(0, timeLength)
      return (time > lastTime ? time : successorOf(lastTime)) + random
    })
  })
  return Ids.of({
    next: Effect.map(following, (idAfter) => idAfter()),
    nextAfter: (last) => Effect.map(following, (idAfter) => idAfter(last)),
    following,
    firstAt: (time) => timePart(Math.max(0, time)),
    secret: Effect.sync(() => Tape.random(() => Base64Url.encode(secretBytes()))),
    nonce: Effect.sync(() => Tape.random(nonceBytes)),
    key: () => randomPart(keyLength)
  })
}

/** Offset of the time part, so that ids start with a letter. Letters follow the nine digits of the alphabet. */
const firstLetter = 9 * 58 ** (timeLength - 1)

const timePart = (now: number): string => {
  let text = ""
  for (let rest = firstLetter + now, i = 0; i < timeLength; i++, rest = Math.floor(rest / 58))
    text = alphabet[rest % 58] + text
  return text
}

/** Returns the next text of the same length in order. */
const successorOf = (text: string): string => {
  const last = text.length - 1
  const rest = text.slice(0, last)
  const digit = alphabet.indexOf(text[last]!) + 1
  return digit < alphabet.length ? rest + alphabet[digit] : (rest === "" ? "" : successorOf(rest)) + alphabet[0]
}

/**
 * Returns random byte arrays of a length. Random bytes are requested in larger chunks, since each request is expensive.
 */
const bytesFrom = (fill: FillRandom, length: number) => {
  const pool = new Uint8Array(32 * length)
  let offset = pool.length
  return () => {
    if (offset === pool.length) {
      fill(pool)
      offset = 0
    }
    offset += length
    return pool.slice(offset - length, offset)
  }
}

/** Returns random characters of the alphabet. Random bytes are requested in larger chunks. */
const randomFrom = (fill: FillRandom) => {
  const pool = new Uint8Array(1024)
  let offset = pool.length
  const nextByte = () => {
    if (offset === pool.length) {
      fill(pool)
      offset = 0
    }
    return pool[offset++]!
  }
  return (length: number): string => {
    let text = ""
    while (text.length < length) {
      const byte = nextByte()
      // Bytes from 232, the largest multiple of 58 below 256, would bias the distribution.
      if (byte >= 232) continue
      const char = alphabet[byte % 58]!
      // The last character must be a letter, so that no key consists of digits only.
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
      // Mulberry32. Sufficient for ids of tests, which only have to differ.
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
 * Returns a generator of block keys for code without services. All keys derive from one generated key and differ from
 * those of other documents.
 */
export const keysFrom = (seed: string): (() => string) => {
  let count = ""
  const rest = seed.slice(countLength)
  return () => (count = count === "" ? "1".repeat(countLength) : successorOf(count)) + rest
}
