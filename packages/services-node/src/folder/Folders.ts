/**
 * Folders of the disk for hosts that do not use Effect: read for an import, written by an export.
 *
 * ```ts
 * await lectern.folderImports.importFolder(space.id, await Folders.read("docs"))
 * await Folders.write("copy", (into) => lectern.folderExports.exportFolder(space.id, into))
 * ```
 *
 * Limits: those of `FolderReader` and `FolderWriter`.
 */
import { Effect } from "effect"
import { type ReadFolder, readFolder } from "./FolderReader.ts"
import * as FolderWriter from "./FolderWriter.ts"

/** Finds the files of a folder; their bytes are read when an import asks for them. Rejects with `FolderUnreadable`. */
export const read = (folder: string): Promise<ReadFolder> => Effect.runPromise(readFolder(folder))

/**
 * Writes a folder, which is empty or not there yet: when what the function answers is there, all of it or, where that
 * rejects, nothing. Rejects with `FolderUnwritable`, or with what the function rejects with.
 */
export const write = <A>(
  folder: string,
  by: (into: Pick<FolderWriter.FolderWriter, "write" | "tellsCase">) => Promise<A>
): Promise<A> =>
  Effect.gen(function* () {
    const { finish, ...into } = yield* FolderWriter.make(folder)
    const written = yield* Effect.tryPromise({ try: () => by(into), catch: (error) => error })
    yield* finish
    return written
  }).pipe(Effect.scoped, Effect.runPromise)
