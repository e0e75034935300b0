/** The steps that most tests begin with, taken by the organization's administrator unless said otherwise. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { Role } from "@lectern/core/access/Role"
import { Ids } from "@lectern/core/identity/Ids"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Effect } from "effect"
import { belowTitle } from "../../core/test/content/BelowTitle.ts"
import * as DiscussionShapes from "./DiscussionShapes.ts"
import { answers, Harness, type Person } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"

export const createSpace = Effect.fnUntraced(function* (input: Record<string, unknown> = {}, by: Person = "admin") {
  const { call, organization } = yield* Harness
  return yield* call(by, "POST", `/v1/orgs/${organization}/spaces`, input).pipe(answers(201, Shapes.Space))
})

export const createCollection = Effect.fnUntraced(function* (input: Record<string, unknown> = {}) {
  const { call, organization } = yield* Harness
  return yield* call("admin", "POST", `/v1/orgs/${organization}/collections`, input).pipe(
    answers(201, Shapes.Collection)
  )
})

/** A team without members. */
export const createTeam = Effect.gen(function* () {
  const { call, organization } = yield* Harness
  const { id } = yield* call("admin", "PUT", `/v1/orgs/${organization}/teams`, { title: "Team" }).pipe(
    answers(201, Shapes.Team)
  )
  return id
})

/** A comment of the administrator's with a reply, on a space or on a change request. */
export const createDiscussion = Effect.fnUntraced(function* (scope: string) {
  const { call } = yield* Harness
  const body = { markdown: "Said" }
  const comment = yield* call("admin", "POST", `${scope}/comments`, { body }).pipe(
    answers(200, DiscussionShapes.Comment)
  )
  const reply = yield* call("admin", "POST", `${scope}/comments/${comment.id}/replies`, { body }).pipe(
    answers(200, DiscussionShapes.CommentReply)
  )
  return { comment: comment.id, reply: reply.id }
})

/** A member that nothing else knows of. */
export const createMember = Effect.gen(function* () {
  const { organization } = yield* Harness
  const email = `${(yield* (yield* Ids).next).toLowerCase()}@example.com`
  const { id } = yield* (yield* Users).create({ email }).pipe(Effect.orDie)
  yield* join(organization, id, "read")
  return id
})

/** Takes a user in as the operator does: at once. */
export const join = Effect.fnUntraced(function* (organization: string, user: string, role: Role | null) {
  yield* (yield* Organizations).join(OrganizationId.make(organization), UserId.make(user), role).pipe(Effect.orDie)
})

/** An organization of this person's, made by the operator. */
export const foundOrganization = Effect.fnUntraced(function* (title: string, administrator: string) {
  const organizations = yield* Organizations
  const found = organizations.create({ title }, UserId.make(administrator))
  return yield* found.pipe(Effect.provideService(CurrentActor, host), Effect.orDie)
})

export const getSpace = Effect.fnUntraced(function* (space: string) {
  const { call } = yield* Harness
  return yield* call("admin", "GET", `/v1/spaces/${space}`).pipe(answers(200, Shapes.Space))
})

export const openChangeRequest = Effect.fnUntraced(function* (
  space: string,
  input: Record<string, unknown> = {},
  by: Person = "admin"
) {
  const { call } = yield* Harness
  return yield* call(by, "POST", `/v1/spaces/${space}/change-requests`, input).pipe(answers(201, Shapes.ChangeRequest))
})

export const getChangeRequest = Effect.fnUntraced(function* (space: string, changeRequest: string | number) {
  const { call } = yield* Harness
  return yield* call("admin", "GET", `/v1/spaces/${space}/change-requests/${changeRequest}`).pipe(
    answers(200, Shapes.ChangeRequest)
  )
})

/** Writes a batch of changes; the pages of its outcome by their refs. */
export const write = Effect.fnUntraced(function* (
  space: string,
  changeRequest: string | number,
  changes: ReadonlyArray<Record<string, unknown>>,
  by: Person = "admin"
) {
  const { call } = yield* Harness
  const path = `/v1/spaces/${space}/change-requests/${changeRequest}/content?compat=false`
  const update = yield* call(by, "POST", path, { changes }).pipe(answers(200, Shapes.ContentUpdate))
  const pages = new Map(
    update.changes.map(({ ref, page }) => [ref ?? "", typeof page === "string" ? page : page.id] as const)
  )
  return { ...update, idOf: (ref: string) => pages.get(ref) ?? "" }
})

export const merge = Effect.fnUntraced(function* (space: string, changeRequest: string | number) {
  const { call } = yield* Harness
  return yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/${changeRequest}/merge`).pipe(
    answers(200, Shapes.MergeResult)
  )
})

export const insertPage = (title: string, markdown = "", more: Record<string, unknown> = {}) => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ref: title,
  ...more
})

/** Puts changes into the space's main content, by a change request that is merged at once. */
export const publish = Effect.fnUntraced(function* (space: string, changes: ReadonlyArray<Record<string, unknown>>) {
  const { id } = yield* openChangeRequest(space)
  const update = yield* write(space, id, changes)
  const { revision } = yield* merge(space, id)
  return { ...update, changeRequest: id, revision }
})

/** A space whose content is these pages, with the ids of the pages by their titles. */
export const spaceWith = Effect.fnUntraced(function* (pages: Readonly<Record<string, string>>) {
  const space = yield* createSpace({ title: "Docs" })
  const changes = Object.entries(pages).map(([title, markdown]) => insertPage(title, markdown))
  return { space: space.id, ...(yield* publish(space.id, changes)) }
})

/** A page, with its Markdown below the title. */
export const pageOf = Effect.fnUntraced(function* (content: string, page: string, by: Person = "admin") {
  const { call } = yield* Harness
  const read = yield* call(by, "GET", `${content}/page/${page}`).pipe(answers(200, Shapes.Page))
  return read.markdown === undefined ? read : { ...read, markdown: belowTitle(read.markdown) }
})
