/** How the services of a Lectern come to be: once each, and over its own store alone. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SitesUrl } from "@lectern/core/site/SiteAddress"
import { Spaces } from "@lectern/core/space/Spaces"
import { Context, Effect, Layer } from "effect"

const asHost = Effect.provideService(CurrentActor, host)

const source = join(import.meta.dirname, "../src")

interface AnyService {
  readonly key: string
  of: (shape: never) => never
}

/** Every service of the core that makes itself by `of`. */
const services = async (): Promise<ReadonlyArray<AnyService>> => {
  const found: Array<AnyService> = []
  for (const file of globSync("**/*.ts", { cwd: source })) {
    if (!/static readonly layer\b/.test(readFileSync(join(source, file), "utf8"))) continue
    for (const one of Object.values(await import(join(source, file)))) {
      if (typeof one === "function" && "key" in one && "of" in one && "layer" in one) found.push(one as never)
    }
  }
  return found
}

const inMemory = Layer.provideMerge(MemoryStorage.testLayer)

const titles = Effect.gen(function* () {
  const { items } = yield* (yield* Organizations).list({ limit: 10 })
  return items.map(({ title }) => title)
}).pipe(asHost)

const begin = (title: string) => Effect.flatMap(Organizations, ({ create }) => create({ title })).pipe(asHost)

describe("A Lectern", () => {
  it("refuses options that do not exist", () => {
    assert.throws(() => Lectern.layer({ hashr: 1 } as never), "hashr: Unknown option: did you mean hasher?")
    assert.throws(() => Lectern.layer({ publicUrl: "" } as never), "publicUrl: Unknown option. Options: extensions,")
  })

  it.effect("inside another one keeps to its own store", () =>
    Effect.gen(function* () {
      yield* begin("Outer")
      const outer = { organizations: yield* Organizations, spaces: yield* Spaces }
      yield* Effect.gen(function* () {
        assert.notStrictEqual<unknown>(yield* Organizations, outer.organizations)
        assert.notStrictEqual<unknown>(yield* Spaces, outer.spaces)
        assert.deepStrictEqual(yield* titles, [])
        yield* begin("Inner")
        assert.deepStrictEqual(yield* titles, ["Inner"])
      }).pipe(Effect.provide(Lectern.layer().pipe(Layer.provideMerge(Layer.fresh(MemoryStorage.testLayer)))))
      assert.deepStrictEqual(yield* titles, ["Outer"])
    }).pipe(Effect.provide(Lectern.layer().pipe(inMemory)))
  )

  it.effect("passes the URLs of its host to code that runs with its services", () => {
    const ofHost = Layer.mergeAll(
      Layer.succeed(PublicUrl, "https://app.example.com"),
      Layer.succeed(SitesUrl, "https://*.docs.example.com"),
      Layer.succeed(IntegrationsUrl, "https://integrations.example.com")
    )
    return Effect.gen(function* () {
      assert.deepStrictEqual(
        [yield* PublicUrl, yield* SitesUrl, yield* IntegrationsUrl],
        ["https://app.example.com", "https://*.docs.example.com", "https://integrations.example.com"]
      )
    }).pipe(Effect.provide(Lectern.layer().pipe(Layer.provide(ofHost), inMemory)))
  })

  it.effect("of one layer is another one over each store", () => {
    const lectern = Lectern.layer()
    const over = (store: Layer.Layer<Layer.Services<typeof lectern>>) =>
      Effect.provide(lectern.pipe(Layer.provide(store)))
    return Effect.gen(function* () {
      yield* begin("Outer")
      yield* begin("Inner").pipe(over(Layer.fresh(MemoryStorage.testLayer)))
      assert.deepStrictEqual(yield* titles, ["Outer"])
      assert.deepStrictEqual(yield* titles.pipe(over(Layer.fresh(MemoryStorage.testLayer))), [])
    }).pipe(over(MemoryStorage.testLayer))
  })

  it.effect("is one wherever it is provided over a store, and builds each service once", () =>
    Effect.gen(function* () {
      const all = yield* Effect.promise(services)
      assert.isAbove(all.length, 100)
      const built = new Map<string, number>()
      for (const service of all) {
        const { of } = service
        service.of = (shape) => {
          built.set(service.key, (built.get(service.key) ?? 0) + 1)
          return of(shape)
        }
        yield* Effect.addFinalizer(() => Effect.sync(() => Reflect.deleteProperty(service, "of")))
      }
      const lectern = Lectern.layer()
      const first = Layer.effect(First, First).pipe(
        Layer.provide(Layer.effect(First, Spaces).pipe(Layer.provide(lectern)))
      )
      const both = yield* Layer.build(Layer.mergeAll(first, lectern).pipe(inMemory))
      assert.strictEqual<unknown>(Context.get(both, First), Context.get(both, Spaces))
      const never = all.filter(({ key }) => !built.has(key)).map(({ key }) => key)
      assert.deepStrictEqual(
        [...built].filter(([, times]) => times !== 1),
        []
      )
      assert.isAbove(built.size, 100, never.join())
      yield* Layer.build(Layer.fresh(lectern.pipe(inMemory)))
      assert.deepStrictEqual(
        [...built].filter(([, times]) => times !== 2),
        []
      )
    })
  )
})

/** The spaces of a Lectern as one of two that are provided with it sees them. */
class First extends Context.Service<First, Spaces["Service"]>()("First") {}
