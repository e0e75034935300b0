/**
 * Folders on disk for hosts that do not use Effect. An import reads them, and an export writes them.
 *
 * ```ts
 * await lectern.content.folderImports.importFolder(space.id, await Folders.read("docs"))
 * await Folders.write("copy", (into) => lectern.content.folderExports.exportFolder(space.id, into))
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
 * Writes a folder, which must be empty or missing. `writeFiles` writes the files. The folder appears, complete, when the
 * promise of `writeFiles` resolves. If that promise rejects, no folder appears. Rejects with `FolderUnwritable`, or with
 * the error of `writeFiles`.
 */
export const write = <A>(
  folder: string,
  writeFiles: (writer: Pick<FolderWriter.FolderWriter, "write" | "isCaseSensitive">) => Promise<A>
): Promise<A> =>
  Effect.gen(function* () {
    const { finish, ...writer } = yield* FolderWriter.make(folder)
    const result = yield* Effect.tryPromise({ try: () => writeFiles(writer), catch: (error) => error })
    yield* finish
    return result
  }).pipe(Effect.scoped, Effect.runPromise)
