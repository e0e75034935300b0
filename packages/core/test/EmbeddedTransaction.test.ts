import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, beforeAll, afterAll, describe, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import { type EmbeddedLectern, open } from "@lectern/core/EmbeddedLectern"
import type { EmbeddedTransaction } from "@lectern/core/EmbeddedTransaction"
import * as Job from "@lectern/core/job/Job"
import * as Lectern from "@lectern/core/Lectern"
import type { LecternServices } from "@lectern/core/Lectern"
import { kindOf, offer, type Services } from "@lectern/core/Services"
import { UserTokens } from "@lectern/core/token/UserTokens"
import { Context, Effect, Schema } from "effect"
import { Faults } from "../../adapter-memory/test/late/Faults.ts"
import * as LateStorage from "../../adapter-memory/test/late/LateStorage.ts"
import { onEach } from "./Adapters.ts"

const Greet = Job.kind("acme/greet", Schema.Struct({ user: Schema.String }))

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error
  )

/** Notes the name of each method that is called and succeeds. */
const noting = (tx: EmbeddedTransaction, called: Set<string>): EmbeddedTransaction => ({
  ...(notingGroup("", tx, called) as EmbeddedTransaction),
  as: (actor) => noting(tx.as(actor), called)
})

const notingGroup = (path: string, group: object, called: Set<string>): object =>
  Object.fromEntries(
    Object.entries(group).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === "object" && member !== null
        ? notingGroup(`${path}${name}.`, member, called)
        : async (...args: ReadonlyArray<unknown>) => {
            const answer = await (member as (...args: ReadonlyArray<unknown>) => unknown)(...args)
            called.add(`${path}${name}`)
            return answer
          }
    ])
  )

const everything = async (tx: EmbeddedTransaction) => {
  const { id: ada } = await tx.users.create({ email: "ada@example.com" })
  const { id: eve } = await tx.users.sync("42", { email: "eve@example.com" })
  await tx.users.byEmail("eve@example.com")
  await tx.users.get(eve)
  const { id: organization } = await tx.organizations.create({ title: "Acme" }, ada)
  await tx.organizations.join(organization, eve, "read")
  await tx.organizations.syncMembers(organization, [{ externalId: "42", email: "eve@example.com", role: "read" }])
  await tx.organizations.update(organization, { title: "Acme Inc" })
  await tx.organizations.get(organization)
  await tx.as(ada).users.me()
  await tx.as(ada).organizations.list({})
  await tx.organizations.members.list(organization, {})
  await tx.organizations.members.get(organization, eve)
  await tx.organizations.members.changeRole(organization, eve, "edit")
  await tx.as(ada).organizations.members.ping(organization)

  const { id: team } = await tx.teams.create(organization, { title: "Writers" })
  await tx.teams.update(organization, team, { title: "Authors" })
  await tx.teams.get(organization, team)
  await tx.teams.list(organization, {})
  await tx.teams.putMember(organization, team, eve, { role: "member" })
  await tx.teams.updateMembers(organization, team, { add: [ada] })
  await tx.teams.listMembers(organization, team, {})
  await tx.teams.listOfMember(organization, eve, {})
  await tx.teams.removeMember(organization, team, eve)

  const { id: collection } = await tx.collections.create(organization, { title: "Guides" })
  const { id: inner } = await tx.collections.create(organization, { title: "Inner" })
  await tx.collections.move(inner, { parent: collection })
  await tx.collections.update(inner, { title: "More" })
  await tx.collections.get(inner)
  await tx.collections.list(organization, {})
  const { id: space } = await tx.as(ada).spaces.create(organization, { title: "Handbook" })
  await tx.spaces.move(space, { parent: collection })
  await tx.spaces.update(space, { title: "The handbook" })
  await tx.spaces.get(space)
  await tx.spaces.list(organization, {})
  await tx.spaces.listInCollection(collection, {})
  await tx.spaces.listOfMember(organization, ada, {})
  await tx.collections.remove(inner)

  const target = { kind: "space", id: space } as const
  await tx.grants.grant(target, { users: [eve], role: "edit" })
  await tx.grants.change(target, "user", eve, "read")
  await tx.grants.listUsers(target, {})
  await tx.grants.listTeams(target, {})
  await tx.grants.remove(target, "user", eve)

  const { id: draft } = await tx.changeRequests.create(space, { subject: "A first page" })
  await tx.changeRequests.get(space, draft)
  await tx.changeRequests.list(space, {})
  await tx.changeRequests.checks.set(space, draft, "build", { state: "passed" })
  await tx.changeRequests.checks.list(space, draft, {})
  await tx.changeRequests.checks.remove(space, draft, "build")
  const { id: site } = await tx.sites.create(organization, { title: "Docs" })
  await tx.sites.update(organization, site, { title: "The docs" })
  await tx.sites.get(organization, site)
  await tx.sites.list(organization, {})
  const { id: siteSpace } = await tx.sites.siteSpaces.add(organization, site, { spaceId: space })
  await tx.sites.siteSpaces.list(organization, site, {})
  await tx.sites.siteSpaces.update(organization, site, siteSpace, { path: "shown" })
  const { id: other } = await tx.spaces.create(organization, {})
  const added = await tx.sites.siteSpaces.add(organization, site, { spaceId: other })
  await tx.sites.siteSpaces.remove(organization, site, added.id)

  const job = await tx.jobs.enqueue(Greet, { user: eve })
  await tx.jobs.get(job)
  await tx.jobs.list({ status: "waiting" })
  await tx.spaces.remove(other)
  await tx.spaces.listDeleted(organization, {})
  await tx.spaces.restore(other)
  await tx.teams.remove(organization, team)
  await tx.organizations.members.remove(organization, eve)
  return { ada, organization, space }
}

let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lectern-transactions-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const opening = {
  memory: () => MemoryLectern.open({ rerunBodies: true, background: false }),
  sqlite: () => SqliteLectern.open({ file: join(folder, `${files++}.db`), background: false })
}

/** The same type, neither wider nor narrower. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

describe("methods of a transaction", () => {
  it("are those that concepts declare, each with its own type", () => {
    const same: readonly [
      Same<keyof EmbeddedTransaction["jobs"], "enqueue" | "get" | "list">,
      Same<EmbeddedTransaction["jobs"]["enqueue"], EmbeddedLectern["jobs"]["enqueue"]>,
      Same<EmbeddedTransaction["spaces"]["update"], EmbeddedLectern["spaces"]["update"]>,
      Same<keyof EmbeddedTransaction["teams"], keyof EmbeddedLectern["teams"]>,
      Same<keyof EmbeddedTransaction["organizations"]["members"], keyof EmbeddedLectern["organizations"]["members"]>,
      Same<keyof EmbeddedTransaction["changeRequests"], "list" | "create" | "get" | "checks">,
      Same<Extract<keyof EmbeddedTransaction, "content" | "search" | "run" | "transaction">, never>
    ] = [true, true, true, true, true, true, true]
    assert.notInclude(same, false)
  })

  it("are declared of each service and method, or it does not compile", () => {
    const parts = { list: "transactional", get: "transactional", create: "outsideTransaction" } as const
    const all = offer(UserTokens, { ...parts, revoke: "internal" })
    assert.strictEqual(kindOf(all, "list"), "transactional")
    assert.strictEqual(kindOf(all, "create"), "outsideTransaction")
    assert.strictEqual(kindOf(all, "revoke"), "internal")
    assert.isUndefined(kindOf(all, "constructor"))
    assert.strictEqual(kindOf(offer(UserTokens, "outsideTransaction"), "list"), "outsideTransaction")
    // @ts-expect-error: `offer` requires the kinds of the methods.
    offer(UserTokens)
    // @ts-expect-error: each method needs a kind, and `revoke` has none.
    offer(UserTokens, parts)
    // @ts-expect-error: `long` is not a kind.
    offer(UserTokens, { ...parts, revoke: "long" })
    // @ts-expect-error: `offered` requires offers, and a service alone is none.
    const undeclared = { jobs: [], offered: { userTokens: UserTokens } } as const satisfies Services
    assert.isDefined(undeclared)
  })

  it("belong to the services in the guide and in the comment of the type", () => {
    const short = Object.entries(Lectern.offered)
      .filter(([, { methods }]) => [methods, ...Object.values(methods)].includes("transactional"))
      .map(([path]) => path)
    for (const file of ["docs/guides/embed-lectern.md", "packages/core/src/EmbeddedTransaction.ts"]) {
      const text = readFileSync(join(import.meta.dirname, "../../..", file), "utf8").replaceAll("\n *", "")
      const listed = /transactional methods of ((?:[^.]|\.\w)*?)(?:\.\s|,\s+called)/
        .exec(text)![1]!
        .match(/[\w.]+(?=`)/g)
      assert.sameMembers(listed!, short, file)
    }
  })
})

for (const [name, open] of onEach(opening)) {
  describe(`a transaction over several services (${name})`, () => {
    const test = (title: string, body: (lectern: EmbeddedLectern) => Promise<void>) =>
      it(title, async () => {
        const lectern = await open()
        await body(lectern).finally(() => lectern.close())
      })

    test("has every short method, and is seen by others when it has ended", async (lectern) => {
      const called = new Set<string>()
      const written = Promise.withResolvers<void>()
      const seen = Promise.withResolvers<void>()
      const committed = lectern.transaction(async (tx) => {
        const made = await everything(noting(tx, called))
        written.resolve()
        await seen.promise
        return made
      })
      await written.promise
      const seenBefore = await lectern.users.byEmail("ada@example.com")
      seen.resolve()
      const { space, ada } = await committed
      assert.isUndefined(seenBefore)
      assert.strictEqual((await lectern.as(ada).spaces.get(space)).title, "The handbook")
      const all = await lectern.run(
        Effect.context<LecternServices>().pipe(
          Effect.map((context) =>
            Object.entries(Lectern.offered).flatMap(([path, offered]) =>
              Object.keys(Context.get(context, offered.service as unknown as Context.Key<never, object>))
                .filter((method) => kindOf(offered, method) === "transactional")
                .map((method) => `${path}.${method}`)
            )
          )
        )
      )
      assert.sameMembers([...called], all)
    })

    test("leaves nothing when it throws, though a call that failed leaves nothing alone", async (lectern) => {
      const error = await failure(
        lectern.transaction(async (tx) => {
          await everything(tx)
          throw new TypeError("changed my mind")
        })
      )
      assert.instanceOf(error, TypeError)
      assert.isUndefined(await lectern.users.byEmail("ada@example.com"))
      await lectern.transaction(async (tx) => {
        await tx.users.create({ email: "ada@example.com" })
        const taken = await failure(tx.users.create({ email: "ADA@example.com" }))
        assert.deepInclude(taken, { name: "EmailInUse" })
        await tx.users.create({ email: "eve@example.com" })
      })
      assert.isDefined(await lectern.users.byEmail("eve@example.com"))
    })

    test("refuses what computes outside of transactions by its name, and goes on", async (lectern) => {
      const { space, draft } = await lectern.transaction(async (tx) => {
        const { id: organization } = await tx.organizations.create({ title: "Acme" })
        const { id: space } = await tx.spaces.create(organization, {})
        const { id: draft } = await tx.changeRequests.create(space, {})
        const all = tx as unknown as EmbeddedLectern
        for (const [refused, method] of [
          [() => all.changeRequests.content.write(space, draft, []), "changeRequests.content.write"],
          [() => all.search.space(space, "word", {}), "search.space"],
          [() => all.transaction(async () => {}), "transaction"],
          [() => all.run(undefined as never), "run"],
          [() => all.as("eve").content.locate({ space }), "content.locate"]
        ] as const) {
          assert.deepInclude(await failure(refused()), {
            name: "NotInTransaction",
            method,
            message: `${method} can't be part of a transaction: call it before or after`
          })
        }
        return { space, draft }
      })
      await lectern.changeRequests.get(space, draft)
    })

    test("refuses calls without its argument at once, but not after its end", async (lectern) => {
      const ended = Promise.withResolvers<void>()
      const later = await lectern.transaction(async (tx) => {
        for (const call of [
          () => lectern.users.create({ email: "eve@example.com" }),
          () => lectern.as("eve").organizations.list({}),
          () => lectern.transaction(async () => {})
        ]) {
          assert.deepInclude(await failure(call()), { name: "CallOutsideTransaction" })
        }
        await tx.users.create({ email: "ada@example.com" })
        return { created: ended.promise.then(() => lectern.users.create({ email: "eve@example.com" })) }
      })
      ended.resolve()
      await later.created
      assert.isDefined(await lectern.users.byEmail("ada@example.com"))
      assert.isDefined(await lectern.users.byEmail("eve@example.com"))
    })

    test("asks as whoever it is asked for", async (lectern) => {
      const { id: eve } = await lectern.users.create({ email: "eve@example.com" })
      const { id: organization } = await lectern.organizations.create({ title: "Acme" })
      const asEve = (tx: EmbeddedTransaction) => tx.organizations.get(organization)
      assert.deepInclude(await failure(lectern.as(eve).transaction(asEve)), { name: "OrganizationNotFound" })
      assert.deepInclude(await failure(lectern.transaction((tx) => asEve(tx.as(eve)))), {
        name: "OrganizationNotFound"
      })
    })

    test("is over with its function: what is kept of it can't be used", async (lectern) => {
      const kept = await lectern.transaction(async (tx) => tx)
      assert.deepInclude(await failure(kept.users.create({ email: "ada@example.com" })), { name: "TransactionMisuse" })
      assert.isUndefined(await lectern.users.byEmail("ada@example.com"))
    })
  })
}

describe("Transactions of a host over a store that several processes use", () => {
  const faults = new Faults({ seed: 1 })
  let lectern: EmbeddedLectern
  beforeAll(async () => {
    lectern = await open(LateStorage.layer({ seed: 1 }, faults), { background: false })
  })
  afterAll(() => lectern.close())

  const titles = async () => (await lectern.organizations.list({})).items.map(({ title }) => title)

  it("reject after a refused commit, and write nothing", async () => {
    faults.nextRefusals = 1
    const error = await failure(lectern.transaction((tx) => tx.organizations.create({ title: "Refused" })))
    assert.propertyVal(error, "reason", "contended")
    assert.deepStrictEqual(await titles(), [])
  })

  it("run again if they may, and reject after ten refused commits", async () => {
    let runs = 0
    const create = () =>
      lectern.transaction(
        (tx) => {
          runs++
          return tx.organizations.create({ title: `Run ${runs}` })
        },
        { mayRunAgain: true }
      )
    faults.nextRefusals = 2
    assert.strictEqual((await create()).title, "Run 3")
    assert.deepStrictEqual(await titles(), ["Run 3"])
    runs = 0
    faults.nextRefusals = 10
    assert.propertyVal(await failure(create()), "reason", "contended")
    assert.strictEqual(runs, 10)
    assert.deepStrictEqual(await titles(), ["Run 3"])
  })

  it("reject an unknown option", async () => {
    const options = { mayRunTwice: true } as { readonly mayRunAgain?: boolean }
    assert.propertyVal(await failure(lectern.transaction(() => Promise.resolve(), options)), "_tag", "InvalidInput")
  })
})
