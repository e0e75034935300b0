import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import * as Folder from "@lectern/exchange/import/Folder"
import { type EmbeddedLectern, LecternClosed } from "@lectern/core/EmbeddedLectern"
import * as Job from "@lectern/core/job/Job"
import { LinkCheckTable } from "@lectern/core/link-check/LinkCheck"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error
  )

it("asks as the host, as a user, and as whoever a token stands for", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, publicUrl: "https://docs.example.com" })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { id: eve } = await lectern.users.create({ email: "eve@example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
  const space = await lectern.spaces.create(organization, { title: "Handbook" })
  assert.include(space.urls.location, "https://docs.example.com/")

  const plainId: string = space.id
  assert.strictEqual((await lectern.as(ada).spaces.get(plainId)).title, "Handbook")
  assert.deepInclude(await failure(lectern.as(eve).spaces.get(plainId)), {
    name: "SpaceNotFound",
    _tag: "SpaceNotFound"
  })

  const { token } = await lectern.tokens.create(ada)
  assert.strictEqual((await lectern.as(await lectern.tokens.authenticate(token)).users.me()).id, ada)
  assert.deepInclude(await failure(lectern.tokens.authenticate("wrong")), { name: "Unauthorized" })
  await lectern.close()
})

it("writes to a space itself, as whoever may edit it", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, publicUrl: "https://docs.example.com" })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { id: eve } = await lectern.users.create({ email: "eve@example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
  await lectern.organizations.join(organization, eve, "read")
  const { id: space, revision: before } = await lectern.spaces.create(organization, { title: "Handbook" })
  const insert = (title: string, ref?: string) =>
    ({ operation: "insert_page", title, ...(ref && { ref }), document: { markdown: `About ${title}` } }) as const

  const written = await lectern.as(ada).content.live.write(space, [insert("Prices", "prices"), insert("Terms")])
  const [prices, terms] = written.changes
  assert(prices?.object === "created_page" && terms?.object === "created_page")
  assert.strictEqual(prices.ref, "prices")
  assert.include(prices.page.urls.location, `https://docs.example.com/v1/spaces/${space}/content/page/`)
  assert.notStrictEqual(written.revision, before)
  assert.strictEqual((await lectern.spaces.get(space)).revision, written.revision)
  const titles = async () => {
    const { pages } = await lectern.content.pages(await lectern.content.locate({ space }))
    return pages.map(({ title }) => title)
  }
  assert.deepStrictEqual(await titles(), ["Prices", "Terms"])

  // At once: each is applied to what the other has left.
  await Promise.all([
    lectern.content.live.write(space, [insert("One")]),
    lectern.content.live.write(space, [insert("Two")])
  ])
  assert.deepStrictEqual((await titles()).toSorted(), ["One", "Prices", "Terms", "Two"])

  // All or none, and no revision where nothing changes.
  const { revision } = await lectern.spaces.get(space)
  const wrong = [insert("Three"), { operation: "delete_page", page: "nowhere" } as const]
  assert.deepInclude(await failure(lectern.content.live.write(space, wrong)), { name: "ContentPageNotFound" })
  assert.deepInclude(await failure(lectern.content.live.write(space, [{ operation: "explode" } as never])), {
    name: "InvalidInput"
  })
  const same = [{ operation: "update_page", page: terms.page.id, title: "Terms" } as const]
  assert.strictEqual((await lectern.content.live.write(space, same)).revision, revision)

  assert.deepInclude(await failure(lectern.as(eve).content.live.write(space, [insert("Four")])), { name: "Forbidden" })
  await lectern.spaces.update(space, { editMode: "locked" })
  assert.deepInclude(await failure(lectern.content.live.write(space, [insert("Four")])), { name: "SpaceLocked" })
  assert.strictEqual((await lectern.spaces.get(space)).revision, revision)
  await lectern.close()
})

it("waits for the calls that run before it closes, and takes none after", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const order: Array<string> = []
  const gate = Promise.withResolvers<void>()
  const call = lectern.run(Effect.promise(() => gate.promise)).then(() => order.push("call"))
  const closing = lectern.close().then(() => order.push("closed"))
  assert.instanceOf(await failure(lectern.users.byEmail("ada@example.com")), LecternClosed)
  gate.resolve()
  await Promise.all([call, closing])
  assert.deepStrictEqual(order, ["call", "closed"])
  await lectern.close()
})

it("runs effects over the services and ports, as the actor", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const generation = await lectern.run(Effect.flatMap(Storage, (storage) => storage.generation))
  assert.isNumber(generation)
  await lectern.close()
})

it("has at most 25 entries, and only methods that hosts call", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, extensions: [Exchange.extension()] })
  assert.isAtMost(Object.keys(lectern).length, 25)
  assert.hasAllKeys(lectern.sites.sections, ["list", "create", "update", "remove"])
  // @ts-expect-error: instances have no internal methods, such as `present`.
  assert.isUndefined(lectern.sites.siteSpaces.present)
  // @ts-expect-error: instances have no internal methods, such as `require`.
  assert.isUndefined(lectern.organizations.require)
  const unnamed = await failure(lectern.as("eve").organizations.members.list("acme", {}))
  assert.deepInclude(unnamed, { name: "OrganizationNotFound", operation: "organizations.members.list" })
  await lectern.close()
})

it("imports a folder, and exports it again to a function that answers promises", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, extensions: [Exchange.extension()] })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { id: eve } = await lectern.users.create({ email: "eve@example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
  const { content, spaces } = lectern.as(ada)
  const { id: space } = await spaces.create(organization, {})
  const files = [
    Folder.file("README.md", "# Home\n\nSee [the guide](guide.md).\n"),
    Folder.file("guide.md", "# Guide\n\nOne step.\n")
  ]
  const seen: Array<string> = []
  const onProgress = async ({ path }: { readonly path: string }) => void seen.push(path)
  const { report } = await content.folderImports.importFolder(space, { files }, { onProgress })
  assert.deepStrictEqual(
    [report.added, seen],
    [
      ["README.md", "guide.md"],
      ["README.md", "guide.md"]
    ]
  )

  const written = new Map<string, string>()
  const exported = await content.folderExports.exportFolder(space, {
    write: async (path, bytes) => void written.set(path, new TextDecoder().decode(bytes))
  })
  assert.strictEqual(exported.pages, 2)
  assert.include(written.get("README.md"), "[the guide](guide.md)")

  const full = () => Promise.reject(new Error("The disk is full"))
  assert.deepInclude(await failure(content.folderExports.exportFolder(space, { write: full })), {
    message: "The disk is full"
  })
  assert.deepInclude(await failure(lectern.as(eve).content.folderImports.importFolder(space, { files })), {
    name: "SpaceNotFound"
  })
  await lectern.close()
})

/** A spec is processed by a job. Tells how far it is. */
const registerSpec = async (lectern: EmbeddedLectern) => {
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  const text = JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: {} })
  const { slug } = await lectern.openApiSpecs.create(organization, { slug: "pets", source: { text } })
  return async () => (await lectern.openApiSpecs.get(organization, slug)).processingState
}

it("works in the background until it is closed", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const state = await registerSpec(lectern)
  while ((await state()) !== "complete") await new Promise((resolve) => setImmediate(resolve))
  await lectern.close()
})

it("leaves that work to the host where it is told to", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, background: false })
  const state = await registerSpec(lectern)
  assert.strictEqual(await state(), "pending")
  assert.isAtLeast(await lectern.jobs.worker.runDue(), 1)
  assert.strictEqual(await state(), "complete")
  await lectern.close()
})

it("hands events to a function that answers promises, as their types say", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
  const seen: Array<string> = []
  const arrived = Promise.withResolvers<void>()
  const subscription = await lectern.on(
    ["space_created", "space_visibility_updated"],
    async (event, { lectern, signal }) => {
      const { title } = await lectern.spaces.get(event.space)
      seen.push(event.type === "space_visibility_updated" ? `${title} is ${event.visibility}` : title!)
      assert.isFalse(signal.aborted)
      if (seen.length === 2) arrived.resolve()
    },
    { reader: "search" }
  )
  const { id } = await lectern.spaces.create(organization, { title: "Handbook" })
  await lectern.spaces.update(id, { visibility: "public" })
  await arrived.promise
  assert.deepStrictEqual(seen, ["Handbook", "Handbook is public"])

  assert.deepInclude(await failure(lectern.as(ada).on(["space_created"], () => {})), { name: "Forbidden" })
  assert.deepInclude(await failure(lectern.on(["space_created"], () => {}, { reader: "search" })), {
    name: "ReaderInUse"
  })
  await subscription.close()
  await lectern.spaces.create(organization, { title: "Unseen" })
  assert.deepStrictEqual(
    (await lectern.jobs.list({ status: "waiting", kind: "event-reader" })).map(({ id }) => id),
    ["reader:host:search", "reader:notifications"]
  )
  assert.strictEqual(seen.length, 2)
  await lectern.close()
})

it("lets a handler that runs finish its calls when it is closed", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let title: string | undefined
  await lectern.on(["space_created"], async (event, { lectern }) => {
    begun.resolve()
    await gate.promise
    title = (await lectern.spaces.get(event.space)).title
  })
  await lectern.spaces.create(organization, { title: "Last" })
  await begun.promise
  const closing = lectern.close()
  gate.resolve()
  await closing
  assert.strictEqual(title, "Last")
})

const Greet = Job.kind("acme/greet", Schema.Struct({ user: Schema.String }), { attempts: 3 })

it("does the host's own kinds of jobs, as their schema says", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const greeted = Promise.withResolvers<string>()
  await lectern.handle(Greet, async ({ user }, { lectern, attempt, signal }) => {
    const { email } = await lectern.users.get(user)
    greeted.resolve(`${email}, ${attempt}, ${signal.aborted}`)
  })
  const id = await lectern.jobs.enqueue(Greet, { user: ada })
  assert.strictEqual(await greeted.promise, "ada@example.com, 1, false")
  while ((await lectern.jobs.get(id))?.status !== "done") await new Promise((resolve) => setImmediate(resolve))
  await lectern.close()
})

it("tries them again, tells why they fail, and gives up where that would not help", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, background: false })
  let attempts = 0
  await lectern.handle(Greet, ({ user }) => {
    attempts++
    if (user === "nobody") throw new Job.JobNotRetryable({ message: "There is nobody to greet" })
    throw new Error("The mail server is down")
  })
  const down = await lectern.jobs.enqueue(Greet, { user: "ada" }, { key: "ada" })
  assert.strictEqual(await lectern.jobs.enqueue(Greet, { user: "ada" }, { key: "ada" }), down)
  const hopeless = await lectern.jobs.enqueue(Greet, { user: "nobody" })
  const later = await lectern.jobs.enqueue(Greet, { user: "eve" }, { runAt: "2999-01-01T00:00:00Z" })
  await lectern.jobs.worker.runDue()
  assert.strictEqual(attempts, 2)
  assert.deepInclude(await lectern.jobs.get(down), { status: "waiting", failure: "The mail server is down" })
  assert.deepInclude(await lectern.jobs.get(hopeless), { status: "failed", failure: "There is nobody to greet" })
  assert.deepInclude(await lectern.jobs.get(later), { status: "waiting", attempts: 0 })
  assert.deepStrictEqual(
    (await lectern.jobs.list({ status: "failed" })).map(({ id }) => id),
    [hopeless]
  )
  assert.isTrue(await lectern.jobs.retry(hopeless))
  await lectern.close()
})

it("refuses jobs that can't be, and users who ask for them", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, background: false })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  const { jobs } = lectern
  const nothing = () => {}
  const RemoveSpace = Job.kind("remove-space", Schema.Struct({ space: Schema.String }))
  const Never = Job.kind("acme/never", Schema.Struct({}), { attempts: 0 })
  const Any = Job.kind("acme/any", Schema.Json)
  await lectern.handle(Greet, nothing)
  for (const [refused, name] of [
    [lectern.handle(Greet, nothing), "KindRegistered"],
    [lectern.handle(RemoveSpace, nothing), "InvalidInput"],
    [lectern.handle(Never, nothing), "InvalidInput"],
    [lectern.as(ada).handle(Any, nothing), "Forbidden"],
    [jobs.enqueue(RemoveSpace, { space: "all" }), "InvalidInput"],
    [jobs.enqueue(Greet, { user: 3 } as never), "InvalidInput"],
    [jobs.enqueue(Any, "a".repeat(65_536)), "InvalidInput"],
    [jobs.enqueue(Greet, { user: ada }, { key: "" }), "InvalidInput"],
    [jobs.enqueue(Greet, { user: ada }, { runAt: "tomorrow" }), "InvalidInput"],
    [jobs.list({ status: "failed", limit: 0 }), "InvalidInput"],
    [lectern.as(ada).jobs.enqueue(Greet, { user: ada }), "Forbidden"],
    [lectern.as(ada).jobs.list({ status: "failed" }), "Forbidden"],
    [lectern.as(ada).jobs.get("1"), "Forbidden"],
    [lectern.as(ada).jobs.retry("1"), "Forbidden"]
  ] as const) {
    assert.deepInclude(await failure(refused), { name })
  }
  assert.strictEqual(await lectern.jobs.worker.runDue(), 0)
  await lectern.close()
})

it("lists broken links to other websites, for the host alone", async () => {
  for (const checkLinks of [true, false]) {
    const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, checkLinks })
    const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
    const { id: organization } = await lectern.organizations.create({ title: "Acme" }, ada)
    const now = Timestamps.at(0)
    const found = { organization, host: "example.com", dueAt: now, seenAt: now }
    await lectern.run(
      Effect.gen(function* () {
        const checks = (yield* Storage).repository(LinkCheckTable)
        yield* checks.insert({ ...found, url: "https://example.com/b", state: "broken" })
        yield* checks.insert({ ...found, url: "https://example.com/a", state: "broken" })
        yield* checks.insert({ ...found, url: "https://example.com/c", state: "ok" })
      })
    )
    const broken = checkLinks ? ["https://example.com/a", "https://example.com/b"] : []
    assert.deepStrictEqual(await lectern.content.linkChecks.list(organization), broken)
    assert.deepInclude(await failure(lectern.as(ada).content.linkChecks.list(organization)), { name: "Forbidden" })
    assert.deepStrictEqual(Object.keys(lectern.content.linkChecks), ["list"])
    await lectern.close()
  }
})
