/**
 * Lists the files in a folder of a repository that an import may read. Some entries are left out and reported as
 * problems:
 *
 * - symbolic links to anything but a file in the folder
 * - submodules
 * - files stored in Git LFS
 * - names that are not UTF-8, or that a file system may confuse with another name
 * - the second of two paths that are equal or differ only in case
 *
 * Folders of tools, such as `node_modules`, are skipped without a problem.
 *
 * Limits: 200,000 files, 64 levels of folders, 1,000 problems.
 */
import type { ImportProblem } from "@lectern/exchange/import/Folder"
import type { GitFile } from "@lectern/exchange/git/GitRemote"
import { GitProblem } from "./GitProblem.ts"
import * as GitTrees from "./GitTrees.ts"

const maxFiles = 200_000
const maxDepth = 64
const maxProblems = 1_000
const ignoredNames = new Set([".hg", ".svn", "node_modules"])

/** Maximum length of an LFS pointer file, in bytes. */
const maxPointer = 1024
const pointer = Buffer.from("version https://git-lfs.github.com/spec/v1")

export interface ListingSource {
  readonly readTree: (oid: string) => Promise<ReadonlyArray<GitTrees.TreeEntry>>
  readonly readBlob: (oid: string) => Promise<Uint8Array>
}

export interface Listing {
  readonly files: ReadonlyArray<GitFile>
  readonly problems: ReadonlyArray<ImportProblem>
}

/** Returns the id of a folder's tree. Undefined if the folder does not exist. */
export const treeAt = async (source: ListingSource, root: string, directory: string): Promise<string | undefined> => {
  let tree = root
  for (const step of directory.split("/").filter((name) => name !== "")) {
    const name = GitTrees.nameOf(step)
    const entry = (await source.readTree(tree)).find(
      (entry) => entry.name === name && entry.mode === GitTrees.folderMode
    )
    if (entry === undefined) return undefined
    tree = entry.oid
  }
  return tree
}

export const list = async (source: ListingSource, root: string): Promise<Listing> => {
  const files: Array<GitFile> = []
  const links: Array<{ readonly path: string; readonly oid: string }> = []
  const problems: Array<ImportProblem> = []
  const report = (path: string, message: string) => {
    if (problems.length < maxProblems) problems.push({ path: path.slice(0, 300), message })
  }
  const pendingFolders = [{ path: "", tree: root, depth: 0 }]
  for (let next = pendingFolders.pop(); next !== undefined; next = pendingFolders.pop()) {
    const visitedTrees = new Set<string>()
    for (const { mode, name, oid } of await source.readTree(next.tree)) {
      const text = GitTrees.textOf(name)
      const path = `${next.path}${text ?? Buffer.from(name, "latin1").toString("utf8")}`
      if (text === undefined) report(path, "A name that is no UTF-8 is left out")
      else if (!GitTrees.isName(text)) report(path, "A name like this is left out")
      else if (visitedTrees.has(text)) report(path, "A second file of this name is left out")
      else if (ignoredNames.has(text)) continue
      else if (mode === GitTrees.folderMode) {
        if (next.depth < maxDepth) pendingFolders.push({ path: `${path}/`, tree: oid, depth: next.depth + 1 })
        else report(path, `Folders deeper than ${maxDepth} levels are left out`)
      } else if (mode === GitTrees.moduleMode) report(path, "A submodule is left out: it is a repository of its own")
      else if (mode === GitTrees.linkMode) links.push({ path, oid })
      else {
        const bytes = await source.readBlob(oid)
        if (bytes.length <= maxPointer && pointer.equals(bytes.subarray(0, pointer.length))) {
          report(path, "It is kept in Git LFS, which is not read, and left out")
        } else files.push({ path, oid, size: bytes.length })
      }
      if (text !== undefined) visitedTrees.add(text)
      if (files.length + links.length > maxFiles) {
        throw new GitProblem("too-large", `The branch has more than ${maxFiles} files`)
      }
    }
  }
  const byPath = new Map(files.map((file) => [file.path, file]))
  for (const { path, oid } of links) {
    const bytes = await source.readBlob(oid)
    const target = bytes.length > 4096 ? undefined : targetOf(path, Buffer.from(bytes).toString("utf8"))
    const file = target === undefined ? undefined : byPath.get(target)
    if (target === undefined) report(path, "A symbolic link that leads out of the folder is left out")
    else if (file === undefined) report(path, "A symbolic link that leads to no file is left out")
    else files.push({ ...file, path })
  }
  return { files: distinct(files, report), problems }
}

const foldCase = (path: string) => path.normalize("NFC").toLowerCase()

/**
 * Returns the files sorted by path. A path that some file systems confuse with another file or folder is left out and
 * reported.
 */
const distinct = (files: Array<GitFile>, report: (path: string, message: string) => void): ReadonlyArray<GitFile> => {
  const folders = new Set<string>()
  for (const { path } of files) {
    const folded = foldCase(path)
    for (let slash = folded.indexOf("/"); slash !== -1; slash = folded.indexOf("/", slash + 1))
      folders.add(folded.slice(0, slash))
  }
  const usedNames = new Set<string>()
  return files
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .filter(({ path }) => {
      const folded = foldCase(path)
      if (!usedNames.has(folded) && !folders.has(folded)) {
        usedNames.add(folded)
        return true
      }
      report(path, "A path that differs from another in case alone is left out")
      return false
    })
}

/** Returns the path that a symbolic link leads to, relative to the folder. Undefined if it is outside of the folder. */
const targetOf = (path: string, link: string): string | undefined => {
  if (link.startsWith("/")) return undefined
  const names = path.split("/").slice(0, -1)
  for (const name of link.split("/")) {
    if (name === "" || name === ".") continue
    if (name !== "..") names.push(name)
    else if (names.pop() === undefined) return undefined
  }
  return names.join("/")
}
