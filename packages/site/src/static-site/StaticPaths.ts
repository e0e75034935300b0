/**
 * Paths of the files of a static site. Each file has a path of its own on every file system: no two paths differ only
 * in case or Unicode normalization, and no file has the path of a folder.
 */

/** Names of devices on Windows, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** True if no file or folder on Windows has such a name. */
const isOddOnWindows = (name: string): boolean => /[<>:"|?*]|[. ]$/.test(name) || deviceName.test(name)

/** True if the path can't be copied to Windows. */
export const isUnportable = (path: string): boolean => path.split("/").some(isOddOnWindows)

// oxlint-disable-next-line no-control-regex
const unsafeName = /[/\\\0-\x1f\x7f]/

/** Maximum bytes of a name in a path on common file systems. */
const maxNameBytes = 255

const isSafeName = (name: string): boolean =>
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  !unsafeName.test(name) &&
  name.isWellFormed() &&
  new TextEncoder().encode(name).length <= maxNameBytes

/**
 * Returns the decoded path of the file for a URL path below the site. A URL that ends with a slash, or is empty, is the
 * file `index.html` in its folder. Undefined if the URL can't be a file in the folder of the site.
 */
export const fileOf = (urlPath: string): string | undefined => {
  const segments = (urlPath === "" || urlPath.endsWith("/") ? `${urlPath}index.html` : urlPath).split("/")
  try {
    const names = segments.map(decodeURIComponent)
    return names.every(isSafeName) ? names.join("/") : undefined
  } catch {
    return undefined
  }
}

const foldCase = (path: string): string => path.normalize("NFKC").toLowerCase()

/** Paths of files, each of which was claimed once. */
export class StaticPaths {
  readonly #files = new Set<string>()
  readonly #folders = new Set<string>()

  /** Claims a path. Returns false if another file or folder has the path, or an ancestor of the path is a file. */
  claim(path: string): boolean {
    const names = foldCase(path).split("/")
    const file = names.join("/")
    const folders = names.slice(0, -1).map((_, i) => names.slice(0, i + 1).join("/"))
    if (this.#files.has(file) || this.#folders.has(file) || folders.some((folder) => this.#files.has(folder)))
      return false
    this.#files.add(file)
    for (const folder of folders) this.#folders.add(folder)
    return true
  }
}
