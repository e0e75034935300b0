/** Runs the hook `upload` of the host for the files of a batch of changes, before the batch is applied. */
import { Effect } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { FetchedFile } from "../../fetch/GuardedFetch.ts"
import type { RefusedByHost, RunHook } from "../../hook/BeforeHooks.ts"
import { accepting, type InvalidInput } from "../../schema/Input.ts"
import type { SpaceId } from "../../space/Space.ts"
import { type ContentChange, InsertedFile, type InsertFiles } from "../edits/ContentChange.ts"
import type { InvalidChange } from "../edits/ContentErrors.ts"
import { sentBytes } from "../edits/FileWrites.ts"
import * as FileType from "./FileType.ts"

const acceptFile = accepting(InsertedFile)

/**
 * Returns the changes with the file names that the host allows. `fetched`: files that were fetched, by URL.
 * `checkPermission` runs before each hook.
 */
export const allowed = <E>(
  runHook: RunHook,
  space: SpaceId,
  changes: ReadonlyArray<ContentChange>,
  fetched: ReadonlyMap<string, FetchedFile>,
  checkPermission: Effect.Effect<unknown, E, CurrentActor>
): Effect.Effect<ReadonlyArray<ContentChange>, E | RefusedByHost | InvalidChange | InvalidInput, CurrentActor> => {
  const allowedFile = Effect.fnUntraced(function* (file: typeof InsertedFile.Type, path: string) {
    const request = Effect.gen(function* () {
      yield* checkPermission
      const remote = file.url === undefined ? undefined : fetched.get(file.url)
      const bytes = remote?.bytes ?? (yield* sentBytes(file.base64, `${path}.base64`))
      const { contentType } = FileType.detect(bytes, file.name, file.contentType ?? remote?.contentType)
      const { name } = file
      return { kind: "content_file", organization: undefined, space, name, contentType, size: bytes.length } as const
    })
    const { name } = yield* runHook("upload", request)
    return name === undefined ? file : yield* acceptFile({ ...file, name })
  })
  return Effect.forEach(changes, (change, i) =>
    change.operation !== "insert_files"
      ? Effect.succeed<ContentChange>(change)
      : Effect.map(
          Effect.forEach(change.files, (file, n) => allowedFile(file, `body.changes[${i}].files[${n}]`)),
          (files): typeof InsertFiles.Type => ({ ...change, files })
        )
  )
}
