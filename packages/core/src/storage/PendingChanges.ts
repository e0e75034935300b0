/**
 * Changes that wait for the commit of the transactions they were made in, for the parts of a store
 * that change by commits alone. An engine (see `TransactionQueue`) tells it of its savepoints.
 */
export class PendingChanges<A> {
  private changes: Array<A> = []
  private readonly savepoints: Array<number> = []

  add(change: A) {
    this.changes.push(change)
  }

  savepoint(depth: number) {
    this.savepoints[depth] = this.changes.length
  }

  rollbackTo(depth: number) {
    this.changes.length = Math.min(this.changes.length, this.savepoints[depth] ?? 0)
  }

  rollback() {
    this.changes = []
  }

  /** Those that are committed now, in their order. */
  take(): ReadonlyArray<A> {
    const taken = this.changes
    this.changes = []
    return taken
  }
}
