/** Tests that many links from one page, or to one page, do not block the event loop. */
import { assert, describe, it } from "@effect/vitest"
import * as Content from "@lectern/core/content/Content"
import { Objects } from "@lectern/core/content/store/Objects"
import * as LinkAnchors from "@lectern/core/link/LinkAnchors"
import * as LinkIndex from "@lectern/core/link/LinkIndex"
import * as LinkMap from "@lectern/core/content/pages/LinkMap"
import type { PageEntry } from "@lectern/core/content/pages/Page"
import type { DocumentLinks } from "@lectern/document/DocumentLinks"
import { Effect, Scheduler } from "effect"
import { layer } from "../content/store/MemoryObjects.ts"
import { countedTurns } from "../storage/CountedTurns.ts"
import { hastily } from "../storage/HastyClock.ts"

const addresses = { publicUrl: "https://app.example", sites: "https://app.example/sites" }
const many = 18_000

describe("many links", () => {
  it.effect("of one page rest by links", () =>
    Effect.gen(function* () {
      const draft = (yield* Objects).draft()
      const links: DocumentLinks = {
        anchors: [],
        variables: [],
        links: Array.from({ length: many }, (_, n) => [`https://example.com/${n}`, "k", 2])
      }
      const document = draft.write({}) as never
      const root = yield* LinkMap.update(draft, Content.empty, {
        pages: new Map([["p", { id: "p", document } as unknown as PageEntry]]),
        reusableContents: new Map(),
        linksByDocument: new Map([[document, links]])
      })
      const turns = countedTurns()
      const index = LinkIndex.targetsOf(draft, { ...Content.empty, links: root }, "own", addresses)
      const targets = yield* hastily(Effect.provideService(index, Scheduler.Scheduler, turns))
      assert.lengthOf(targets, many)
      assert.isAbove(turns.count, many)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("to headings of one page read these once", () =>
    Effect.gen(function* () {
      let reads = 0
      const anchors = new Proxy(
        Array.from({ length: 1_000 }, (_, n) => `part-${n} other-${n}`),
        {
          get: (all, name) => {
            if (typeof name === "string" && /^\d+$/.test(name)) reads++
            return Reflect.get(all, name)
          }
        }
      )
      const known = new Map([["p", { anchors, variables: [], links: [] }]])
      const { find } = yield* LinkAnchors.load((yield* Objects).draft(), Content.empty, ["p"], known, () => false)
      for (let n = 0; n < 1_000; n++) {
        assert.strictEqual(find("p", `part-${n}`), `part-${n}`)
        assert.strictEqual(find("p", `Other-${n}`), `part-${n}`)
      }
      assert.strictEqual(reads, 1_000)
    }).pipe(Effect.provide(layer()))
  )
})
