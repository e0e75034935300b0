/** `lectern export <space> <folder>`: exports a space to a folder of Markdown files. */
import { basename, dirname, resolve } from "node:path"
import { makeFolder } from "@lectern/adapter-sqlite/connections/PrivateFiles"
import { FolderExports } from "@lectern/exchange/export/FolderExports"
import { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import * as FolderWriter from "@lectern/services-node/folder/FolderWriter"
import * as ProgressBar from "../ProgressBar.ts"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

export const Export = Command.make(
  "export",
  {
    ...dataFlags,
    space: Argument.String("space").pipe(Argument.withDescription("Id of the space")),
    folder: Argument.String("folder").pipe(Argument.withDescription("Empty or missing folder for the export")),
    revision: Flag.String("revision").pipe(
      Flag.withDescription("Id of a revision of the space. Default: the current revision"),
      Flag.optional
    )
  },
  (flags) =>
    operate(
      flags,
      Effect.gen(function* () {
        const folder = resolve(flags.folder)
        const space = yield* (yield* Spaces).get(SpaceId.make(flags.space))
        if (space.deletedAt !== undefined) {
          return yield* new CommandFailed({ message: `The space ${space.id} is in the trash` })
        }
        yield* Effect.tryPromise({
          try: () => makeFolder(dirname(folder), 0o777),
          catch: (cause) =>
            new CommandFailed({ message: `The folder ${folder} can't be written: ${fileErrorReason(cause)}` })
        })
        const writer = yield* FolderWriter.make(folder)
        const bar = flags.json ? undefined : ProgressBar.make(`Exporting ${basename(folder)}`)
        const { problems, revision, ...counts } = yield* (yield* FolderExports)
          .exportFolder(space.id, {
            write: writer.write,
            isCaseSensitive: writer.isCaseSensitive,
            onProgress: bar?.show,
            revision: Option.getOrUndefined(flags.revision)
          })
          .pipe(Effect.ensuring(bar?.end ?? Effect.void))
        yield* writer.finish
        const { pages, files, reusableContents, variables } = counts
        return {
          json: { space, revision, folder, ...counts, problems },
          text: [
            ...problems.map(({ path, message }) => `${path}: ${message}`),
            ...(problems.length > 0 ? [""] : []),
            `Exported the space "${space.title}" (${space.id}) to ${folder}: ` +
              `${pages} pages, ${files} files, ${reusableContents} reusable contents, ${variables} variables, ` +
              `${problems.length} problems`
          ].join("\n")
        }
      }).pipe(Effect.scoped)
    )
).pipe(Command.withDescription("Export a space as a folder of Markdown, which lectern import reads"))
