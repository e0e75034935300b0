/**
 * One open database: its connections, its durable transactions, the state that its tables share, and the engine of the
 * transaction queue.
 */
import { PendingChanges } from "@lectern/core/storage/PendingChanges"
import type { SynchronousEngine } from "@lectern/core/storage/TransactionEngine"
import { WrittenRows } from "@lectern/core/storage/WrittenRows"
import { Latch } from "effect"
import { type ConnectionOptions, Connections } from "../connections/Connections.ts"
import { type DurabilityOptions, DurableTransactions } from "../durability/DurableTransactions.ts"
import { RowCache } from "./RowCache.ts"
import { applySearchChanges, type SpaceChanges } from "./SqliteSearchIndex.ts"
import { TableLayouts } from "./TableLayout.ts"

export interface Options extends ConnectionOptions, DurabilityOptions {}

export class SqliteDatabase {
  readonly connections: Connections
  readonly transactions: DurableTransactions
  readonly layouts: TableLayouts
  readonly searchChanges = new PendingChanges<SpaceChanges>()
  /** Open if a commit has changed the search index. Open at first, since earlier changes are unknown. */
  readonly searchChanged = Latch.makeUnsafe(true)
  readonly rows = new RowCache()
  readonly writtenRows = new WrittenRows()

  /** Opens a database. Throws errors that `failureOf` converts. */
  constructor(options: Options) {
    const connections = (this.connections = Connections.open(options))
    try {
      this.transactions = new DurableTransactions(connections, options)
    } catch (thrown) {
      connections.close()
      throw thrown
    }
    this.layouts = new TableLayouts(connections.reader, connections.writer, this.rows)
    connections.onForeignCommit = () => {
      this.rows.clear()
      this.writtenRows.invalidateAll(connections.commitCount)
    }
  }

  close(): Promise<void> {
    return this.transactions.close()
  }

  get engine(): SynchronousEngine {
    const { connections, transactions, layouts, searchChanges, rows, writtenRows } = this
    const { writer } = connections
    return {
      generation: () => {
        connections.refresh()
        return connections.commitCount
      },
      begin: () => transactions.begin(),
      savepoint: (depth) => {
        transactions.check()
        writer.run(`SAVEPOINT s${depth}`)
        searchChanges.savepoint(depth)
      },
      release: (depth) => {
        transactions.check()
        writer.run(`RELEASE s${depth}`)
      },
      rollbackTo: (depth) => {
        transactions.check()
        writer.run(`ROLLBACK TO s${depth}`)
        writer.run(`RELEASE s${depth}`)
        searchChanges.rollbackTo(depth)
        layouts.onRollback()
        rows.invalidatePending()
      },
      check: () => transactions.check(),
      commit: (count) => {
        const search = searchChanges.take()
        applySearchChanges(writer, search)
        transactions.commit(count)
        if (search.length > 0) this.searchChanged.openUnsafe()
        layouts.onCommit()
        rows.commit()
        writtenRows.commit(connections.commitCount)
      },
      flush: (onSynced) => transactions.flush(onSynced),
      rollback: () => {
        transactions.rollback()
        searchChanges.rollback()
        layouts.onRollback()
        rows.rollback()
        writtenRows.rollback()
      },
      failure: (thrown) => transactions.failure(thrown)
    }
  }
}
