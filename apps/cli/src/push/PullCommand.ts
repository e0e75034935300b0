/** Work and output of `lectern pull`. */
import { Effect, type Option } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import type { CommandOutput } from "../Output.ts"
import * as FolderPull from "./FolderPull.ts"
import * as ServerApi from "./ServerApi.ts"
import * as SyncState from "./SyncState.ts"
import * as Token from "./Token.ts"

export interface PullFlags {
  readonly folder: string
  readonly server: string
  readonly space: string
  readonly changeRequest: string | undefined
  readonly tokenFile: Option.Option<string>
  readonly force: boolean
}

interface RevisionOwner {
  readonly revision: string
  readonly subject?: string
}

export const run = Effect.fnUntraced(function* (flags: PullFlags) {
  const { folder, server, space, force } = flags
  const api = yield* ServerApi.make(server, yield* Token.read(flags.tokenFile))
  const revision = yield* ServerApi.orFail(revisionOf(api, space, flags.changeRequest))
  const state = SyncState.read(folder, { server, space })
  const pulled = yield* ServerApi.orFail(FolderPull.pull({ api, folder, space, revision, state, force }))
  const { changed, files, removed, unchanged } = pulled
  yield* SyncState.write(folder, { version: 1, server, space, revision, since: revision, pulled: true, files })
  return {
    json: { revision, changed, removed, unchanged },
    text: [
      ...changed.map((path) => `Wrote ${path}`),
      ...removed.map((path) => `Removed ${path}`),
      `Pulled revision ${revision} into ${folder}: ${changed.length} written, ${removed.length} removed, ${unchanged} unchanged`
    ].join("\n")
  } satisfies CommandOutput
})

/** Returns the revision of the main content, or of the change request with this name. */
const revisionOf = Effect.fnUntraced(function* (api: ServerApi.ServerApi, space: string, name: string | undefined) {
  const path = `/spaces/${encodeURIComponent(space)}`
  if (name === undefined) return (yield* api.json<RevisionOwner>(path)).revision
  for (const status of ["open", "draft"]) {
    const { items } = yield* api.json<{ readonly items: ReadonlyArray<RevisionOwner> }>(
      `${path}/change-requests?limit=1000&status=${status}`
    )
    const found = items.find(({ subject }) => subject === name)
    if (found !== undefined) return found.revision
  }
  return yield* new CommandFailed({ message: `There is no open change request "${name}" in the space` })
})
