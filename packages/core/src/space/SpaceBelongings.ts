/**
 * Belongings of a space, which are removed with it in this order; the space itself is the last. A concept that
 * keeps something of a space adds its line here.
 */
import { Effect } from "effect"
import { GrantTable } from "../grant/Grant.ts"
import { ChangeRequestTable } from "../change-request/ChangeRequest.ts"
import { CommenterTable, CommentReplyTable, CommentTable } from "../comment/Comment.ts"
import { ReactionTable } from "../comment/Reaction.ts"
import { ComputedAnswerTable } from "../computed/ComputedAnswer.ts"
import { ImportTable } from "../content/import/ImportRecord.ts"
import { GitCredentialTable, GitSyncTable } from "../git/GitSync.ts"
import { LinkedBlocksTable } from "../integration/UnfurledLink.ts"
import { PageAliasTable } from "../content/pages/PageAlias.ts"
import { RevisionTable } from "../content/revisions/Revision.ts"
import { LinkedSpaceTable } from "../link-check/LinkCheck.ts"
import { PdfTable } from "../pdf/Pdf.ts"
import { RequestedReviewerTable, ReviewTable } from "../review/Review.ts"
import { SearchIndexing } from "../search/indexing/SearchIndexing.ts"
import { FormerPlaceTable } from "../site/FormerPlace.ts"
import type { Condition } from "../storage/Condition.ts"
import { removeSlice } from "../storage/RemoveInSlices.ts"
import type { Table } from "../storage/Table.ts"
import { TranslatedTable, TranslationTable } from "../translation/Translation.ts"
import type { SpaceId } from "./Space.ts"

const rows =
  <T extends Table>(table: T, where: (space: SpaceId) => Condition<T>) =>
  (space: SpaceId) =>
    removeSlice(table, where(space))

/** Each removes as much as one short transaction does, and tells how much that was: 0 when nothing is left. */
export const belongings = [
  rows(ChangeRequestTable, (space) => ({ space })),
  rows(RevisionTable, (space) => ({ space })),
  rows(CommentTable, (space) => ({ space })),
  rows(CommentReplyTable, (space) => ({ space })),
  rows(CommenterTable, (space) => ({ space })),
  rows(ReactionTable, (space) => ({ space })),
  rows(ReviewTable, (space) => ({ space })),
  rows(RequestedReviewerTable, (space) => ({ space })),
  rows(PageAliasTable, (space) => ({ space })),
  rows(FormerPlaceTable, (space) => ({ space })),
  rows(GrantTable, (content) => ({ content })),
  rows(LinkedBlocksTable, (space) => ({ space })),
  rows(LinkedSpaceTable, (space) => ({ space })),
  rows(ComputedAnswerTable, (space) => ({ space })),
  rows(PdfTable, (space) => ({ space })),
  rows(ImportTable, (space) => ({ space })),
  rows(TranslationTable, (space) => ({ space })),
  rows(TranslatedTable, (space) => ({ space })),
  rows(GitCredentialTable, (space) => ({ space })),
  rows(GitSyncTable, (space) => ({ space })),
  (space: SpaceId) => SearchIndexing.use((indexing) => Effect.as(indexing.remove(space), 0))
]
