import { assert, describe, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { CurrentActor } from "@lectern/core/access/Actor"
import type { HookHandling, PromisedHooks } from "@lectern/core/EmbeddedLectern"
import { type BeforeHooks, type HookRequests, RefusedByHost } from "@lectern/core/hook/BeforeHooks"
import type { LecternServices } from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Sites } from "@lectern/core/site/Sites"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adaptersWith } from "../Instances.ts"
import { turns } from "../Turns.ts"

const refuse = (message: string): never => {
  throw new RefusedByHost({ message })
}

/** Opens a Lectern with hooks, an organization with an administrator, a space and a site. */
const opened = async (before: PromisedHooks) => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, logger: () => {}, before })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
  const { id: space } = await lectern.spaces.create(organization, { title: "Handbook" })
  const { id: site } = await lectern.sites.create(organization, { title: "Docs", spaces: [space] })
  return { lectern, asAda: lectern.as(ada), ada, organization, space, site }
}

const failure = (promise: Promise<unknown>): Promise<{ readonly name: string; readonly message: string }> =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error: Error) => error
  )

describe("A hook of the host", () => {
  it("decides about merges, with the instance, and again when the content changed", async () => {
    const revisions: Array<string> = []
    let onMerge = async (_: HookHandling): Promise<void> => {}
    const { lectern, asAda, ada, organization, space } = await opened({
      merge: async (request, handling) => {
        revisions.push(request.revision)
        assert.deepInclude(request, { organization, space, number: 1, subject: "A page", createdBy: ada })
        assert.deepStrictEqual(handling.actor, { type: "user", user: ada })
        await onMerge(handling)
      }
    })
    const { id } = await asAda.changeRequests.create(space, { subject: "A page" })
    const insert = (title: string) =>
      lectern.changeRequests.content.write(space, id, [{ operation: "insert_page", title }])
    const first = await insert("One")
    onMerge = async ({ lectern }) => {
      const { items } = await lectern.changeRequests.reviews.list(space, id, {})
      if (items.length === 0) refuse("Two reviews are needed")
    }
    const refusal = await failure(asAda.changeRequests.content.merge(space, id))
    assert.deepInclude(refusal, { name: "RefusedByHost", message: "Two reviews are needed" })
    assert.strictEqual((await lectern.changeRequests.get(space, id)).status, "draft")

    // The content changes while the hook decides about the revision before.
    onMerge = async () => {
      if (revisions.length === 2) await insert("Two")
    }
    assert.strictEqual((await asAda.changeRequests.content.merge(space, id)).result, "merge")
    assert.deepStrictEqual(revisions.slice(0, 2), [first.changeRequest.revision, first.changeRequest.revision])
    assert.lengthOf(new Set(revisions), 2)
    await lectern.close()
  })

  it("decides about the publication of sites that are not published", async () => {
    const requests: Array<HookRequests["publish"]> = []
    let isAllowed = false
    const { lectern, asAda, organization, site } = await opened({
      publish: (request) => {
        requests.push(request)
        if (!isAllowed) refuse("Not on Fridays")
      }
    })
    assert.strictEqual((await failure(asAda.sites.publish(organization, site))).message, "Not on Fridays")
    assert.strictEqual((await failure(lectern.sites.publish(organization, site))).message, "Not on Fridays")
    isAllowed = true
    assert.isTrue((await asAda.sites.publish(organization, site)).published)
    await asAda.sites.publish(organization, site)
    await asAda.sites.unpublish(organization, site)
    assert.lengthOf(requests, 3)
    assert.deepStrictEqual(requests[0], { organization, site, title: "Docs", visibility: "public" } as never)
    const eve = await lectern.users.create({ email: "eve@example.com" })
    assert.strictEqual((await failure(lectern.as(eve.id).sites.publish(organization, site))).name, "SiteNotFound")
    // An administrator of the site only: to publish takes the role admin on its spaces, too.
    const email = "eve@example.com"
    await lectern.organizations.syncMembers(organization, [{ externalId: "eve", email, adopt: true, role: "read" }])
    await lectern.grants.grant({ kind: "site", id: site, organization }, { users: [eve.id], role: "admin" })
    assert.strictEqual((await failure(lectern.as(eve.id).sites.publish(organization, site))).name, "Forbidden")
    assert.lengthOf(requests, 3)
    await lectern.close()
  })

  it("changes the people and the roles of invitations, which are validated again", async () => {
    const { lectern, asAda, organization } = await opened({
      invite: ({ emails }) => ({
        emails: emails.flatMap(({ email, role }) =>
          email.endsWith("@example.com") ? [{ email, role: role === "admin" ? "edit" : role }] : []
        )
      })
    })
    const { invites } = await asAda.organizations.invitations.invite(organization, {
      emails: ["eve@example.com", { email: "bob@example.com", role: null }, "mallory@example.org"],
      role: "admin"
    })
    assert.deepStrictEqual(
      invites.map(({ email, role }) => [email, role]),
      [
        ["eve@example.com", "edit"],
        ["bob@example.com", null]
      ]
    )
    const nobody = failure(asAda.organizations.invitations.invite(organization, { emails: ["mallory@example.org"] }))
    assert.strictEqual((await nobody).name, "InvalidInput")
    await lectern.close()
  })

  it("decides about the roles that invited people get", async () => {
    const { lectern, asAda, organization } = await opened({
      invite: async ({ emails }, { lectern }) => {
        if (emails.some(({ role }) => role === "admin")) refuse("Not by an invitation")
        await lectern.organizations.update(organization, { defaultRole: "admin" })
      }
    })
    await lectern.organizations.update(organization, { defaultRole: "read" })
    const { invites } = await asAda.organizations.invitations.invite(organization, { emails: ["eve@example.com"] })
    assert.deepStrictEqual(
      invites.map(({ role }) => role),
      ["read"]
    )
    await lectern.close()
  })

  it("changes the role of invite links, when they are created and later", async () => {
    const links: Array<string | undefined> = []
    const { lectern, asAda, organization } = await opened({
      inviteLink: ({ link, role }) => {
        links.push(link)
        return role === "admin" ? refuse("Not by a link") : { role: "read" }
      }
    })
    const { id, role } = await asAda.organizations.inviteLinks.create(organization, { role: "edit" })
    assert.strictEqual(role, "read")
    const refusal = await failure(asAda.organizations.inviteLinks.update(organization, id, { role: "admin" }))
    assert.strictEqual(refusal.message, "Not by a link")
    assert.strictEqual(
      (await asAda.organizations.inviteLinks.update(organization, id, { role: "review" })).role,
      "read"
    )
    assert.deepStrictEqual(links, [undefined, id.split("_")[0], id.split("_")[0]])
    await lectern.close()
  })

  it("decides about uploads and files of content, and renames them", async () => {
    const requests: Array<HookRequests["upload"]> = []
    const { lectern, asAda, organization, space } = await opened({
      upload: (request) => {
        requests.push(request)
        return request.size > 4 ? refuse("Too large for Acme") : { name: `acme-${request.name}` }
      }
    })
    const upload = (size: number) =>
      asAda.organizations.uploads.begin(organization, {
        kind: "organization_file",
        file: { name: "a.png", type: "image/png", size }
      })
    assert.strictEqual((await failure(upload(5))).message, "Too large for Acme")
    await upload(4)
    const insert = (text: string) =>
      asAda.content.live.write(space, [{ operation: "insert_files", files: [{ name: "a.txt", base64: btoa(text) }] }])
    assert.strictEqual((await failure(insert("12345"))).message, "Too large for Acme")
    assert.deepStrictEqual(
      (await insert("1234")).insertedFiles?.map(({ name }) => name),
      ["acme-a.txt"]
    )
    const picture = {
      kind: "organization_file",
      organization,
      space: undefined,
      name: "a.png",
      contentType: "image/png"
    }
    const text = { kind: "content_file", organization: undefined, space, name: "a.txt", contentType: "text/plain" }
    assert.deepStrictEqual<ReadonlyArray<object>>(requests, [
      { ...picture, size: 5 },
      { ...picture, size: 4 },
      { ...text, size: 5 },
      { ...text, size: 4 }
    ])
    await lectern.close()
  })

  it("refuses the operation if it throws another error, and the cause is logged", async () => {
    const entries: Array<ReadonlyArray<unknown>> = []
    const lectern = await MemoryLectern.open({
      background: false,
      logger: (...entry) => entries.push(entry),
      before: {
        publish: () => {
          throw new Error("the rules are gone")
        }
      }
    })
    const { id: organization } = await lectern.organizations.create({ title: "Acme" })
    const { id: site } = await lectern.sites.create(organization, { title: "Docs" })
    const refusal = await failure(lectern.sites.publish(organization, site))
    assert.deepInclude(refusal, {
      name: "RefusedByHost",
      message: 'The check "publish" of this application failed, so nothing was changed: try again later'
    })
    assert.match(JSON.stringify(entries), /The hook \\"publish\\" of the host failed.*the rules are gone/)
    await lectern.close()
  })
})

/** Creates an organization with a site. */
const site = Effect.gen(function* () {
  const { id: organization } = yield* (yield* Organizations).create({ title: "Acme" })
  const { id } = yield* (yield* Sites).create(organization, { title: "Docs" })
  return { organization, id }
})

const hooks: BeforeHooks<LecternServices> = {
  publish: ({ title, organization }) =>
    Effect.gen(function* () {
      const { items } = yield* (yield* Sites).list(organization, { title })
      const actor = yield* CurrentActor
      if (actor.type !== "host" || items.length !== 1) return yield* new RefusedByHost({ message: "Not that one" })
      yield* Effect.sleep("9 seconds")
      if (title === "Slow") yield* Effect.never
    })
}

for (const [name, services] of onEach(adaptersWith({ before: hooks }))) {
  describe(`An effect as a hook (${name})`, () => {
    it.effect("uses services, and waits up to 10 seconds", () =>
      Effect.gen(function* () {
        const { organization, id } = yield* site
        const { publish, unpublish, update } = yield* Sites
        const publishing = yield* Effect.forkChild(publish(organization, id))
        yield* turns(50)
        yield* TestClock.adjust("9 seconds")
        assert.isTrue((yield* Fiber.join(publishing)).published)
        yield* unpublish(organization, id)
        yield* update(organization, id, { title: "Slow" })
        const refused = yield* Effect.forkChild(Effect.flip(publish(organization, id)))
        yield* turns(50)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* Fiber.join(refused))._tag, "RefusedByHost")
      }).pipe(Effect.provide(Layer.fresh(services)))
    )

    it.effect("can't run in a transaction", () =>
      Effect.gen(function* () {
        const { organization, id } = yield* site
        const { publish } = yield* Sites
        const storage = yield* Storage
        const exit = yield* Effect.exit(storage.transaction(publish(organization, id)))
        assert.match(String(exit), /The hook \\?"publish\\?" can't run in a transaction/)
      }).pipe(Effect.provide(Layer.fresh(services)))
    )
  })
}
