/**
 * Original locations of the files of a folder. Links between pages at their original location lead to the same files of
 * the folder.
 */
export class Origins {
  readonly #bases: ReadonlyMap<string, string>
  readonly #paths: ReadonlyMap<string, string>
  readonly #keyOf: (url: string) => string

  /** `bases`: URL of each file by its path. `paths`: paths of the files by the keys of their URLs. */
  constructor(
    bases: ReadonlyMap<string, string>,
    paths: ReadonlyMap<string, string>,
    keyOf: (url: string) => string = withoutFragment
  ) {
    this.#bases = bases
    this.#paths = paths
    this.#keyOf = keyOf
  }

  /**
   * Returns the path in the folder that a URL in a file leads to. Otherwise returns the URL in absolute form. Undefined
   * if the URL cannot be resolved.
   */
  resolve(url: string, from: string): { readonly path: string } | { readonly url: string } | undefined {
    const base = this.#bases.get(from)
    const absolute = URL.canParse(url) ? url : base && URL.canParse(url, base) ? new URL(url, base).href : undefined
    if (absolute === undefined) return undefined
    const path = this.#paths.get(this.#keyOf(absolute))
    if (path !== undefined) return { path }
    // A URL below `archive:/` is invalid outside of the archive, so it is returned as written, or as a path from the
    // root of the archive.
    if (absolute.startsWith(archive)) return { url: url.startsWith(archive) ? absolute.slice(archive.length - 1) : url }
    return { url: absolute }
  }
}

/** URL of the root of an archive. */
export const archive = "archive:/"

export const archiveUrl = (path: string): string => archive + path.split("/").map(encodeURIComponent).join("/")

export const withoutFragment = (url: string): string => {
  const hash = url.indexOf("#")
  return hash === -1 ? url : url.slice(0, hash)
}
