/**
 * Commits by which rows and kinds of rows were last written, for `Storage.changedSince`: each adapter tells one
 * of these of every row that it writes, and of every commit.
 *
 * What is undone may be told as written: to look again costs little. Nothing is noted before somebody asks, and of a
 * table that nobody keeps anything of only that it was written: most of what is written are events, jobs and records.
 *
 * Limit: 50,000 names; then everything counts as written.
 */
import { isWholeKey, fieldTag, type Reads, rowTagOf } from "./Reads.ts"
import type { Table } from "./Table.ts"

const maxTags = 50_000

export class WrittenRows {
  #isEnabled = false
  /** Tables that something is kept of. */
  readonly #trackedTables = new Set<string>()
  /** Everything may have been written until this commit. */
  #everythingWrittenAt = 0
  /** The commit that wrote what has the name last. */
  readonly #lastByTag = new Map<string, number>()
  /** The commit that wrote rows of a table last which nobody could name. */
  readonly #lastByTable = new Map<string, number>()
  readonly #pendingTags = new Set<string>()
  readonly #pendingTables = new Set<string>()
  #isEverythingPending = false

  /** Somebody notes reads of a table: its rows are told apart from now on. */
  trackTable(table: Table): void {
    this.#trackedTables.add(table.name)
  }

  /** False as long as nobody wants to know which rows of a table are written. */
  tracksRows(table: Table): boolean {
    return this.#isEnabled && this.#trackedTables.has(table.name)
  }

  /** How a row was, undefined for one that is new, and how it is, undefined for one that is gone. */
  addRow(table: Table, before: object | undefined, after: object | undefined): void {
    if (!this.tracksRows(table)) return this.addTable(table)
    this.#pendingTags.add(table.name)
    const row = after ?? before
    if (row === undefined) return
    this.#pendingTags.add(rowTagOf(table, row as Readonly<Record<string, unknown>>))
    for (const [field, read] of table.fields) {
      if (isWholeKey(table, field)) continue
      const was = before && read(before)
      const is = after && read(after)
      if (typeof was === "string") this.#pendingTags.add(fieldTag(table, field, was))
      if (typeof is === "string" && is !== was) this.#pendingTags.add(fieldTag(table, field, is))
    }
    for (const [field, read] of table.lists) {
      for (const row of [before, after]) {
        for (const value of row === undefined ? [] : read(row)) this.#pendingTags.add(fieldTag(table, field, value))
      }
    }
  }

  /** Rows of the table, nobody knows which. */
  addTable(table: Table): void {
    if (this.#isEnabled) this.#pendingTables.add(table.name)
  }

  /** Anything. */
  addEverything(): void {
    this.#isEverythingPending = true
  }

  rollback(): void {
    this.#pendingTags.clear()
    this.#pendingTables.clear()
    this.#isEverythingPending = false
  }

  /** Commits what was written as this new generation. */
  commit(generation: number): void {
    if (!this.#isEnabled || this.#isEverythingPending || this.#lastByTag.size + this.#pendingTags.size > maxTags)
      this.invalidateAll(generation)
    else {
      for (const name of this.#pendingTags) this.#lastByTag.set(name, generation)
      for (const name of this.#pendingTables) this.#lastByTable.set(name, generation)
    }
    this.rollback()
  }

  /** Somebody else has committed, and nobody knows what. */
  invalidateAll(generation: number): void {
    this.#everythingWrittenAt = generation
    this.#lastByTag.clear()
    this.#lastByTable.clear()
  }

  /** Tells whether anything that was read was written by a commit after that generation. */
  changedSince(reads: Reads, generation: number): boolean {
    if (!this.#isEnabled) {
      this.#isEnabled = true
      // A transaction may be open that has written before.
      this.#isEverythingPending = true
    }
    if (reads.isEverything || generation < this.#everythingWrittenAt) return true
    for (const table of reads.tables) {
      if ((this.#lastByTable.get(table) ?? 0) <= generation) continue
      this.#trackedTables.add(table)
      return true
    }
    for (const thing of reads.tags) if ((this.#lastByTag.get(thing) ?? 0) > generation) return true
    return false
  }
}
