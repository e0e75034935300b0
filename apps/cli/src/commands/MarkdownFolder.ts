/** Argument of commands that read a folder of Markdown files. Default: the current folder. */
import { statSync } from "node:fs"
import * as Path from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect } from "effect"
import { Argument } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"

export const argument = Argument.String("folder").pipe(
  Argument.withDescription("Folder of Markdown files; default: the current folder"),
  Argument.withDefault(".")
)

/** Returns the absolute path of an existing folder. */
export const resolve = Effect.fnUntraced(function* (path: string) {
  const folder = Path.resolve(path)
  const isFolder = yield* Effect.try({
    try: () => statSync(folder).isDirectory(),
    catch: (error) => new CommandFailed({ message: `${folder} can't be read: ${fileErrorReason(error as Error)}` })
  })
  if (!isFolder) return yield* new CommandFailed({ message: `${folder} is not a folder` })
  return folder
})
