/**
 * The paths of a folder that are taken. Two paths clash where they differ in case alone, or where
 * one is a folder on the way to the other. Of those that are kept (`tryKeep`), case tells two apart.
 */
import * as FolderPath from "../import/FolderPath.ts"
import * as Slug from "../pages/Slug.ts"

export class ClaimedPaths {
  readonly #files = new Set<string>()
  /** The same as they are spelled. */
  readonly #spelled = { files: new Set<string>(), folders: new Set<string>() }
  /** As it was spelled first. */
  readonly #folders = new Map<string, string>()
  /** By what a name starts with, how often it was made distinct. */
  readonly #suffixes = new Map<string, number>()

  isFree(path: string): boolean {
    const folded = Slug.fold(path)
    if (this.#files.has(folded) || this.#folders.has(folded)) return false
    for (let at = folded.indexOf("/"); at !== -1; at = folded.indexOf("/", at + 1)) {
      if (this.#files.has(folded.slice(0, at))) return false
    }
    return true
  }

  claim(path: string): void {
    this.#files.add(Slug.fold(path))
    this.#spelled.files.add(path)
    this.#claimFolders(path)
  }

  /** Takes the path unless it is taken as it is spelled. */
  tryKeep(path: string): boolean {
    const { files, folders } = this.#spelled
    if (files.has(path) || folders.has(path)) return false
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (files.has(path.slice(0, at))) return false
    }
    this.claim(path)
    return true
  }

  /** Makes sure that files can lie in a folder: its own spelling, or another name where a file has its. */
  folder(path: string): string {
    for (let n = 0; ; n++) {
      const candidate = n === 0 ? path : `${path}-${n}`
      if (!this.isFree(`${candidate}/.`)) continue
      this.#claimFolders(`${candidate}/`)
      return this.#folders.get(Slug.fold(candidate))!
    }
  }

  #claimFolders(path: string): void {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at)
      const folded = Slug.fold(folder)
      this.#spelled.folders.add(folder)
      if (!this.#folders.has(folded)) this.#folders.set(folded, folder)
    }
  }

  /** Takes the path if it is free. */
  tryClaim(path: string): boolean {
    if (!this.isFree(path)) return false
    this.claim(path)
    return true
  }

  /** Takes a path in a folder, with a number behind the name where it is taken. */
  claimIn(folder: string, name: string, ending: string): string {
    const spelled = this.#folders.get(Slug.fold(folder)) ?? folder
    const start = spelled === "" ? name : `${spelled}/${name}`
    const key = Slug.fold(`${start}\n${ending}`)
    for (let n = this.#suffixes.get(key) ?? 0; ; n++) {
      const path = `${start}${n === 0 ? "" : `-${n}`}${ending}`
      if (!this.tryClaim(path)) continue
      this.#suffixes.set(key, n + 1)
      return path
    }
  }
}

const passedOver = new Set([".git", ".hg", ".svn", "node_modules"])

/** Tells whether a path of an import may be written to as it is. */
export const isWritable = (path: string): boolean => {
  if (path === "" || path.length > 1024 || !path.isWellFormed() || FolderPath.normalise(path) !== path) return false
  const names = path.split("/")
  return (
    names.length <= 64 &&
    !/[\p{Cc}\\]/u.test(path) &&
    names.every((name) => name.length <= 240 && !passedOver.has(Slug.fold(name).replace(/[. ]+$/, "")))
  )
}
