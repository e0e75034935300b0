/** Extensions: services of another package over those of the core, with promises and with Effect. */
import { assert, describe, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import type { EmbeddedTransaction } from "@lectern/core/EmbeddedTransaction"
import * as Job from "@lectern/core/job/Job"
import { JobHandlers } from "@lectern/core/job/JobHandlers"
import { Jobs } from "@lectern/core/job/Jobs"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { offer } from "@lectern/core/Services"
import type { Forbidden } from "@lectern/core/access/Forbidden"
import type { OrganizationId, OrganizationNotFound } from "@lectern/core/organization/Organization"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Context, Effect, Layer, Schema } from "effect"

const Greet = Job.kind("greet", Schema.Struct({ name: Schema.String }))

class Greetings extends Context.Service<
  Greetings,
  {
    /** Greeted names, oldest first. */
    readonly names: Effect.Effect<ReadonlyArray<string>>
    readonly greet: (
      organization: OrganizationId
    ) => Effect.Effect<string, OrganizationNotFound | Forbidden | StorageError, CurrentActor>
    readonly greetLater: (name: string) => Effect.Effect<void, StorageError>
  }
>()("test/Greetings") {}

/** Returns an extension, and the number of times that its layer was built. */
const greetings = () => {
  const builds = { count: 0 }
  const layer = Layer.effect(
    Greetings,
    Effect.gen(function* () {
      builds.count++
      const organizations = yield* Organizations
      const jobs = yield* Jobs
      const { add } = yield* JobHandlers
      const names: Array<string> = []
      yield* add(Job.handler(Greet, ({ payload }) => Effect.sync(() => void names.push(payload.name))))
      return Greetings.of({
        names: Effect.sync(() => names),
        greet: (id) => Effect.map(organizations.get(id), ({ title }) => `Hello ${title}`),
        greetLater: (name) => Effect.asVoid(jobs.enqueue(Greet, { name }))
      })
    })
  )
  return { builds, extension: { layer, offered: { greetings: offer(Greetings, "outsideTransaction") } } }
}

describe("An extension", () => {
  it("offers its services with promises, to the host and to other actors", async () => {
    const { extension } = greetings()
    const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, extensions: [extension] })
    const acme = await lectern.organizations.create({ title: "Acme" })
    assert.strictEqual(await lectern.greetings.greet(acme.id), "Hello Acme")
    const eve = await lectern.users.create({ email: "eve@example.com" })
    const refusal = await lectern
      .as(eve.id)
      .greetings.greet(acme.id)
      .catch((error: unknown) => error)
    assert.propertyVal(refusal, "name", "OrganizationNotFound")
    await lectern.close()
  })

  it("runs its jobs with the worker of the core", async () => {
    const { extension } = greetings()
    const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, extensions: [extension] })
    await lectern.greetings.greetLater("Ada")
    await lectern.jobs.worker.runDue()
    assert.deepStrictEqual(await lectern.greetings.names(), ["Ada"])
    await lectern.close()
  })

  it("takes no part in a transaction", async () => {
    const { extension } = greetings()
    const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, extensions: [extension] })
    const refusal = await lectern
      .transaction((tx) => (tx as EmbeddedTransaction & Pick<typeof lectern, "greetings">).greetings.names())
      .catch((error: unknown) => error)
    assert.deepInclude(refusal, { name: "NotInTransaction", method: "greetings.names" })
    await lectern.close()
  })

  it("is required by the types of code that uses it", async () => {
    const { extension } = greetings()
    const lectern = await MemoryLectern.open({ rerunBodies: true, background: false })
    // @ts-expect-error: `greetings` exists only on instances that were opened with the extension.
    assert.isUndefined(lectern.greetings)
    // @ts-expect-error: an instance without the extension can't replace one that has its services.
    const extended: EmbeddedLectern<typeof extension> = lectern
    assert.isDefined(extended)
    await lectern.close()
  })

  it.effect("is built once for each store", () =>
    Effect.gen(function* () {
      const { builds, extension } = greetings()
      const lectern = Lectern.layer({ extensions: [extension] })
      const onStore = () => lectern.pipe(Layer.provideMerge(Layer.fresh(MemoryStorage.testLayer)))
      const [one, other] = yield* Effect.all([Layer.build(onStore()), Layer.build(onStore())])
      assert.strictEqual(builds.count, 2)
      yield* Context.get(one, Greetings).greetLater("Ada")
      for (const services of [one, other]) yield* Context.get(services, JobWorker).runDue
      assert.deepStrictEqual(yield* Context.get(one, Greetings).names, ["Ada"])
      assert.deepStrictEqual(yield* Context.get(other, Greetings).names, [])
    }).pipe(Effect.scoped, Effect.provideService(CurrentActor, host))
  )
})
