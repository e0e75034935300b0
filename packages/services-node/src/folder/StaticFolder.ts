/**
 * Folder of a static site. A build writes only files that changed, and deletes files that it wrote earlier and that the
 * site no longer has.
 *
 * A list in the folder (`.lectern-build`) has a line for each file with the hash of its bytes. A line is added before its
 * file is written, so the next build knows the files of an interrupted one. A file that is not in the list, or whose
 * bytes have changed since, belongs to another program or person: it is neither changed nor deleted. Files are never
 * written through a symbolic link.
 */
import { createHash } from "node:crypto"
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect, type Scope } from "effect"
import { FolderUnwritable } from "./FolderWriter.ts"

/** Name of the list of files. */
export const listName = ".lectern-build"

/** Start of the names of files that are being written. A file gets its name when it is complete. */
const temporaryName = ".lectern-build-file"

const listHeader = "Files that `lectern build` wrote: the next build replaces and deletes them\n"
const hashLength = 32

export interface StaticFolder {
  /** Writes a file unless it has these bytes. */
  readonly write: (path: string, bytes: Uint8Array) => Effect.Effect<void, FolderUnwritable>
  /** Deletes earlier files that were not written again, and returns the numbers of files. */
  readonly finish: Effect.Effect<StaticFolderResult, FolderUnwritable>
}

export interface StaticFolderResult {
  readonly changed: number
  readonly unchanged: number
  readonly deleted: number
  /** Paths of earlier files that were changed since, and stay. */
  readonly changedByOthers: ReadonlyArray<string>
}

export interface StaticFolderOptions {
  readonly folder: string
  /** Folder that the site is made of. The folder of the site can't contain it. */
  readonly source: string
  /** True to keep files of others in the folder. If false, such files are refused. */
  readonly keepsOthers: boolean
}

export const open = Effect.fnUntraced(function* ({
  folder,
  source,
  keepsOthers
}: StaticFolderOptions): Effect.fn.Return<StaticFolder, FolderUnwritable, Scope.Scope> {
  const failureOf = (cause: unknown) =>
    cause instanceof FolderUnwritable
      ? cause
      : new FolderUnwritable({ message: `The folder ${folder} can't be written: ${fileErrorReason(cause as Error)}` })
  const attempt = <A>(work: () => A) => Effect.try({ try: work, catch: failureOf })

  const root = yield* attempt(() => {
    mkdirSync(folder, { recursive: true })
    const root = realpathSync(folder)
    const fromRoot = relative(root, realpathSync(source))
    if (fromRoot !== ".." && !fromRoot.startsWith(`..${sep}`) && !/^[a-z]:/i.test(fromRoot))
      throw new FolderUnwritable({ message: `The folder ${folder} contains the pages: build into another folder` })
    return root
  })
  const listFile = join(root, listName)
  const listed = yield* attempt(() => readList(listFile))
  /** Hashes of the present files, by path. Other entries, such as symbolic links, have an empty hash. */
  const present = yield* attempt(() => readHashes(root))
  const isOwn = (path: string) => listed.get(path)?.has(present.get(path) ?? "") === true
  const others = [...present.keys()].filter((path) => !listed.has(path))
  if (others.length > 0 && !keepsOthers) {
    const names = others.slice(0, 3).join(", ") + (others.length > 3 ? ` and ${others.length - 3} more` : "")
    return yield* new FolderUnwritable({
      message: `The folder ${folder} has files that no build wrote: ${names}. Build into another folder, or keep them with --keep-others`
    })
  }

  const hashes = new Map<string, string>()
  const folders = new Set<string>([root])
  let writtenCount = 0
  let unchangedCount = 0

  const makeFolder = (path: string): void => {
    if (folders.has(path)) return
    makeFolder(dirname(path))
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) mkdirSync(path)
    else if (!stats.isDirectory())
      throw new FolderUnwritable({ message: `${path} is no folder: a file of the site is in it` })
    folders.add(path)
  }

  const list = yield* Effect.acquireRelease(
    attempt(() => {
      const list = openSync(listFile, "a")
      if (listed.size === 0) writeSync(list, listHeader)
      return list
    }),
    (list) => Effect.sync(() => closeSync(list))
  )
  const addToList = (path: string, hash: string) => writeSync(list, lineOf(path, hash))

  const write = (path: string, bytes: Uint8Array) =>
    Effect.flatMap(prepare(path, bytes), (isDue) => {
      if (!isDue) return Effect.void
      // Calls of the system are synchronous: most take less time than messages to a thread and back.
      return attempt(() => {
        const temporary = join(root, temporaryName)
        writeFileSync(temporary, bytes)
        renameSync(temporary, join(root, path))
      })
    })

  /** Returns true if the file has to be written. */
  const prepare = (path: string, bytes: Uint8Array) =>
    attempt(() => {
      const hash = hashOf(bytes)
      hashes.set(path, hash)
      if (present.get(path) === hash) {
        if (!listed.has(path)) addToList(path, hash)
        unchangedCount++
        return false
      }
      if (present.has(path) && !isOwn(path)) {
        throw new FolderUnwritable({
          message: `The file ${join(folder, path)} was not written by a build, or was changed since: delete it, or build into another folder`
        })
      }
      addToList(path, hash)
      makeFolder(dirname(join(root, path)))
      writtenCount++
      return true
    })

  const finish = attempt(() => {
    const changedByOthers: Array<string> = []
    let deletedCount = 0
    for (const path of listed.keys()) {
      if (hashes.has(path) || !present.has(path)) continue
      if (!isOwn(path)) {
        changedByOthers.push(path)
        continue
      }
      const full = join(root, path)
      // On some file systems, a new file has the path of an earlier one in other case.
      const current = lstatSync(full, { throwIfNoEntry: false })
      if (current === undefined || hashOf(readFileSync(full)) !== present.get(path)) continue
      rmSync(full)
      deletedCount++
      removeEmptyFolders(root, dirname(full))
    }
    const lines = [...hashes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, hash]) => lineOf(path, hash))
    const temporary = join(root, temporaryName)
    writeFileSync(temporary, listHeader + lines.join(""))
    renameSync(temporary, listFile)
    return { changed: writtenCount, unchanged: unchangedCount, deleted: deletedCount, changedByOthers }
  })

  return { write, finish }
})

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, hashLength)

const lineOf = (path: string, hash: string): string => `${hash} ${path}\n`

/** Returns the hashes that each file of earlier builds may have. */
const readList = (file: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const listed = new Map<string, Set<string>>()
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return listed
  for (const [, hash, path] of readFileSync(file, "utf8").matchAll(/^([\da-f]{32}) (.+)$/gm)) {
    const hashes = listed.get(path!)
    if (hashes === undefined) listed.set(path!, new Set([hash!]))
    else hashes.add(hash!)
  }
  return listed
}

/** Returns the hashes of all files. Deletes files that an interrupted build left incomplete. */
const readHashes = (root: string): ReadonlyMap<string, string> => {
  const hashes = new Map<string, string>()
  const pending = [""]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`
      if (path === listName) continue
      if (path.startsWith(temporaryName) && entry.isFile()) {
        // An interrupted build left the file.
        rmSync(join(root, path))
        continue
      }
      if (entry.isDirectory()) pending.push(path)
      else hashes.set(path, entry.isFile() ? hashOf(readFileSync(join(root, path))) : "")
    }
  }
  return hashes
}

/** Deletes folders that are empty, from the inside out, up to the root. */
const removeEmptyFolders = (root: string, folder: string): void => {
  for (let path = folder; path !== root && readdirSync(path).length === 0; path = dirname(path)) rmdirSync(path)
}
