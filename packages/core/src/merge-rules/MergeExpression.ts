/**
 * Expressions of `custom` rules: their syntax (see `Rule` of `@lectern/document`) over the space, the change request,
 * its reviews and the user who merges. The values have the names and fields of `MergeRulesEvaluationContext` of
 * `@gitbook/api` 0.202.0, without those that other users can choose, such as the name of a user.
 *
 * `reviews` contains only current reviews, because no rule counts outdated ones.
 */
import { type Shape, type Shapes } from "@lectern/document/condition/Rule"
import { type ChangeRequestRow, isOutdated } from "../change-request/ChangeRequest.ts"
import type { ReviewRow } from "../review/Review.ts"
import type { SpaceRow } from "../space/Space.ts"
import { hostUser, type UserId } from "../user/User.ts"

const text: Shape = { type: "text" }
const number: Shape = { type: "number" }
const boolean: Shape = { type: "boolean" }
const user = (optional: boolean): Shape => ({ type: "object", fields: { id: text, email: text }, optional })

/** Values of an expression. */
export const shapes: Shapes = {
  space: {
    type: "object",
    fields: {
      id: text,
      title: text,
      language: text,
      visibility: text,
      revision: text,
      createdAt: text,
      updatedAt: text
    }
  },
  changeRequest: {
    type: "object",
    fields: {
      id: text,
      number,
      status: { type: "text", values: ["draft", "open"] },
      subject: text,
      description: { type: "presence" },
      outdated: boolean,
      comments: number,
      createdBy: user(false),
      revision: text,
      createdAt: text,
      updatedAt: text
    }
  },
  reviews: {
    type: "list",
    item: {
      type: "object",
      fields: {
        id: text,
        status: { type: "text", values: ["approved", "changes-requested"] },
        reviewer: user(false),
        requestedBy: user(true),
        revision: text,
        outdated: boolean,
        createdAt: text,
        updatedAt: text
      }
    }
  },
  actor: user(false)
}

export interface ExpressionFacts {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow
  /** Reviews that count. */
  readonly reviews: ReadonlyArray<ReviewRow>
  /** User who merges. Null for the host application. */
  readonly actor: UserId | null
  /** Email addresses by user (see `usersOf`). */
  readonly emails: ReadonlyMap<UserId, string>
}

/** Returns the users whose email addresses an expression may read. */
export const usersOf = ({ changeRequest, reviews, actor }: Omit<ExpressionFacts, "emails">): ReadonlyArray<UserId> => [
  ...new Set(
    [changeRequest.createdBy, actor, ...reviews.flatMap((one) => [one.reviewer, one.requestedBy])].filter(
      (id) => id !== null && id !== undefined
    )
  )
]

/** Returns the values of an expression by name. */
export const valuesOf = ({ space, changeRequest, reviews, actor, emails }: ExpressionFacts) => {
  const userOf = (id: UserId | null) => (id === null ? { id: hostUser } : { id, email: emails.get(id) })
  return {
    space: {
      id: space.id,
      title: space.title,
      language: space.language,
      visibility: space.visibility,
      revision: space.revision,
      createdAt: space.createdAt,
      updatedAt: space.updatedAt
    },
    changeRequest: {
      id: changeRequest.id,
      number: changeRequest.number,
      status: changeRequest.status,
      subject: changeRequest.subject,
      description: changeRequest.description === undefined ? undefined : {},
      outdated: isOutdated(changeRequest, space.revision),
      comments: changeRequest.comments,
      createdBy: userOf(changeRequest.createdBy),
      revision: changeRequest.revision,
      createdAt: changeRequest.createdAt,
      updatedAt: changeRequest.updatedAt
    },
    reviews: reviews.map(({ id, status, reviewer, requestedBy, revision, createdAt, updatedAt }) => ({
      id,
      status,
      reviewer: userOf(reviewer),
      requestedBy: requestedBy === undefined ? undefined : userOf(requestedBy),
      revision,
      outdated: false,
      createdAt,
      updatedAt
    })),
    actor: userOf(actor)
  }
}
