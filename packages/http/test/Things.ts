/** One of everything that an operation may be asked about, made by the organization's administrator. */
import { Effect } from "effect"
import { answers, Harness, has } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import {
  createCollection,
  createMember,
  createSpace,
  createTeam,
  insertPage,
  merge,
  openChangeRequest,
  publish,
  write
} from "./Steps.ts"

export interface Things {
  readonly org: string
  /** With content. */
  readonly space: string
  /** A change request of the administrator's, with a conflict. */
  readonly cr: string
  readonly conflict: string
  readonly page: string
  readonly file: string
  readonly revision: string
  readonly collection: string
  /** Whose grant changes nothing: the administrator. */
  readonly user: string
  /** Someone that nothing else knows of. */
  readonly member: string
  readonly team: string
  /** Another organization of the administrator's. */
  readonly target: string
}

export const makeThings = Effect.gen(function* () {
  const { call, organization, users } = yield* Harness
  const space = yield* createSpace()
  const { idOf, insertedFiles, revision } = yield* publish(space.id, [
    insertPage("Page"),
    { operation: "insert_files", files: [{ name: "x.txt", base64: btoa("x") }] }
  ])
  const page = idOf("Page")
  const { id } = yield* openChangeRequest(space.id)
  yield* write(space.id, id, [{ operation: "update_page", page, title: "Ours" }])
  yield* publish(space.id, [{ operation: "update_page", page, title: "Main" }])
  yield* merge(space.id, id)
  const path = `/v1/spaces/${space.id}/change-requests/${id}/changes`
  const { conflicts } = yield* call("admin", "GET", path).pipe(answers(200, Shapes.ChangeRequestChanges))
  const collection = yield* createCollection()
  const team = yield* createTeam
  for (const content of [`/v1/spaces/${space.id}`, `/v1/collections/${collection.id}`]) {
    for (const to of [{ users: [users.admin] }, { teams: [team] }]) {
      yield* call("admin", "POST", `${content}/permissions`, { ...to, role: "read" }).pipe(has(204))
    }
  }
  const target = yield* call("admin", "POST", "/v1/orgs", { title: "Target" }).pipe(answers(201, Shapes.Organization))
  return {
    org: organization,
    space: space.id,
    cr: id,
    conflict: conflicts[0]?.id ?? "",
    page,
    file: insertedFiles?.[0]?.id ?? "",
    revision,
    collection: collection.id,
    user: users.admin,
    member: yield* createMember,
    team,
    target: target.id
  } satisfies Things
})
