/**
 * Cache of recently read and written rows by key. Missing rows are cached, too.
 *
 * `committed` holds committed rows. Writes of the open group of transactions are `pending` until its commit: reads
 * inside see them first, reads outside never. After a rollback they are unknown and read again. Other processes cannot
 * commit while a group is open. Between groups, `Connections` detects their commits, which clear the cache.
 *
 * Limits: 8 MiB of text, which take about twice that in memory. A removal without a key clears the cache.
 */
import { LruCache } from "@lectern/core/storage/LruCache"

const limit = 8 * 1024 * 1024

/** Approximate overhead of an entry (bytes). */
const entrySize = 200

export class CachedRow {
  readonly rid: number
  readonly size: number
  #doc: string | undefined
  #row: object | undefined

  /** `row`: the parsed text, frozen, if available. */
  constructor(rid: number, doc: string, row?: object) {
    this.rid = rid
    this.size = doc.length
    this.#doc = row === undefined ? doc : undefined
    this.#row = row
  }

  /** Text of the row. Undefined once the row was parsed. */
  get doc(): string | undefined {
    return this.#doc
  }

  /** The parsed row. Shared by all callers, so it is frozen. */
  get row(): object {
    this.#row ??= freeze(JSON.parse(this.#doc!) as object)
    this.#doc = undefined
    return this.#row
  }
}

/** Null: the row does not exist. Undefined: not cached. */
export type CacheLookup = CachedRow | null | undefined

export class RowCache {
  private committed = new LruCache<string, CachedRow | null>(limit)
  private readonly pending = new Map<string, CacheLookup>()
  /** True if the open group changed rows that are not known by key. */
  private isInvalidated = false

  get(isInTransaction: boolean, key: string): CacheLookup {
    if (!isInTransaction) return this.committed.get(key)
    if (this.pending.has(key)) return this.pending.get(key)
    return this.isInvalidated ? undefined : this.committed.get(key)
  }

  /** Caches a row that was read. */
  set(isInTransaction: boolean, key: string, entry: CachedRow | null) {
    if (isInTransaction && (this.isInvalidated || this.pending.has(key))) this.pending.set(key, entry)
    else this.store(key, entry)
  }

  /** Records a row that the open group wrote. */
  setPending(key: string, entry: CacheLookup) {
    this.pending.set(key, entry)
  }

  /** Invalidates all rows. For writes of the open group that name no key. */
  invalidateAll() {
    this.isInvalidated = true
    this.invalidatePending()
  }

  /** Invalidates the pending rows after a rollback to a savepoint. */
  invalidatePending() {
    for (const key of this.pending.keys()) this.pending.set(key, undefined)
  }

  commit() {
    if (this.isInvalidated) this.clear()
    for (const [key, entry] of this.pending) {
      if (entry === undefined) this.committed.delete(key)
      else this.store(key, entry)
    }
    this.rollback()
  }

  rollback() {
    this.pending.clear()
    this.isInvalidated = false
  }

  /** Clears the cache after a commit of another process. */
  clear() {
    this.committed = new LruCache(limit)
  }

  private store(key: string, entry: CachedRow | null) {
    this.committed.set(key, entry, entrySize + key.length + (entry?.size ?? 0))
  }
}

const freeze = <A extends object>(value: A): A => {
  for (const member of Object.values(value)) if (typeof member === "object" && member !== null) freeze(member)
  return Object.freeze(value)
}
