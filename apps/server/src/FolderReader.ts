/**
 * Reads a folder of the disk for an import: what files there are, and their bytes when they are
 * asked for. Symbolic links that lead out of the folder, or to a folder, are not followed; version
 * control and installed packages are passed over.
 *
 * Limits: 200,000 files, 64 levels of folders.
 */
import { readdir, readFile, realpath, stat } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { type FolderFile, FolderUnreadable, type ImportProblem } from "@lectern/core/content/import/Folder"
import { Effect } from "effect"

const maxFiles = 200_000
const maxDepth = 64
const passedOver = new Set([".git", ".hg", ".svn", "node_modules"])

export interface ReadFolder {
  readonly files: ReadonlyArray<FolderFile>
  readonly problems: ReadonlyArray<ImportProblem>
}

export const readFolder = (folder: string): Effect.Effect<ReadFolder, FolderUnreadable> =>
  Effect.tryPromise({
    try: () => walk(folder),
    catch: (cause) => unreadable(folder, cause)
  })

const walk = async (folder: string): Promise<ReadFolder> => {
  const root = await realpath(folder)
  const files: Array<FolderFile> = []
  const problems: Array<ImportProblem> = []
  const open: Array<{ readonly path: string; readonly depth: number }> = [{ path: "", depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await readdir(join(root, next.path), { withFileTypes: true })
    for (const entry of entries) {
      const path = next.path === "" ? entry.name : `${next.path}/${entry.name}`
      const full = join(root, path)
      if (entry.isDirectory()) {
        if (passedOver.has(entry.name)) continue
        if (next.depth < maxDepth) open.push({ path, depth: next.depth + 1 })
        else problems.push({ path, message: `Folders deeper than ${maxDepth} levels are left out` })
        continue
      }
      if (entry.isSymbolicLink()) {
        const problem = await linkProblem(root, full)
        if (problem !== undefined) {
          problems.push({ path, message: problem })
          continue
        }
      } else if (!entry.isFile()) continue
      if (files.length >= maxFiles) throw new Error(`it holds more than ${maxFiles} files`)
      files.push({ path, size: (await stat(full)).size, bytes: bytesOf(full, path) })
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { files, problems }
}

/** What stands against following a link; undefined where it leads to a file of the folder. */
const linkProblem = async (root: string, link: string): Promise<string | undefined> => {
  const target = await realpath(link).catch(() => undefined)
  if (target === undefined) return "A symbolic link that leads nowhere is left out"
  const inside = relative(root, target)
  if (inside === ".." || inside.startsWith(`..${sep}`) || inside.split(sep).some((part) => passedOver.has(part))) {
    return "A symbolic link that leads out of the folder is left out"
  }
  return (await stat(target)).isFile() ? undefined : "A symbolic link to a folder is left out"
}

const bytesOf = (full: string, path: string): FolderFile["bytes"] =>
  Effect.tryPromise({ try: () => readFile(full), catch: (cause) => unreadable(path, cause) })

const reasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such folder",
  ENOTDIR: "it is no folder",
  EACCES: "permission denied",
  EPERM: "permission denied"
}

const unreadable = (path: string, cause: unknown): FolderUnreadable => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : "for an unknown reason")
  return new FolderUnreadable({ path, message: `${path} can't be read: ${reason}` })
}
