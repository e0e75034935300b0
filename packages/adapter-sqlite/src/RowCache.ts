/**
 * The rows that were read or written last, found by their keys, so that to ask for one again takes
 * no statement. That there is no such row is kept as well.
 *
 * `kept` holds what is committed. What the open group of transactions has written stands apart until
 * its commit: inside it goes before what is kept, outside it does not exist yet. After a rollback it
 * is unknown, and read again. Whoever else has the file open can't commit while a group is open;
 * between groups `SqliteDatabase` asks whether somebody has, and then all is forgotten.
 *
 * Limits: 8 MiB of text, which take twice as much as what they say; a removal that names no key forgets all.
 */
import { LruCache } from "@lectern/core/storage/LruCache"

const limit = 8 * 1024 * 1024

/** Bytes that an entry takes beside its text, roughly. */
const entrySize = 200

export class KnownRow {
  readonly rid: number
  readonly size: number
  #doc: string | undefined
  #row: object | undefined

  /** `row`: what the text says, frozen, where that is known. */
  constructor(rid: number, doc: string, row?: object) {
    this.rid = rid
    this.size = doc.length
    this.#doc = row === undefined ? doc : undefined
    this.#row = row
  }

  /** Its text, which is not kept beside the row. */
  get doc(): string | undefined {
    return this.#doc
  }

  /** Handed out to everybody who asks, so nobody may change it. */
  get row(): object {
    this.#row ??= freeze(JSON.parse(this.#doc!) as object)
    this.#doc = undefined
    return this.#row
  }
}

/** Null: there is none. Undefined: that is not known. */
export type Known = KnownRow | null | undefined

export class RowCache {
  private kept = new LruCache<string, KnownRow | null>(limit)
  private readonly written = new Map<string, Known>()
  /** Something was removed in the open group, and nobody knows what. */
  private removed = false

  get(inside: boolean, key: string): Known {
    if (!inside) return this.kept.get(key)
    if (this.written.has(key)) return this.written.get(key)
    return this.removed ? undefined : this.kept.get(key)
  }

  /** Keeps a row that was just read. */
  keep(inside: boolean, key: string, known: KnownRow | null) {
    if (inside && (this.removed || this.written.has(key))) this.written.set(key, known)
    else this.store(key, known)
  }

  /** Keeps a row that the open group of transactions has just written. */
  write(key: string, known: Known) {
    this.written.set(key, known)
  }

  /** The open group has changed rows that it can't name. */
  forget() {
    this.removed = true
    this.doubt()
  }

  /** A part of the open group was undone: what was written is no longer known. */
  doubt() {
    for (const key of this.written.keys()) this.written.set(key, undefined)
  }

  commit() {
    if (this.removed) this.clear()
    for (const [key, known] of this.written) {
      if (known === undefined) this.kept.delete(key)
      else this.store(key, known)
    }
    this.rollback()
  }

  rollback() {
    this.written.clear()
    this.removed = false
  }

  /** Somebody else has committed. */
  clear() {
    this.kept = new LruCache(limit)
  }

  private store(key: string, known: KnownRow | null) {
    this.kept.set(key, known, entrySize + key.length + (known?.size ?? 0))
  }
}

const freeze = <A extends object>(value: A): A => {
  for (const member of Object.values(value)) if (typeof member === "object" && member !== null) freeze(member)
  return Object.freeze(value)
}
