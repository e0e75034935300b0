/**
 * The taken paths of a folder. Two paths conflict if they differ only in case, or if one is a folder of the other.
 * Paths that `tryClaimExact` keeps may differ only in case.
 */
import * as FolderPath from "../import/FolderPath.ts"
import * as Slug from "@lectern/core/content/pages/Slug"

export class ClaimedPaths {
  readonly #files = new Set<string>()
  /** The taken paths in their original spelling. */
  readonly #exactPaths = { files: new Set<string>(), folders: new Set<string>() }
  /** First spelling of each folder, by its folded path. */
  readonly #folders = new Map<string, string>()
  /** Last suffix for each start of a name. */
  readonly #suffixes = new Map<string, number>()

  isFree(path: string): boolean {
    const folded = Slug.foldCase(path)
    if (this.#files.has(folded) || this.#folders.has(folded)) return false
    for (let at = folded.indexOf("/"); at !== -1; at = folded.indexOf("/", at + 1)) {
      if (this.#files.has(folded.slice(0, at))) return false
    }
    return true
  }

  claim(path: string): void {
    this.#files.add(Slug.foldCase(path))
    this.#exactPaths.files.add(path)
    this.#claimFolders(path)
  }

  /** Takes the path unless this exact spelling is taken. */
  tryClaimExact(path: string): boolean {
    const { files, folders } = this.#exactPaths
    if (files.has(path) || folders.has(path)) return false
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (files.has(path.slice(0, at))) return false
    }
    this.claim(path)
    return true
  }

  /**
   * Reserves a folder for files and returns its path: the first spelling of the folder, or a new name if a file has the
   * path.
   */
  folder(path: string): string {
    for (let n = 0; ; n++) {
      const candidate = n === 0 ? path : `${path}-${n}`
      if (!this.isFree(`${candidate}/.`)) continue
      this.#claimFolders(`${candidate}/`)
      return this.#folders.get(Slug.foldCase(candidate))!
    }
  }

  #claimFolders(path: string): void {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at)
      const folded = Slug.foldCase(folder)
      this.#exactPaths.folders.add(folder)
      if (!this.#folders.has(folded)) this.#folders.set(folded, folder)
    }
  }

  /** Takes the path if it is free. */
  tryClaim(path: string): boolean {
    if (!this.isFree(path)) return false
    this.claim(path)
    return true
  }

  /** Takes a path in a folder and returns it. If the name is taken, a number follows it. */
  claimIn(folder: string, name: string, extension: string): string {
    const claimedFolder = this.#folders.get(Slug.foldCase(folder)) ?? folder
    const prefix = claimedFolder === "" ? name : `${claimedFolder}/${name}`
    const key = Slug.foldCase(`${prefix}\n${extension}`)
    for (let n = this.#suffixes.get(key) ?? 0; ; n++) {
      const path = `${prefix}${n === 0 ? "" : `-${n}`}${extension}`
      if (!this.tryClaim(path)) continue
      this.#suffixes.set(key, n + 1)
      return path
    }
  }
}

const ignoredNames = new Set([".git", ".hg", ".svn", "node_modules"])

/** Returns true if an export may write to an imported path unchanged. */
export const isWritable = (path: string): boolean => {
  if (path === "" || path.length > 1024 || !path.isWellFormed() || FolderPath.normalize(path) !== path) return false
  const names = path.split("/")
  return (
    names.length <= 64 &&
    !/[\p{Cc}\\]/u.test(path) &&
    names.every((name) => name.length <= 240 && !ignoredNames.has(Slug.foldCase(name).replace(/[. ]+$/, "")))
  )
}
