/** Pages that the reader opened last in this browser, newest first. Limit: 8. */
export interface Recent {
  readonly space: string
  readonly page: string
  readonly title: string
  readonly emoji?: string | undefined
  readonly spaceTitle: string
  readonly at: number
}

const storageKey = "lectern-recent"
const maxRecents = 8

const isRecent = (value: unknown): value is Recent =>
  typeof value === "object" &&
  value !== null &&
  (["space", "page", "title", "spaceTitle"] as const).every((name) => typeof (value as Recent)[name] === "string")

export const recents = (): ReadonlyArray<Recent> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]")
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, maxRecents) : []
  } catch {
    return []
  }
}

export const addRecent = (recent: Omit<Recent, "at">): void => {
  const others = recents().filter(({ page, space }) => page !== recent.page || space !== recent.space)
  localStorage.setItem(storageKey, JSON.stringify([{ ...recent, at: Date.now() }, ...others].slice(0, maxRecents)))
}
