/**
 * Records which commit last wrote each row, for `Storage.changedSince`. An adapter reports every written row and every
 * commit.
 *
 * A rolled-back write may count as written: a needless cache miss is cheap. Recording starts with the first call of
 * `changedSince`. Rows are recorded only for tables that a cache depends on, since most writes are events, jobs and
 * records. For other tables only the table is recorded.
 *
 * Limit: 50,000 tags. Above, everything counts as written.
 */
import { isWholeKey, fieldTag, type Reads, rowTagOf } from "./Reads.ts"
import type { Table } from "./Table.ts"

const maxTags = 50_000

/**
 * Adds the tags of a written row: every read whose result the write may change has one of them (see `Reads`). `before` is
 * undefined if the row was inserted, `after` if it was removed.
 */
export const addWrittenTags = (
  tags: Set<string>,
  table: Table,
  before: object | undefined,
  after: object | undefined
): void => {
  tags.add(table.name)
  const row = after ?? before
  if (row === undefined) return
  tags.add(rowTagOf(table, row as Readonly<Record<string, unknown>>))
  for (const [field, getValue] of table.fields) {
    if (isWholeKey(table, field)) continue
    const oldValue = before && getValue(before)
    const newValue = after && getValue(after)
    if (typeof oldValue === "string") tags.add(fieldTag(table, field, oldValue))
    if (typeof newValue === "string" && newValue !== oldValue) tags.add(fieldTag(table, field, newValue))
  }
  for (const [field, getValues] of table.lists) {
    for (const row of [before, after]) {
      for (const value of row === undefined ? [] : getValues(row)) tags.add(fieldTag(table, field, value))
    }
  }
}

export class WrittenRows {
  #isEnabled = false
  /** Tables that a cache depends on. */
  readonly #trackedTables = new Set<string>()
  /** Last commit with unknown writes. Everything counts as written until this commit. */
  #everythingWrittenAt = 0
  /** Last commit that wrote each tag. */
  readonly #lastByTag = new Map<string, number>()
  /** Last commit that wrote rows of a table without naming them. */
  readonly #lastByTable = new Map<string, number>()
  readonly #pendingTags = new Set<string>()
  readonly #pendingTables = new Set<string>()
  #isEverythingPending = false
  /** True if the open transaction may have written before recording started. */
  #isPendingPartial = false

  /** Starts recording the rows of a table. */
  trackTable(table: Table): void {
    this.#trackedTables.add(table.name)
  }

  /** True if rows of the table are recorded individually. */
  tracksRows(table: Table): boolean {
    return this.#isEnabled && this.#trackedTables.has(table.name)
  }

  /** Records a written row: its values before (undefined if inserted) and after (undefined if removed). */
  addRow(table: Table, before: object | undefined, after: object | undefined): void {
    if (this.tracksRows(table)) addWrittenTags(this.#pendingTags, table, before, after)
    else this.addTable(table)
  }

  /** Records a write of unknown rows of the table. */
  addTable(table: Table): void {
    if (this.#isEnabled) this.#pendingTables.add(table.name)
  }

  /** Records a write of unknown tables. */
  addEverything(): void {
    this.#isEverythingPending = true
  }

  rollback(): void {
    this.#pendingTags.clear()
    this.#pendingTables.clear()
    this.#isEverythingPending = false
    this.#isPendingPartial = false
  }

  /** Assigns the pending writes to the generation of their commit. */
  commit(generation: number): void {
    if (
      !this.#isEnabled ||
      this.#isEverythingPending ||
      this.#isPendingPartial ||
      this.#lastByTag.size + this.#pendingTags.size > maxTags
    )
      this.invalidateAll(generation)
    else {
      for (const name of this.#pendingTags) this.#lastByTag.set(name, generation)
      for (const name of this.#pendingTables) this.#lastByTable.set(name, generation)
    }
    this.rollback()
  }

  /** Records a commit of another process with its written tags (see `addWrittenTags`). */
  commitOfOther(generation: number, tags: ReadonlyArray<string>): void {
    if (!this.#isEnabled || this.#lastByTag.size + tags.length > maxTags) return this.invalidateAll(generation)
    for (const tag of tags) this.#lastByTag.set(tag, generation)
  }

  /** Records a commit of another process, whose writes are unknown. */
  invalidateAll(generation: number): void {
    this.#everythingWrittenAt = generation
    this.#lastByTag.clear()
    this.#lastByTable.clear()
  }

  /** True if a commit after `generation`, or an open transaction, wrote one of the reads. */
  changedSince(reads: Reads, generation: number): boolean {
    if (!this.#isEnabled) {
      this.#isEnabled = true
      this.#isPendingPartial = true
    }
    if (reads.isEverything || generation < this.#everythingWrittenAt) return true
    for (const table of reads.tables) {
      if ((this.#lastByTable.get(table) ?? 0) <= generation) continue
      this.#trackedTables.add(table)
      return true
    }
    for (const tag of reads.tags) if ((this.#lastByTag.get(tag) ?? 0) > generation) return true
    return this.#isPending(reads)
  }

  /** True if an open transaction wrote one of the reads. */
  #isPending(reads: Reads): boolean {
    if (this.#isEverythingPending) return true
    if (this.#pendingTables.size > 0) for (const table of reads.tables) if (this.#pendingTables.has(table)) return true
    if (this.#pendingTags.size > 0) for (const tag of reads.tags) if (this.#pendingTags.has(tag)) return true
    return false
  }
}
