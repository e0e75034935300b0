/**
 * Maps that can be set back. All maps of a store share one journal of what each change replaced:
 * a savepoint is a place in it, and rolling back undoes from its end to that place.
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

export class Journal {
  private readonly changes: Array<Change> = []

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
    this.changes.length = 0
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
