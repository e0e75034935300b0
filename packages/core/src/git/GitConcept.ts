/** Events of spaces that follow a repository, and what is kept of that. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/SpaceBelonging.ts"
import { Direction, GitCredentialTable, GitSyncTable } from "./GitSync.ts"

/** `direction`: from the repository or to it. */
const gitSync = { space: SpaceId, direction: Direction }

export const gitConcept = concept({
  events: [
    event("space_gitsync_started", gitSync),
    /**
     * The commit that an import brings, once the branch was looked at; or that an export made, once it is there. With
     * the revision that the space has then, or that was exported.
     */
    event("space_gitsync_commit_known", { ...gitSync, revision: RevisionId, commit: Schema.String }),
    /**
     * The revision that the space has then, and the commit that was imported or exported. Of a failure: the one that
     * the branch stands at, if it could be looked at.
     */
    event("space_gitsync_completed", {
      ...gitSync,
      state: Schema.Literals(["success", "failure"]),
      revision: RevisionId,
      commit: Schema.optionalKey(Schema.String)
    })
  ],
  spaceBelongings: [
    rowsWhere(GitCredentialTable, (space) => ({ space })),
    rowsWhere(GitSyncTable, (space) => ({ space }))
  ],
  roots: [root(GitSyncTable, ({ common, pushing }) => ({ contents: [common?.content, pushing?.content] }))],
  sealed: [GitCredentialTable]
})
