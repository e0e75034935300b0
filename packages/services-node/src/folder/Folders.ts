/**
 * Folders on disk for hosts that do not use Effect. An import reads them, and an export writes them.
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

/** Lists the files of a folder. An import reads their bytes on request. Rejects with `FolderUnreadable`. */
export const read = (folder: string): Promise<ReadFolder> => Effect.runPromise(readFolder(folder))

/**
 * Writes a folder, which must be empty or missing. `by` writes the files. The folder appears, complete, when the
 * promise of `by` resolves; if that promise rejects, no folder appears. Rejects with `FolderUnwritable`, or with the
 * error of `by`.
 */
export const write = <A>(
  folder: string,
  by: (into: Pick<FolderWriter.FolderWriter, "write" | "isCaseSensitive">) => Promise<A>
): Promise<A> =>
  Effect.gen(function* () {
    const { finish, ...into } = yield* FolderWriter.make(folder)
    const written = yield* Effect.tryPromise({ try: () => by(into), catch: (error) => error })
    yield* finish
    return written
  }).pipe(Effect.scoped, Effect.runPromise)
