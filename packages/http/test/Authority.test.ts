/**
 * Permission for every operation that exists, by every role, a guest, a member of another organization and
 * someone without a token. An unseen thing is 404, one that is seen but takes more is 403, no token is 401.
 * The least roles stand in `AuthorityTable`. Each is asked with scoped tokens, too (`ScopeTable`): with every scope
 * that does not allow it, which is 403, and with one that does.
 *
 * All refusals are asked of one world, and write nothing. Each write is proved in it too where the store
 * can be set back to what it was, and in a world of its own where it can't.
 */
import { Checkpoints } from "@lectern/adapter-memory/Checkpoints"
import { MemberTable } from "@lectern/core/organization/Member"
import { AuditEventTable } from "@lectern/core/audit/AuditEvent"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage } from "@lectern/core/storage/Storage"
import { Tokens } from "@lectern/core/token/Tokens"
import { TokenScope } from "@lectern/core/token/TokenScope"
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { endpoints } from "./Endpoints.ts"
import { gaps, ladder, type Operation, operations, signed } from "./AuthorityTable.ts"
import {
  answers,
  type Caller,
  Harness,
  has,
  onEachAdapter,
  onMemory,
  type Person,
  refused,
  type Services
} from "./Harness.ts"
import { scopesFor, scopesOfBody } from "./ScopeTable.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, insertPage, merge, openChangeRequest } from "./Steps.ts"
import { makeThings, type Things } from "./Things.ts"
import { writeOf, written } from "./WriteTable.ts"

type Role = (typeof ladder)[number]

const asking = ["nobody", "outsider", "guest", ...ladder] as const satisfies ReadonlyArray<Person>
type Asking = (typeof asking)[number]

/** A guest sees the organization, and nothing in it. */
const may = ({ least }: Operation, person: Asking): boolean => {
  if (least === "everyone") return true
  if (person === "nobody" || least === "anyone") return person !== "nobody"
  if (least === "administrator") return person === "outsider" || person === "admin"
  if (person === "outsider" || least === "member") return person !== "outsider"
  return person !== "guest" && ladder.indexOf(person) >= ladder.indexOf(least)
}

const refusal = ({ least, ofOrganization, unseen, guest }: Operation, person: Asking): number => {
  if (person === "nobody") return 401
  if (least === "administrator") return 403
  if (person === "outsider") return unseen
  if (person === "guest") return ofOrganization ? guest : unseen
  return 403
}

const isLong = process.env["LECTERN_TEST"] === "all"

/** Token of a person, with these scopes. */
const scoped = Effect.fnUntraced(function* (person: Exclude<Person, "nobody">, scopes: ReadonlyArray<TokenScope>) {
  const { users } = yield* Harness
  const { token } = yield* (yield* Tokens).create(users[person], { scopes })
  return { token: Redacted.value(token) }
})

/** People who are asked for a success: to read everyone, to write the least that may, or everyone. */
const proversOf =
  (everyone: boolean) =>
  (operation: Operation): ReadonlyArray<Asking> => {
    const able = asking.filter((person) => may(operation, person))
    return operation.method === "GET" || everyone ? able : able.slice(0, 1)
  }

const makeShared = Effect.gen(function* () {
  const things = yield* makeThings
  const checkpoints = yield* Effect.serviceOption(Checkpoints)
  if (Option.isNone(checkpoints)) return { things, setBack: undefined }
  return { things, setBack: Effect.orDie(yield* checkpoints.value.create) }
})

const authority = (everyone: boolean) => (it: Vitest.MethodsNonLive<Services>) => {
  const provers = proversOf(everyone)
  /** It stays as it was made, or is set back to that. */
  let shared: { readonly things: Things; readonly setBack: Effect.Effect<void> | undefined } | undefined
  const succeeded = new Set<string>()
  const refusedTo = new Set<string>()
  const recorded = new Map<string, Set<string>>()

  for (const operation of operations) {
    it.effect(`takes ${operation.least}: ${operation.says}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { generation } = yield* Storage
        const ask = (person: Caller, things: Things, status: number) =>
          call(person, operation.method, operation.path(things), operation.body(things)).pipe(has(status))
        shared ??= yield* makeShared
        const { things, setBack } = shared
        const scopes = scopesFor(operation.method, operation.route)
        const others = TokenScope.literals.filter((scope) => !scopes.includes(scope))
        const [prover = "nobody"] = provers(operation)
        const unfit = prover === "nobody" ? undefined : yield* scoped(prover, others)
        const before = yield* generation
        if (unfit !== undefined) yield* ask(unfit, things, 403)
        for (const person of asking.filter((one) => !may(operation, one))) {
          yield* ask(person, things, refusal(operation, person))
          // SQLite counts commits that wrote nothing, too.
          if (setBack !== undefined)
            assert.strictEqual(yield* generation, before, `what was refused to ${person} wrote something`)
          refusedTo.add(`${operation.name} ${person}`)
        }
        for (const person of provers(operation)) {
          const isShared = operation.method === "GET" || setBack !== undefined
          const asked = isShared ? things : yield* makeThings
          // A write is proved once: by the least that may, with a token that is just wide enough.
          const fit =
            operation.method === "GET" || person === "nobody"
              ? person
              : yield* scoped(person, [scopes[0]!, ...scopesOfBody(operation.route, operation.body(asked))])
          // No other event has this time.
          if (operation.method !== "GET") yield* TestClock.adjust("1 milli")
          yield* ask(fit, asked, operation.success)
          if (operation.method !== "GET") {
            const actions = recorded.get(operation.name) ?? new Set()
            recorded.set(operation.name, actions)
            const log = (yield* Storage).repository(AuditEventTable)
            for (const { action } of yield* log.list({ where: { occurredAt: yield* Timestamps.now } })) {
              actions.add(action)
            }
          }
          if (operation.method !== "GET" && setBack !== undefined) yield* setBack
          succeeded.add(operation.name)
        }
        if (operation.method !== "GET" || prover === "nobody") return
        for (const scope of scopes) yield* ask(yield* scoped(prover, [scope]), things, operation.success)
      })
    )
  }

  it.effect("records of each operation that writes what was decided", () =>
    Effect.sync(() => {
      const problems = Array.from(recorded, ([name, actions]): ReadonlyArray<unknown> => {
        const decided = writeOf(name)?.recorded ?? []
        const found = [...actions].toSorted()
        return JSON.stringify(found) === JSON.stringify(decided) ? [] : [name, { decided, found }]
      }).filter((problem) => problem.length > 0)
      assert.deepStrictEqual(problems, [])
      assert.sameMembers(
        [...recorded.keys()],
        written.filter((name) => !signed.includes(name))
      )
    })
  )

  it.effect("lets a scope that writes do what the one that reads does, and names no scope that allows nothing", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(
        [...new Set(endpoints.flatMap(({ scopes }) => scopes))].toSorted(),
        TokenScope.literals.toSorted()
      )
      const known = new Set<string>(TokenScope.literals)
      for (const { name, scopes } of endpoints) {
        for (const scope of scopes.filter((one) => one.endsWith(":read"))) {
          const writing = scope.replace(/read$/, "write")
          if (known.has(writing)) assert.include<string>(scopes, writing, name)
        }
      }
    })
  )

  it.effect(`asks about every operation that there is: ${operations.length} requests by ${asking.length}`, () =>
    Effect.sync(() => {
      assert.deepStrictEqual(gaps(), [])
      for (const operation of operations) {
        assert.isTrue(succeeded.has(operation.name), operation.name)
        for (const person of asking) {
          assert.notStrictEqual(refusedTo.has(`${operation.name} ${person}`), may(operation, person), operation.name)
        }
      }
    })
  )

  it.effect("lets an editor do with its own change request what takes review with another's", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { number } = yield* openChangeRequest(space, {}, "edit")
      const path = `/v1/spaces/${space}/change-requests/${number}`
      yield* call("edit", "PATCH", path, { subject: "Mine", status: "open" }).pipe(has(200))
      yield* call("edit", "POST", `${path}/content`, { changes: [insertPage("Mine")] }).pipe(has(200))
      yield* call("edit", "POST", `${path}/update`).pipe(has(200))
      yield* call("edit", "POST", `${path}/merge`).pipe(refused(403))
      yield* call("edit", "PATCH", path, { status: "archived" }).pipe(has(200))
      for (const other of ["read", "comment"] as const) {
        yield* call(other, "PATCH", path, { status: "open" }).pipe(refused(403))
        yield* call(other, "POST", `${path}/content`, { changes: [insertPage("Theirs")] }).pipe(refused(403))
      }
      yield* call("review", "PATCH", path, { status: "open" }).pipe(has(200))
      yield* call("review", "POST", `${path}/merge`).pipe(has(200))
    })
  )

  it.effect("tells who may not do a thing before it tells that the state forbids it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { number } = yield* openChangeRequest(space)
      yield* merge(space, number)
      const path = `/v1/spaces/${space}/change-requests/${number}`
      yield* call("edit", "POST", `${path}/merge`).pipe(refused(403))
      yield* call("review", "POST", `${path}/merge`).pipe(refused(409))
      yield* call("outsider", "POST", `${path}/merge`).pipe(refused(404))
    })
  )

  it.effect("takes the level of the space before the role of the member", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id } = yield* createSpace()
      const path = `/v1/spaces/${id}`
      const may = (person: Role | "guest") => Effect.map(call(person, "GET", path), ({ status }) => status)
      yield* call("admin", "PATCH", path, { defaultLevel: null }).pipe(has(200))
      for (const person of ["read", "comment", "edit", "review", "create", "guest"] as const) {
        assert.strictEqual(yield* may(person), 404)
        const spaces = yield* call(person, "GET", `/v1/orgs/${organization}/spaces?limit=1000`).pipe(
          answers(200, Shapes.listOf(Shapes.Space))
        )
        assert.isFalse(spaces.items.some((space) => space.id === id))
        assert.strictEqual(spaces.count, spaces.items.length)
      }
      yield* call("admin", "PATCH", path, { defaultLevel: "edit" }).pipe(has(200))
      for (const person of ["read", "create"] as const) {
        const space = yield* call(person, "GET", path).pipe(answers(200, Shapes.Space))
        assert.deepInclude(space.permissions, { view: true, comment: true, edit: true, review: false, admin: false })
        yield* call(person, "POST", `${path}/change-requests`).pipe(has(201))
        yield* call(person, "PATCH", path, { title: "X" }).pipe(refused(403))
      }
      assert.strictEqual(yield* may("guest"), 404)
      yield* call("admin", "PATCH", path, { title: "Still" }).pipe(has(200))
    })
  )

  it.effect("tells each caller what it may do with a space and an organization", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id } = yield* createSpace()
      for (const person of ladder) {
        const least = (role: Role) => ladder.indexOf(person) >= ladder.indexOf(role)
        const space = yield* call(person, "GET", `/v1/spaces/${id}`).pipe(answers(200, Shapes.Space))
        assert.deepStrictEqual(space.permissions, {
          view: true,
          access: true,
          comment: least("comment"),
          edit: least("edit"),
          review: least("review"),
          merge: least("review"),
          admin: least("admin"),
          viewInviteLinks: least("admin"),
          installIntegration: least("admin"),
          triggerGitSync: least("admin")
        })
        const { permissions } = yield* call(person, "GET", `/v1/orgs/${organization}`).pipe(
          answers(200, Shapes.Organization)
        )
        assert.deepStrictEqual(permissions, {
          view: true,
          listMembers: true,
          listTeams: true,
          listIntegrations: true,
          listInstallations: true,
          ingestConversations: least("edit"),
          createContent: least("create"),
          createOpenAPISpec: least("create"),
          admin: least("admin"),
          viewBilling: least("admin"),
          installIntegration: least("admin"),
          ownTeam: least("admin")
        })
      }
    })
  )

  it.effect("keeps a member that was disabled out of everything", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const { id } = yield* createSpace()
      const members = (yield* Storage).repository(MemberTable)
      const set = (disabled: boolean) =>
        Effect.orDie(members.update({ organization, user: users.comment }, { disabled }))
      yield* set(true)
      yield* call("comment", "GET", `/v1/orgs/${organization}`).pipe(refused(404))
      yield* call("comment", "GET", `/v1/spaces/${id}`).pipe(refused(404))
      const list = yield* call("comment", "GET", "/v1/orgs?limit=1000").pipe(
        answers(200, Shapes.listOf(Shapes.Organization))
      )
      assert.isFalse(list.items.some((item) => item.id === organization))
      yield* set(false)
      yield* call("comment", "GET", `/v1/spaces/${id}`).pipe(has(200))
    })
  )
}

onEachAdapter("Authority", authority(false))
// Whoever may write does so in memory, which is set back after each.
if (isLong) onMemory("Authority of everyone", authority(true))
