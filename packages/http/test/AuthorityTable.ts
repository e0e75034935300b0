/**
 * Who may do what, as it was decided, in the words of this test and apart from the policies: under
 * each least role the operations that it takes, and how each is asked for. What an operation's path
 * needs is filled in from `Things`.
 */
import { endpoints } from "./Endpoints.ts"
import type { Method } from "./Harness.ts"
import { insertPage } from "./Steps.ts"
import type { Things } from "./Things.ts"

export const ladder = ["read", "comment", "edit", "review", "create", "admin"] as const

/** `anyone`: with a token. `member`: of the organization, guests too. */
export type Least = (typeof ladder)[number] | "anyone" | "member"

interface Request {
  readonly query?: string
  readonly body?: unknown | ((things: Things) => unknown)
  /** Default: 204 for a DELETE, else 200. */
  readonly success?: number
  /** For whom the thing itself does not exist. Default: 404. */
  readonly unseen?: number
  /** For a guest, where the organization is asked for more than a guest may. Default: 403. */
  readonly guest?: number
}

const ask: Request = {}
const make = (body: unknown = {}): Request => ({ body, success: 201 })
const send = (body: unknown): Request => ({ body })
/** A guest does not see the collection that this one is made in, so for it there is none. */
const makeWithin: Request = { ...make(({ collection }: Things) => ({ parent: collection })), guest: 400 }
/** A delete of what can't be seen has removed it as far as the caller knows. */
const destroy: Request = { unseen: 204 }

const reading = (group: string) =>
  Object.fromEntries(["revision", "pages", "files", "file", "page"].map((name) => [`${group}.${name}`, ask]))

const granting = (group: string): Readonly<Record<string, Request>> => ({
  [`${group}.give`]: { body: ({ user }: Things) => ({ users: [user], role: "read" }), success: 204 },
  [`${group}.listUsers`]: ask,
  [`${group}.listTeams`]: ask,
  [`${group}.aggregate`]: ask,
  [`${group}.changeUser`]: { body: { role: "read" }, success: 204 },
  [`${group}.removeUser`]: ask,
  [`${group}.changeTeam`]: { body: { role: "read" }, success: 204 },
  [`${group}.removeTeam`]: ask
})

const handingOver = send(({ target }: Things) => ({ organization: target }))

const rows: ReadonlyArray<readonly [Least, Readonly<Record<string, Request | ReadonlyArray<Request>>>]> = [
  ["anyone", { "users.me": ask, "organizations.list": ask, "organizations.create": make({ title: "Own" }) }],
  [
    "member",
    {
      "organizations.get": ask,
      "members.list": ask,
      "members.get": ask,
      "collections.list": [ask, { query: "nested=false" }],
      "spaces.list": ask,
      "changeRequests.listInOrganization": ask
    }
  ],
  [
    "read",
    {
      "spaces.get": ask,
      "collections.get": ask,
      "collections.listSpaces": ask,
      "search.space": { query: "query=page" },
      "changeRequests.list": ask,
      "changeRequests.get": ask,
      "changeRequests.changes": ask,
      "revisions.changes": ask,
      ...reading("spaceContent"),
      ...reading("changeRequestContent"),
      ...reading("revisions")
    }
  ],
  ["edit", { "changeRequests.create": make() }],
  [
    "review",
    {
      // Another's: the author of a change request changes it as an editor.
      "changeRequests.update": [send({ subject: "New" }), send({ status: "open" }), send({ status: "archived" })],
      "changeRequests.write": send({ changes: [insertPage("New")] }),
      "changeRequests.pull": ask,
      "changeRequests.resolve": send({ keep: "ours" }),
      "changeRequests.merge": ask
    }
  ],
  [
    "create",
    {
      "collections.create": [make(), makeWithin],
      "collections.move": [send({}), send({ parent: null })],
      "spaces.create": [make(), makeWithin],
      "spaces.duplicate": make(),
      "spaces.move": [send({}), send(({ collection }: Things) => ({ parent: collection }))]
    }
  ],
  [
    "admin",
    {
      "organizations.update": send({ title: "Acme" }),
      "members.update": send({ role: "read" }),
      "members.remove": ask,
      "members.invite": send({ emails: ["read@example.com"], role: "read" }),
      "collections.update": [send({ title: "New" }), send({ defaultLevel: "inherit" })],
      "collections.remove": destroy,
      "collections.transfer": handingOver,
      "spaces.update": [send({ title: "New" }), send({ defaultLevel: "inherit" }), send({ visibility: "private" })],
      "spaces.remove": destroy,
      "spaces.restore": ask,
      "spaces.transfer": handingOver,
      ...granting("spaceGrants"),
      ...granting("collectionGrants")
    }
  ]
]

/** Those that no token decides about: their address is signed. */
export const signed = ["downloads.file"]

export interface Operation {
  readonly name: string
  readonly least: Least
  readonly method: Method
  readonly path: (things: Things) => string
  readonly body: (things: Things) => unknown
  readonly success: number
  readonly unseen: number
  readonly guest: number
  /** Whether it is asked of an organization, which a guest can see; else of content. */
  readonly ofOrganization: boolean
  /** Tells apart the requests of one operation. */
  readonly says: string
}

const endpointNamed = (name: string) => endpoints.find((endpoint) => endpoint.name === name)

/** Every request of the table. A row of an endpoint that does not exist is none; see `unknown`. */
export const operations: ReadonlyArray<Operation> = rows.flatMap(([least, named]) =>
  Object.entries(named).flatMap(([name, requests]) => {
    const endpoint = endpointNamed(name)
    if (endpoint === undefined) return []
    return [requests].flat().map((request: Request): Operation => {
      const { body, query, unseen = 404, guest = 403 } = request
      return {
        name,
        least,
        method: endpoint.method as Method,
        path: (things) =>
          endpoint.segments
            .map((segment) => (segment.startsWith(":") ? fill(name, segment.slice(1), things) : segment))
            .join("/") + (query === undefined ? "" : `?${query}`),
        body: (things) => (typeof body === "function" ? body(things) : body),
        success: request.success ?? (endpoint.method === "DELETE" ? 204 : 200),
        unseen,
        guest,
        ofOrganization: endpoint.segments.includes(":organizationId"),
        says: `${endpoint.method} ${endpoint.segments.join("/")} ${query ?? (typeof body === "function" ? "…" : (JSON.stringify(body) ?? ""))}`
      }
    })
  })
)

/** Endpoints without a row, rows without an endpoint, and what stands in more than one row. */
export const gaps = (): ReadonlyArray<string> => {
  const named = [...rows.flatMap(([, operations]) => Object.keys(operations)), ...signed]
  return [
    ...endpoints.map(({ name }) => name).filter((name) => !named.includes(name)),
    ...named.filter((name, i) => endpointNamed(name) === undefined || named.indexOf(name) !== i)
  ]
}

const fill = (name: string, parameter: string, things: Things): string => {
  const values: Readonly<Record<string, string>> = {
    organizationId: things.org,
    spaceId: things.space,
    changeRequestId: things.cr,
    conflictId: things.conflict,
    pageId: things.page,
    fileId: things.file,
    revisionId: things.revision,
    collectionId: things.collection,
    userId: name.startsWith("members.") ? things.member : things.user,
    teamId: things.team
  }
  const value = values[parameter]
  if (value === undefined) throw new Error(`Nothing to fill :${parameter} of ${name} with`)
  return value
}
