/** Converts change requests to API resources. */
import { Effect } from "effect"
import { isSmall, jsonText } from "../content/documents/StoredDocument.ts"
import { Objects } from "../content/store/Objects.ts"
import { appUrls } from "../identity/AppUrls.ts"
import { makeMergeReadiness } from "../merge-rules/MergeReadiness.ts"
import * as JsonText from "../schema/JsonText.ts"
import { type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { hostUser } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { type ChangeRequest, type ChangeRequestRow, isOutdated } from "./ChangeRequest.ts"

export const makeChangeRequestPresenter = Effect.gen(function* () {
  const spaces = (yield* Storage).repository(SpaceTable)
  const objects = yield* Objects
  const users = yield* Users
  const urls = yield* appUrls
  const readiness = yield* makeMergeReadiness

  /** Returns change requests as API resources. The current revision of each space determines `outdated`. */
  const present = Effect.fnUntraced(function* (
    rows: ReadonlyArray<{ readonly row: ChangeRequestRow; readonly space: SpaceRow }>
  ) {
    const people = yield* users.present(
      rows.flatMap(({ row }) => [row.createdBy ?? hostUser, row.mergedBy ?? hostUser])
    )
    const descriptions = yield* objects.documents(
      rows.flatMap(({ row }) => (row.description === undefined ? [] : [row.description]))
    )
    let described = 0
    return rows.map(({ row, space }): ChangeRequest => {
      const description = row.description === undefined ? undefined : descriptions[described++]!
      const location = `${urls.publicUrl}/v1/spaces/${row.space}/change-requests/${row.id}`
      const presented: ChangeRequest = {
        object: "change-request",
        id: row.id,
        number: row.number,
        status: row.status,
        subject: row.subject,
        ...(description !== undefined && isSmall(description) && { description }),
        ...(row.agentTask !== undefined && { agentTaskId: row.agentTask }),
        createdBy: people.get(row.createdBy ?? hostUser)!,
        ...(row.mergedAt !== undefined && {
          mergedBy: people.get(row.mergedBy ?? hostUser)!,
          mergedAt: row.mergedAt
        }),
        createdAt: row.createdAt,
        updatedAt: row.updatedAt,
        space: row.space,
        revision: row.revision,
        revisionInitial: row.revisionInitial,
        ...(row.revisionMergedAncestor !== undefined && { revisionMergedAncestor: row.revisionMergedAncestor }),
        ...(row.revisionMerged !== undefined && { revisionMerged: row.revisionMerged }),
        comments: row.comments,
        outdated: isOutdated(row, space.revision),
        urls: { app: urls.changeRequest(row.space, row.id), location }
      }
      return description === undefined || isSmall(description)
        ? presented
        : JsonText.withLazyField(presented, "description", jsonText(description))
    })
  })

  const presentOne = (row: ChangeRequestRow, space: SpaceRow) =>
    Effect.map(present([{ row, space }]), ([changeRequest]) => changeRequest!)

  /**
   * Returns a change request as the API resource for a visitor of its preview. Omits the description, agent task
   * and comments, and reduces users to their names.
   */
  const presentPreviewed = Effect.fnUntraced(function* (row: ChangeRequestRow) {
    const { description: _, agentTask: __, ...summaryRow } = row
    // The space is read from the store. The policy would return it with the change request's revision as its
    // current revision.
    const space = (yield* spaces.get({ id: row.space }))!
    const presented = yield* presentOne({ ...summaryRow, comments: 0 }, space)
    return {
      ...presented,
      createdBy: userReference(presented.createdBy),
      ...(presented.mergedBy !== undefined && { mergedBy: userReference(presented.mergedBy) })
    }
  })

  /** Returns a change request with the result of the rules for merges while it can be merged. */
  const presentMergeable = Effect.fnUntraced(function* (row: ChangeRequestRow, space: SpaceRow) {
    const presented = yield* presentOne(row, space)
    if (row.status === "merged" || row.status === "archived") return presented
    return { ...presented, mergeable: yield* readiness.read(row, space) }
  })

  return { present, presentOne, presentMergeable, presentPreviewed }
})

const userReference = ({ object, id, displayName, urls }: ChangeRequest["createdBy"]) => ({
  object,
  id,
  displayName,
  urls
})
