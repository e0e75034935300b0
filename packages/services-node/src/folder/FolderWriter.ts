/**
 * Writes a folder on disk atomically: into a temporary folder next to it, which is renamed when it is complete. If
 * writing stops earlier, no folder of this name exists. A folder with content is refused before anything is written.
 */
import { access, mkdir, mkdtemp, open, readdir, rename, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect, Schema, type Scope } from "effect"

/** The folder cannot be written, or is not empty. The message states the reason. */
export class FolderUnwritable extends Schema.TaggedError<FolderUnwritable>()("FolderUnwritable", {
  message: Schema.String
}) {}

export interface FolderWriter {
  readonly write: (path: string, bytes: Uint8Array) => Effect.Effect<void, FolderUnwritable>
  /** True if the file system distinguishes file names that differ only in case. */
  readonly isCaseSensitive: boolean
  /** Renames the folder to its final name, after all files are written. */
  readonly finish: Effect.Effect<void, FolderUnwritable>
}

export const make = Effect.fnUntraced(function* (
  folder: string
): Effect.fn.Return<FolderWriter, FolderUnwritable, Scope.Scope> {
  yield* attempt(folder, () => requireEmpty(folder))
  const temporary = yield* Effect.acquireRelease(
    attempt(folder, async () => {
      await mkdir(dirname(folder), { recursive: true })
      return await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
    }),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const content = join(temporary, "content")
  yield* attempt(folder, () => mkdir(content))
  const isCaseSensitive = yield* attempt(folder, () => distinguishesCase(temporary))
  const folders = new Set<string>([content])

  return {
    isCaseSensitive,
    write: (path, bytes) =>
      attempt(folder, async () => {
        const full = join(content, path)
        if (!folders.has(dirname(full))) {
          await mkdir(dirname(full), { recursive: true })
          folders.add(dirname(full))
        }
        // `wx` fails if the file exists, since the file system may treat two paths as equal.
        const file = await open(full, "wx")
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
      }),
    finish: attempt(folder, async () => {
      await requireEmpty(folder)
      // Some systems refuse to rename onto an empty folder, which is then removed first.
      await rename(content, folder).catch(async (cause) => {
        if (!["EEXIST", "ENOTEMPTY", "EPERM"].includes(codeOf(cause))) throw cause
        await rm(folder, { recursive: false, force: true }).catch(() => undefined)
        await rename(content, folder)
      })
    })
  } satisfies FolderWriter
})

const distinguishesCase = async (folder: string): Promise<boolean> => {
  await (await open(join(folder, "case"), "wx")).close()
  return await access(join(folder, "CASE")).then(
    () => false,
    () => true
  )
}

const requireEmpty = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((cause) => {
    if (codeOf(cause) === "ENOENT") return []
    throw cause
  })
  if (names.length > 0)
    throw new FolderUnwritable({ message: `The folder ${folder} is not empty: nothing was written` })
}

const attempt = <A>(folder: string, work: () => Promise<A>): Effect.Effect<A, FolderUnwritable> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      cause instanceof FolderUnwritable
        ? cause
        : new FolderUnwritable({ message: `The folder ${folder} can't be written: ${fileErrorReason(cause)}` })
  })

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "")
