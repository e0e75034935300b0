/**
 * Maps that can be set back. All maps of a store share one journal of what each change replaced:
 * a savepoint is a place in it, and rolling back undoes from its end to that place. Beyond a commit
 * a checkpoint goes on: it holds what each key had when the checkpoint was taken.
 */

const absent = Symbol("absent")

interface Change {
  readonly map: Map<string, unknown>
  readonly key: string
  readonly before: unknown
}

const undo = (map: Map<string, unknown>, change: Change) => {
  if (change.before === absent) map.delete(change.key)
  else map.set(change.key, change.before)
}

/** For each map the keys that were changed since, with what they had. */
class Checkpoint {
  readonly before = new Map<Map<string, unknown>, Map<string, unknown>>()
  isOutdated = false

  note({ map, key, before }: Change) {
    const known = this.before.get(map) ?? new Map<string, unknown>()
    this.before.set(map, known)
    if (!known.has(key)) known.set(key, before)
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
    this.changes.push({ map, key, before: map.has(key) ? map.get(key) : absent })
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

  /** Begins with what is committed now. */
  checkpoint(): Checkpoint {
    const checkpoint = new Checkpoint()
    this.checkpoints.push(checkpoint)
    return checkpoint
  }

  /** Puts back what every key had at a checkpoint, as changes that are to be committed. */
  putBack(checkpoint: Checkpoint) {
    if (checkpoint.isOutdated) throw new Error("A table was described anew since the checkpoint was taken")
    for (const [map, keys] of checkpoint.before) {
      for (const [key, before] of keys) {
        this.record(map, key)
        undo(map, { map, key, before })
      }
    }
  }

  /** Maps were made anew, so no checkpoint can find them. */
  outdate() {
    for (const checkpoint of this.checkpoints) checkpoint.isOutdated = true
  }

  /** The map as it was committed. */
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

  /** Puts in what is committed already. */
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

  /** The map as a transaction sees it from `inside`, or as everybody else does: what is committed. */
  view(inside: boolean): ReadonlyMap<string, V> {
    return inside ? this.current : this.journal.committed(this.current)
  }
}
