/**
 * Reads a folder on disk for an import: lists its files, and reads their bytes on request. Symbolic links to folders,
 * or to anything outside of the folder, are left out and reported. Version control, installed packages and folders with a
 * static site (see `StaticFolder`) are skipped.
 * Folders and files are read synchronously, which is many times faster for thousands of small files. Other work runs
 * between two folders.
 *
 * Limits: 200,000 files, 64 levels of folders.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { type FolderFile, FolderUnreadable, type ImportProblem } from "@lectern/exchange/import/Folder"
import { Effect } from "effect"
import * as StaticFolder from "./StaticFolder.ts"

const maxFiles = 200_000
const maxDepth = 64
const ignoredNames = new Set([".git", ".hg", ".svn", ".lectern", "node_modules"])

export interface ListedFile extends FolderFile {
  /** Times, size and number of the file. They differ after a change of the file. */
  readonly stamp: string
}

export interface ReadFolder {
  readonly files: ReadonlyArray<ListedFile>
  /** Paths of the folders in it. */
  readonly folders: ReadonlyArray<string>
  readonly problems: ReadonlyArray<ImportProblem>
}

export const readFolder = (folder: string): Effect.Effect<ReadFolder, FolderUnreadable> =>
  Effect.catchDefect(walk(folder), (cause) => Effect.fail(readFailure(folder, cause)))

const walk = Effect.fnUntraced(function* (folder: string) {
  const root = realpathSync(folder)
  const files: Array<ListedFile> = []
  const folders: Array<string> = []
  const problems: Array<ImportProblem> = []
  const pendingFolders: Array<{ readonly path: string; readonly depth: number }> = [{ path: "", depth: 0 }]
  for (let next = pendingFolders.pop(); next !== undefined; next = pendingFolders.pop()) {
    yield* Effect.yieldNow
    const entries = readdirSync(join(root, next.path), { withFileTypes: true })
    if (next.path !== "" && entries.some(({ name }) => name === StaticFolder.listName)) continue
    for (const entry of entries) {
      const path = next.path === "" ? entry.name : `${next.path}/${entry.name}`
      const full = join(root, path)
      if (entry.isDirectory()) {
        if (ignoredNames.has(entry.name)) continue
        if (next.depth < maxDepth) {
          folders.push(path)
          pendingFolders.push({ path, depth: next.depth + 1 })
        } else problems.push({ path, message: `Folders deeper than ${maxDepth} levels are left out` })
        continue
      }
      if (entry.isSymbolicLink()) {
        const problem = linkProblem(root, full)
        if (problem !== undefined) {
          problems.push({ path, message: problem })
          continue
        }
      } else if (!entry.isFile()) continue
      if (files.length >= maxFiles) throw new Error(`it holds more than ${maxFiles} files`)
      const { ctimeMs, ino, mtimeMs, size } = statSync(full)
      files.push({ path, size, stamp: `${mtimeMs} ${ctimeMs} ${size} ${ino}`, bytes: bytesOf(full, path) })
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files, folders, problems } satisfies ReadFolder
})

/** Returns why a link is not followed. Undefined if it leads to a file in the folder. */
const linkProblem = (root: string, link: string): string | undefined => {
  const target = targetOf(link)
  if (target === undefined) return "A symbolic link that leads nowhere is left out"
  const relativePath = relative(root, target)
  if (
    relativePath === ".." ||
    relativePath.startsWith(`..${sep}`) ||
    relativePath.split(sep).some((part) => ignoredNames.has(part))
  ) {
    return "A symbolic link that leads out of the folder is left out"
  }
  return statSync(target).isFile() ? undefined : "A symbolic link to a folder is left out"
}

const targetOf = (link: string): string | undefined => {
  try {
    return realpathSync(link)
  } catch {
    return undefined
  }
}

const bytesOf =
  (full: string, path: string): FolderFile["bytes"] =>
  () =>
    Effect.try({ try: () => readFileSync(full), catch: (cause) => readFailure(path, cause) })

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such folder",
  ENOTDIR: "it is no folder",
  EACCES: "permission denied",
  EPERM: "permission denied"
}

const readFailure = (path: string, cause: unknown): FolderUnreadable => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : "for an unknown reason")
  return new FolderUnreadable({ path, message: `${path} can't be read: ${reason}` })
}
