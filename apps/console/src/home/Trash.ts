/**
 * Spaces that were deleted in this browser, newest first. The server keeps a deleted space for 7 days, until which it can
 * be restored. Limit: 50.
 */
interface TrashEntry {
  readonly organization: string
  readonly space: string
  readonly title: string
  readonly at: number
}

const storageKey = "lectern-trash"
const maxEntries = 50
const retention = 7 * 24 * 60 * 60 * 1000

const listeners = new Set<() => void>()

const isEntry = (value: unknown): value is TrashEntry =>
  typeof value === "object" &&
  value !== null &&
  (["organization", "space", "title"] as const).every((name) => typeof (value as TrashEntry)[name] === "string") &&
  typeof (value as TrashEntry).at === "number"

const read = (): ReadonlyArray<TrashEntry> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]")
    return Array.isArray(stored) ? stored.filter(isEntry).filter(({ at }) => Date.now() - at < retention) : []
  } catch {
    return []
  }
}

let entries = read()

const write = (next: ReadonlyArray<TrashEntry>): void => {
  entries = next.slice(0, maxEntries)
  localStorage.setItem(storageKey, JSON.stringify(entries))
  for (const listener of listeners) listener()
}

export const trash = (): ReadonlyArray<TrashEntry> => entries

export const onTrash = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const addToTrash = (entry: Omit<TrashEntry, "at">): void => write([{ ...entry, at: Date.now() }, ...entries])

export const removeFromTrash = (space: string): void => write(entries.filter((entry) => entry.space !== space))
