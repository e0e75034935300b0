/**
 * Parts of the search index of a static site, as bytes: words in the order of their UTF-16 code units, each with the
 * pages that have the word, by level (see `SearchIndex`). A browser loads only the parts of the words in a query.
 *
 * A word is stored as `prefix length, suffix length, suffix, levels, lists`. Lengths are varints, in bytes of UTF-8.
 * `prefix length`: bytes in common with the previous word. `levels`: one bit for each level that has a list. A list is a
 * count and the differences of ascending page numbers.
 */
import { type Entries, levelCount } from "@lectern/core/storage/SearchIndex"

export interface IndexedWord {
  readonly word: string
  readonly entries: Entries
}

/** Bytes after which a part ends. */
const shardBytes = 12 * 1024

export interface Shard {
  readonly firstWord: string
  readonly bytes: Uint8Array
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Encodes words, which are sorted. */
export const encode = (words: Iterable<IndexedWord>): ReadonlyArray<Shard> => {
  const shards: Array<Shard> = []
  let bytes: Array<number> = []
  let firstWord = ""
  let previous = new Uint8Array()
  const flush = () => {
    if (bytes.length > 0) shards.push({ firstWord, bytes: Uint8Array.from(bytes) })
    bytes = []
    previous = new Uint8Array()
  }
  for (const { word, entries } of words) {
    if (bytes.length >= shardBytes) flush()
    if (bytes.length === 0) firstWord = word
    const encoded = encoder.encode(word)
    let prefix = 0
    while (prefix < encoded.length && encoded[prefix] === previous[prefix]) prefix++
    writeVarint(bytes, prefix)
    writeVarint(bytes, encoded.length - prefix)
    for (let i = prefix; i < encoded.length; i++) bytes.push(encoded[i]!)
    let levels = 0
    for (const [level, pages] of entries.entries()) if (pages.length > 0) levels |= 1 << level
    bytes.push(levels)
    for (const pages of entries) {
      if (pages.length === 0) continue
      writeVarint(bytes, pages.length)
      let last = 0
      for (const page of pages.toSorted((a, b) => a - b)) {
        writeVarint(bytes, page - last)
        last = page
      }
    }
    previous = encoded
  }
  flush()
  return shards
}

export const decode = (bytes: Uint8Array): ReadonlyArray<IndexedWord> => {
  const words: Array<IndexedWord> = []
  let offset = 0
  const readVarint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[offset++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  let encoded = new Uint8Array()
  while (offset < bytes.length) {
    const prefix = readVarint()
    const length = readVarint()
    const next = new Uint8Array(prefix + length)
    next.set(encoded.subarray(0, prefix))
    next.set(bytes.subarray(offset, offset + length), prefix)
    encoded = next
    offset += length
    const levels = bytes[offset++]!
    const entries = Array.from({ length: levelCount }, (_, level) => {
      const pages: Array<number> = []
      if ((levels & (1 << level)) === 0) return pages
      let page = 0
      for (let count = readVarint(); count > 0; count--) pages.push((page += readVarint()))
      return pages
    })
    words.push({ word: decoder.decode(encoded), entries })
  }
  return words
}

const writeVarint = (bytes: Array<number>, value: number): void => {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  bytes.push(rest)
}
