/** Work and output of `lectern push`. */
import type { SemanticChange } from "@lectern/core/content/ContentResources"
import type { CompletePush } from "@lectern/exchange/push/Push"
import { Effect, type Option } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import type { CommandOutput } from "../Output.ts"
import * as FolderPush from "./FolderPush.ts"
import * as GitBranch from "./GitBranch.ts"
import * as Preview from "./Preview.ts"
import * as ServerApi from "./ServerApi.ts"
import * as SyncState from "./SyncState.ts"
import * as Token from "./Token.ts"

export interface PushFlags {
  readonly folder: string
  readonly server: string
  readonly space: string
  readonly changeRequest: string | undefined
  readonly tokenFile: Option.Option<string>
  readonly merge: boolean
  readonly dryRun: boolean
}

/** Maximum number of changes and conflicts in the text. */
const maxLines = 100
const maxName = 100

type ChangeRequest = NonNullable<CompletePush["changeRequest"]>

export const run = Effect.fnUntraced(function* (flags: PushFlags) {
  const { folder, server, space, merge, dryRun } = flags
  const api = yield* ServerApi.make(server, yield* Token.read(flags.tokenFile))
  const name = flags.changeRequest ?? GitBranch.branchOf(folder)
  if (name === undefined) {
    return yield* new CommandFailed({
      message: "The folder is on no Git branch: name the change request with --change-request"
    })
  }
  const state = SyncState.read(folder, { server, space })
  const base = state?.pulled === true ? state.revision : undefined
  const options = { api, folder, space, name: Array.from(name).slice(0, maxName).join(""), base, dryRun }
  const pushed = yield* ServerApi.orFail(FolderPush.push(options))
  const { result } = pushed
  const { changeRequest } = result
  if (!dryRun && changeRequest !== undefined) {
    const files = Object.fromEntries(pushed.files.map(({ path, oid }) => [path, oid]))
    const { revision } = changeRequest
    yield* SyncState.write(folder, {
      version: 1,
      server,
      space,
      revision,
      since: state?.since ?? revision,
      pulled: false,
      files
    })
  }
  const preview =
    dryRun || changeRequest === undefined ? undefined : yield* Preview.previewUrl(api, space, changeRequest)
  const merged = merge && changeRequest !== undefined ? yield* mergeOf(api, space, changeRequest, result) : undefined
  return outputOf(flags, pushed, { preview, merged })
})

/** Merges a change request. Returns the main revision. Fails if conflicts are open. */
const mergeOf = Effect.fnUntraced(function* (
  api: ServerApi.ServerApi,
  space: string,
  { id, number }: ChangeRequest,
  { conflictCount }: CompletePush
) {
  const path = `/spaces/${encodeURIComponent(space)}/change-requests/${id}`
  const { revision, result } = yield* api
    .json<{ readonly revision: string; readonly result: string }>(`${path}/merge`, { method: "POST" })
    .pipe(
      // The response to an earlier attempt may be lost.
      Effect.catchTag("RequestRefused", (refusal) =>
        Effect.flatMap(api.json<ChangeRequest>(path), ({ status, revisionMerged }) =>
          refusal.status === 409 && status === "merged"
            ? Effect.succeed({ revision: revisionMerged!, result: "merge" })
            : Effect.fail(refusal)
        )
      ),
      ServerApi.orFail
    )
  if (result === "merge") return revision
  return yield* new CommandFailed({
    message: `The change request ${number} can't be merged before its conflicts are resolved`,
    report: { changeRequest: { id, number }, conflictCount }
  })
})

const outputOf = (
  { dryRun }: PushFlags,
  { result, problems, uploadedBytes, uploadedFiles }: FolderPush.FolderPush,
  { preview, merged }: { readonly preview: string | undefined; readonly merged: string | undefined }
): CommandOutput => {
  const { status, changeRequest, changeCount, changes, conflictCount, conflicts, report } = result
  const counts = `${countText(changeCount, "change")}, ${countText(conflictCount, "conflict")}`
  const target =
    changeRequest === undefined
      ? "a new change request"
      : `change request ${changeRequest.number} "${changeRequest.subject}"`
  const summary =
    status === "unchanged"
      ? "The space has this content already: there is nothing to push"
      : dryRun
        ? `A push would change ${target}: ${counts}`
        : `Pushed to ${target}: ${counts}, ${countText(uploadedFiles, "file")} uploaded`
  const allProblems = [...problems, ...report.problems]
  return {
    json: {
      status,
      ...(changeRequest !== undefined && {
        changeRequest: {
          id: changeRequest.id,
          number: changeRequest.number,
          revision: changeRequest.revision,
          url: changeRequest.urls.app
        }
      }),
      ...(preview !== undefined && { preview }),
      ...(merged !== undefined && { merged }),
      changeCount,
      changes,
      conflictCount,
      conflicts,
      uploadedFiles,
      uploadedBytes,
      problems: allProblems
    },
    text: [
      ...allProblems
        .slice(0, maxLines)
        .map(({ path, line, message }) => `${path}${line === undefined ? "" : `:${line}`}: ${message}`),
      ...(dryRun ? changes.slice(0, maxLines).map(changeLine) : []),
      ...conflicts
        .slice(0, maxLines)
        .map(({ path, field }) => `Conflict: ${path}${field === undefined ? "" : ` (${field})`}`),
      summary,
      ...(preview !== undefined
        ? [`Preview: ${preview}`]
        : changeRequest !== undefined
          ? [`Change request: ${changeRequest.urls.app}`]
          : []),
      ...(merged !== undefined ? [`Merged: the space is at revision ${merged}`] : [])
    ].join("\n")
  }
}

const countText = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`

const changeLine = (change: SemanticChange): string => {
  const name =
    "page" in change
      ? (change.page.path ?? change.page.title)
      : "file" in change
        ? change.file.name
        : "reusableContent" in change
          ? change.reusableContent.title
          : ""
  return `${change.type.replaceAll("_", " ")}: ${name}`.replace(/: $/, "")
}
