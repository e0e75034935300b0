/**
 * Commits by which rows and kinds of rows were last written, for `Storage.changedSince`: each adapter tells one
 * of these of every row that it writes, and of every commit.
 *
 * What is undone may be told as written: to look again costs little. Nothing is noted before somebody asks, and of a
 * table that nobody keeps anything of only that it was written: most of what is written are events, jobs and records.
 *
 * Limit: 50,000 names; then everything counts as written.
 */
import { isKey, kindName, type Reads, rowNameOf } from "./Reads.ts"
import type { Table } from "./Table.ts"

const maxNames = 50_000

export class WrittenRows {
  #isAsked = false
  /** Tables that something is kept of. */
  readonly #keptOf = new Set<string>()
  /** Everything may have been written until this commit. */
  #all = 0
  /** The commit that wrote what has the name last. */
  readonly #last = new Map<string, number>()
  /** The commit that wrote rows of a table last which nobody could name. */
  readonly #unnamed = new Map<string, number>()
  readonly #open = new Set<string>()
  readonly #openTables = new Set<string>()
  #isAllOpen = false

  /** Somebody notes reads of a table: its rows are told apart from now on. */
  noted(table: Table): void {
    this.#keptOf.add(table.name)
  }

  /** False as long as nobody wants to know which rows of a table are written. */
  tellsApart(table: Table): boolean {
    return this.#isAsked && this.#keptOf.has(table.name)
  }

  /** How a row was, undefined for one that is new, and how it is, undefined for one that is gone. */
  wrote(table: Table, before: object | undefined, after: object | undefined): void {
    if (!this.tellsApart(table)) return this.wroteSome(table)
    this.#open.add(table.name)
    const row = after ?? before
    if (row === undefined) return
    this.#open.add(rowNameOf(table, row as Readonly<Record<string, unknown>>))
    for (const [field, read] of table.fields) {
      if (isKey(table, field)) continue
      const was = before && read(before)
      const is = after && read(after)
      if (typeof was === "string") this.#open.add(kindName(table, field, was))
      if (typeof is === "string" && is !== was) this.#open.add(kindName(table, field, is))
    }
    for (const [field, read] of table.lists) {
      for (const row of [before, after]) {
        for (const value of row === undefined ? [] : read(row)) this.#open.add(kindName(table, field, value))
      }
    }
  }

  /** Rows of the table, nobody knows which. */
  wroteSome(table: Table): void {
    if (this.#isAsked) this.#openTables.add(table.name)
  }

  /** Anything. */
  wroteAll(): void {
    this.#isAllOpen = true
  }

  rollback(): void {
    this.#open.clear()
    this.#openTables.clear()
    this.#isAllOpen = false
  }

  /** Commits what was written as this new generation. */
  commit(generation: number): void {
    if (!this.#isAsked || this.#isAllOpen || this.#last.size + this.#open.size > maxNames) this.byOthers(generation)
    else {
      for (const name of this.#open) this.#last.set(name, generation)
      for (const name of this.#openTables) this.#unnamed.set(name, generation)
    }
    this.rollback()
  }

  /** Somebody else has committed, and nobody knows what. */
  byOthers(generation: number): void {
    this.#all = generation
    this.#last.clear()
    this.#unnamed.clear()
  }

  /** Tells whether anything that was read was written by a commit after that generation. */
  since(reads: Reads, generation: number): boolean {
    if (!this.#isAsked) {
      this.#isAsked = true
      // A transaction may be open that has written before.
      this.#isAllOpen = true
    }
    if (reads.isEverything || generation < this.#all) return true
    for (const table of reads.tables) {
      if ((this.#unnamed.get(table) ?? 0) <= generation) continue
      this.#keptOf.add(table)
      return true
    }
    for (const thing of reads.things) if ((this.#last.get(thing) ?? 0) > generation) return true
    return false
  }
}
