/**
 * State of a folder after its last push or pull: `.lectern/state.json` in the folder, which Git ignores. A file that
 * differs from it has changes that were not pushed.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect, Option, Schema } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

export const stateFolder = ".lectern"

const SyncState = Schema.Struct({
  version: Schema.Literal(1),
  server: Schema.String,
  space: Schema.String,
  /** Revision of the last pull, or of the change request after the last push. */
  revision: Schema.String,
  /** Revision of the last pull, or of the first push if the folder was never pulled. */
  since: Schema.String,
  /** True after a pull, false after a push. */
  pulled: Schema.Boolean,
  /** Git object ids of the files by path. */
  files: Schema.Record(Schema.String, Schema.String)
})
export type SyncState = typeof SyncState.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(SyncState))

/** Returns the state for a space. Undefined if the folder was last used with another space, or if there is no state. */
export const read = (folder: string, { server, space }: Pick<SyncState, "server" | "space">): SyncState | undefined => {
  try {
    const state = Option.getOrUndefined(decode(readFileSync(join(folder, stateFolder, "state.json"), "utf8")))
    return state?.server === server && state.space === space ? state : undefined
  } catch {
    return undefined
  }
}

/** Creates the folder of the state, which Git ignores. Returns its path. */
export const makeFolder = (folder: string): string => {
  const path = join(folder, stateFolder)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, ".gitignore"), "*\n")
  return path
}

export const write = (folder: string, state: SyncState): Effect.Effect<void, CommandFailed> =>
  Effect.try({
    try: () => {
      const path = makeFolder(folder)
      writeFileSync(join(path, "state.json.new"), JSON.stringify(state))
      renameSync(join(path, "state.json.new"), join(path, "state.json"))
    },
    catch: (cause) => new CommandFailed({ message: `${folder} can't be written: ${fileErrorReason(cause)}` })
  })
