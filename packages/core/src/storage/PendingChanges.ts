/**
 * Changes that apply when the transaction that made them commits. For parts of a store without rollback of their own.
 * The engine (see `TransactionQueue`) reports its savepoints.
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

  /** Removes and returns all pending changes, in order. Called at commit. */
  take(): ReadonlyArray<A> {
    const takenChanges = this.changes
    this.changes = []
    return takenChanges
  }
}
