/** Declares the events of spaces that are synchronized with a repository, and the rows that store their state. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { Direction, GitCredentialTable, GitSyncTable } from "./GitSync.ts"

/** Fields of each event. `direction`: import from the repository or export to it. */
const gitSync = { space: SpaceId, direction: Direction }

export const gitConcept = concept({
  events: [
    event("space_gitsync_started", gitSync),
    /**
     * The commit of an import, once the branch was read, with the revision of the space at that time; or the commit of
     * an export, once it exists, with the exported revision.
     */
    event("space_gitsync_commit_known", { ...gitSync, revision: RevisionId, commit: Schema.String }),
    /**
     * The revision of the space at the end, and the commit that was imported or exported. After a failure: the head of
     * the branch, if it was read.
     */
    event("space_gitsync_completed", {
      ...gitSync,
      state: Schema.Literals(["success", "failure"]),
      revision: RevisionId,
      commit: Schema.optionalKey(Schema.String)
    })
  ],
  spaceDependents: [
    rowsWhere(GitCredentialTable, (space) => ({ space })),
    rowsWhere(GitSyncTable, (space) => ({ space }))
  ],
  roots: [root(GitSyncTable, ({ common, pushing }) => ({ contents: [common?.content, pushing?.content] }))],
  sealed: [GitCredentialTable]
})
