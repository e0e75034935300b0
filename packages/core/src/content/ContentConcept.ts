/**
 * Declares the event of new main content, and that revisions and earlier paths are deleted with their space.
 */
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { SpaceId } from "../space/Space.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { PageAliasTable } from "./pages/PageAlias.ts"
import { RevisionId, RevisionTable } from "./revisions/Revision.ts"
import { root } from "./store/GarbageRoot.ts"

export const contentConcept = concept({
  /** A merge or a direct edit created a new revision of the main content. */
  events: [event("space_content_updated", { space: SpaceId, revision: RevisionId })],
  spaceDependents: [
    rowsWhere(RevisionTable, (space) => ({ space })),
    rowsWhere(PageAliasTable, (space) => ({ space }))
  ],
  roots: [root(RevisionTable, ({ content, conflicts }) => ({ contents: [content], conflicts }))]
})
