/**
 * Maps with rollback. All maps of a store share one journal of replaced values. A savepoint is a position in the
 * journal, and a rollback undoes changes back to it. A checkpoint lasts beyond commits: it holds the value of each
 * changed key at the time of the checkpoint.
 */

const absentValue = Symbol("absent")

interface Change {
  readonly map: Map<string, unknown>
  readonly key: string
  readonly before: unknown
}

const undo = (map: Map<string, unknown>, change: Change) => {
  if (change.before === absentValue) map.delete(change.key)
  else map.set(change.key, change.before)
}

/** Values at the time of the checkpoint, by map, for keys that were changed since. */
class Checkpoint {
  readonly before = new Map<Map<string, unknown>, Map<string, unknown>>()
  isOutdated = false

  note({ map, key, before }: Change) {
    const valuesBefore = this.before.get(map) ?? new Map<string, unknown>()
    this.before.set(map, valuesBefore)
    if (!valuesBefore.has(key)) valuesBefore.set(key, before)
  }
}

export type { Checkpoint }

export class Journal {
  private readonly changes: Array<Change> = []
  private readonly checkpoints: Array<Checkpoint> = []

  get length(): number {
    return this.changes.length
  }

  record(map: Map<string, unknown>, key: string) {
    this.changes.push({ map, key, before: map.has(key) ? map.get(key) : absentValue })
  }

  /** Returns the current values of all keys with uncommitted changes, as JSON, sorted. */
  uncommitted(): string {
    const values = new Map<Map<string, unknown>, Map<string, unknown>>()
    for (const { map, key } of this.changes) {
      const changed = values.get(map) ?? new Map<string, unknown>()
      values.set(map, changed.set(key, map.get(key)))
    }
    return [...values.values()]
      .map((changed) => JSON.stringify([...changed].sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort()
      .join("\n")
  }

  rollbackTo(length: number) {
    while (this.changes.length > length) {
      const change = this.changes.pop()!
      undo(change.map, change)
    }
  }

  commit() {
    for (const checkpoint of this.checkpoints) for (const change of this.changes) checkpoint.note(change)
    this.changes.length = 0
  }

  /** Creates a checkpoint of the committed state. */
  checkpoint(): Checkpoint {
    const checkpoint = new Checkpoint()
    this.checkpoints.push(checkpoint)
    return checkpoint
  }

  /** Restores all values of a checkpoint, as uncommitted changes. */
  rollBack(checkpoint: Checkpoint) {
    if (checkpoint.isOutdated) throw new Error("A table was described anew since the checkpoint was taken")
    for (const [map, keys] of checkpoint.before) {
      for (const [key, before] of keys) {
        this.record(map, key)
        undo(map, { map, key, before })
      }
    }
  }

  /** Invalidates all checkpoints, after maps were replaced. */
  outdate() {
    for (const checkpoint of this.checkpoints) checkpoint.isOutdated = true
  }

  /** Returns the committed state of a map. */
  committed<V>(map: Map<string, V>): ReadonlyMap<string, V> {
    const changes = this.changes.filter((change) => change.map === map)
    if (changes.length === 0) return map
    const copy = new Map<string, V>(map)
    for (const change of changes.reverse()) undo(copy, change)
    return copy
  }
}

export class JournaledMap<V> {
  private readonly journal: Journal
  private readonly current = new Map<string, V>()

  constructor(journal: Journal) {
    this.journal = journal
  }

  /** Sets a value that is already committed, without a journal entry. */
  load(key: string, value: V) {
    this.current.set(key, value)
  }

  set(key: string, value: V) {
    this.journal.record(this.current, key)
    this.current.set(key, value)
  }

  delete(key: string) {
    if (!this.current.has(key)) return
    this.journal.record(this.current, key)
    this.current.delete(key)
  }

  /** Returns the map as seen inside a transaction, or the committed map. */
  view(isInTransaction: boolean): ReadonlyMap<string, V> {
    return isInTransaction ? this.current : this.journal.committed(this.current)
  }
}
