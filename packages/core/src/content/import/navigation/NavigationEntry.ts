/** An entry of the navigation that another program reads from a file of its own. */
export interface NavigationEntry {
  readonly title?: string | undefined
  /** The page, as a path in the folder, with its ending or without. */
  readonly path?: string | undefined
  /** A web address. */
  readonly url?: string | undefined
  readonly children: ReadonlyArray<NavigationEntry>
}

/** Entries below entries; deeper ones are left out. */
export const maxDepth = 32
/** Entries of one navigation. */
export const maxEntries = 50_000

type Fields = { readonly [name: string]: unknown }

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== ""
    ? value.trim()
    : typeof value === "number"
      ? String(value)
      : undefined

export const isWebAddress = (value: string): boolean => /^(?:https?:|mailto:|\/\/)/i.test(value)

/** A page or a link by what an entry names. */
export const target = (value: string | undefined): Pick<NavigationEntry, "path" | "url"> =>
  value === undefined ? {} : isWebAddress(value) ? { url: value } : { path: value.replace(/[?#].*$/s, "") }
