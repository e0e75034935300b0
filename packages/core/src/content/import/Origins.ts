/**
 * Origins of the files of a folder, so that links by which their pages named one another there lead to the
 * same files here.
 */
export class Origins {
  readonly #bases: ReadonlyMap<string, string>
  readonly #paths: ReadonlyMap<string, string>
  readonly #keyOf: (url: string) => string

  /** `bases`: the URL of each file; `paths`: the files by the keys of their URLs. */
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
   * The path of the folder that a URL in a file leads to, or else the URL in a form that means the same from
   * anywhere.
   */
  resolve(url: string, from: string): { readonly path: string } | { readonly url: string } | undefined {
    const base = this.#bases.get(from)
    const absolute = URL.canParse(url) ? url : base && URL.canParse(url, base) ? new URL(url, base).href : undefined
    if (absolute === undefined) return undefined
    const path = this.#paths.get(this.#keyOf(absolute))
    if (path !== undefined) return { path }
    // What stood in an archive stands nowhere else.
    if (absolute.startsWith(archive)) return { url: url.startsWith(archive) ? absolute.slice(archive.length - 1) : url }
    return { url: absolute }
  }
}

/** The root of an archive, as a URL. */
export const archive = "archive:/"

export const archiveUrl = (path: string): string => archive + path.split("/").map(encodeURIComponent).join("/")

export const withoutFragment = (url: string): string => {
  const hash = url.indexOf("#")
  return hash === -1 ? url : url.slice(0, hash)
}
