/** An entry of another program's navigation file. */
export interface NavigationEntry {
  readonly title?: string | undefined
  /** Path of the page in the folder, with or without its extension. */
  readonly path?: string | undefined
  /** External URL. */
  readonly url?: string | undefined
  /**
   * Folder whose remaining pages are listed here, in the order of the files. With a title, they are below the page of the
   * folder, or below a group.
   */
  readonly folder?: string | undefined
  readonly children: ReadonlyArray<NavigationEntry>
}

/** Maximum depth of entries; deeper entries are left out. */
export const maxDepth = 32
/** Maximum number of entries of one navigation. */
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

/** Returns the page or the link that the value of an entry names. */
export const target = (value: string | undefined): Pick<NavigationEntry, "path" | "url"> =>
  value === undefined ? {} : isWebAddress(value) ? { url: value } : { path: value.replace(/[?#].*$/s, "") }
