/**
 * Edits the tree of a commit. Only the folders on edited paths are read and written. Other entries do not change: other
 * files, links, submodules, names that are not text.
 */
import { GitProblem } from "./GitProblem.ts"
import * as GitTrees from "./GitTrees.ts"

export interface TreeStore {
  readonly readTree: (oid: string) => Promise<ReadonlyArray<GitTrees.TreeEntry>>
  readonly writeTree: (tree: Buffer) => Promise<string>
}

/** An entry of a tree. `folder` is the content of a folder that was opened. */
interface Entry {
  readonly mode: string
  readonly oid: string
  readonly folder?: Folder
}

interface Folder {
  readonly entries: Map<string, Entry>
  isChanged: boolean
}

export class GitTreeEditor {
  readonly #store: TreeStore
  readonly #root: Folder

  private constructor(store: TreeStore, root: Folder) {
    this.#store = store
    this.#root = root
  }

  /** Starts from a tree, or from an empty one if `oid` is undefined. */
  static async create(store: TreeStore, oid: string | undefined): Promise<GitTreeEditor> {
    return new GitTreeEditor(store, await openFolder(store, oid))
  }

  /** Adds or replaces a file. Fails if a folder or a submodule has this path. */
  async setFile(path: string, oid: string): Promise<void> {
    const { folder, name } = await this.#locate(path, true)
    const existingEntry = folder?.entries.get(name)
    if (existingEntry?.mode === GitTrees.folderMode || existingEntry?.mode === GitTrees.moduleMode) {
      throw new GitProblem("failed", `The repository has a folder at ${path}, where a file is to be written`)
    }
    // An executable file stays executable.
    folder!.entries.set(name, { mode: existingEntry?.mode === "100755" ? existingEntry.mode : GitTrees.fileMode, oid })
  }

  /** Removes a file or link. Does nothing if the path is missing, a folder or a submodule. */
  async remove(path: string): Promise<void> {
    const { folder, name } = await this.#locate(path, false)
    const existingEntry = folder?.entries.get(name)
    if (
      existingEntry === undefined ||
      existingEntry.mode === GitTrees.folderMode ||
      existingEntry.mode === GitTrees.moduleMode
    )
      return
    folder!.entries.delete(name)
  }

  /** Writes the changed folders, and returns the id of the tree. Undefined if the tree is empty. */
  async finish(): Promise<string | undefined> {
    return await this.#write(this.#root)
  }

  async #locate(
    path: string,
    create: boolean
  ): Promise<{ readonly folder: Folder | undefined; readonly name: string }> {
    const names = path.split("/")
    if (!names.every(GitTrees.isName)) throw new GitProblem("failed", `No file can be written to ${path.slice(0, 200)}`)
    const bytes = names.map(GitTrees.nameOf)
    const name = bytes.pop()!
    let folder = this.#root
    folder.isChanged = true
    for (const [i, step] of bytes.entries()) {
      const existingEntry = folder.entries.get(step)
      if (existingEntry === undefined && !create) return { folder: undefined, name }
      if (existingEntry !== undefined && existingEntry.mode !== GitTrees.folderMode) {
        if (!create) return { folder: undefined, name }
        throw new GitProblem(
          "failed",
          `The repository has a file at ${names.slice(0, i + 1).join("/")}, where a folder is needed`
        )
      }
      const subfolder: Folder = existingEntry?.folder ?? (await openFolder(this.#store, existingEntry?.oid))
      subfolder.isChanged = true
      folder.entries.set(step, { mode: GitTrees.folderMode, oid: existingEntry?.oid ?? "", folder: subfolder })
      folder = subfolder
    }
    return { folder, name }
  }

  /** Writes a folder. Recursion is bounded by the maximum length of paths. */
  async #write(folder: Folder): Promise<string | undefined> {
    const entries: Array<GitTrees.TreeEntry> = []
    for (const [name, entry] of folder.entries) {
      if (entry.folder === undefined || !entry.folder.isChanged) {
        entries.push({ name, mode: entry.mode, oid: entry.oid })
        continue
      }
      const oid = await this.#write(entry.folder)
      if (oid === undefined) {
        folder.entries.delete(name)
        continue
      }
      folder.entries.set(name, { ...entry, oid })
      entries.push({ name, mode: entry.mode, oid })
    }
    folder.isChanged = false
    return entries.length === 0 ? undefined : await this.#store.writeTree(GitTrees.print(entries))
  }
}

const openFolder = async (store: TreeStore, oid: string | undefined): Promise<Folder> => ({
  entries: new Map(oid === undefined ? [] : (await store.readTree(oid)).map(({ name, ...entry }) => [name, entry])),
  isChanged: false
})
