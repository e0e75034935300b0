/**
 * Declares the rows and events of `@lectern/exchange`: imports, pushes, and synchronization with Git. The services
 * are in that package. The declarations are in the core because a host without the package may open the same store: it
 * removes these rows with their space, keeps their contents and uploads, and reads their events.
 */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { UserId } from "../user/User.ts"
import { uploadUse } from "../upload/UploadUse.ts"
import { Direction, GitCredentialTable, GitSyncTable } from "./GitSyncRow.ts"
import { ImportTable } from "./ImportRecord.ts"
import { ImportRunTable, unfinishedStatuses } from "./ImportRunRow.ts"
import { PushedPartTable, PushTable } from "./PushRow.ts"

/** Fields of each event. `direction`: import from the repository or export to it. */
const gitSync = { space: SpaceId, direction: Direction }

export const exchangeConcept = concept({
  events: [
    event("space_gitsync_started", gitSync),
    /**
     * The commit of an import, once the branch was read, with the revision of the space at that time; or the commit of
     * an export, once it exists, with the exported revision.
     */
    event("space_gitsync_commit_known", { ...gitSync, revision: RevisionId, commit: Schema.String }),
    /**
     * The revision of the space at the end, and the commit that was imported or exported. After a failure: the head of
     * the branch, if it was read. `startedBy`: user who started the operation, or null for the host application.
     */
    event("space_gitsync_completed", {
      ...gitSync,
      state: Schema.Literals(["success", "failure"]),
      revision: RevisionId,
      commit: Schema.optionalKey(Schema.String),
      startedBy: Schema.NullOr(UserId)
    }),
    /**
     * Emitted at the end of an import run. `import`: id of the run; `startedBy`: user who started it, or null for the
     * host application.
     */
    event("import_finished", {
      space: SpaceId,
      import: Schema.String,
      state: Schema.Literals(["success", "failure", "cancelled"]),
      startedBy: Schema.NullOr(UserId)
    })
  ],
  spaceDependents: [
    rowsWhere(GitCredentialTable, (space) => ({ space })),
    rowsWhere(GitSyncTable, (space) => ({ space })),
    rowsWhere(ImportRunTable, (space) => ({ space })),
    rowsWhere(ImportTable, (space) => ({ space })),
    rowsWhere(PushTable, (space) => ({ space })),
    rowsWhere(PushedPartTable, (space) => ({ space }))
  ],
  roots: [
    root(GitSyncTable, ({ common, pushing }) => ({ contents: [common?.content, pushing?.content] })),
    root(PushTable, ({ content }) => ({ contents: [content] })),
    root(PushedPartTable, ({ files }) => ({ blobs: files.map(({ blob }) => blob) }))
  ],
  uploadUses: [
    uploadUse(ImportRunTable, ({ status, source }) =>
      source.type === "file" && unfinishedStatuses.some((one) => one === status) ? { uploads: source.files } : {}
    )
  ],
  sealed: [GitCredentialTable]
})
