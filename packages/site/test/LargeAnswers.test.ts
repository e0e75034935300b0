/** Large answers are read and written as JSON in threads, whoever asks for them first. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { FarThreads } from "../../http/test/FarThreads.ts"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { insertPage, publish, spaceWith } from "../../http/test/Steps.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const threads = new FarThreads()
/** Longer JSON than this takes its time (characters). */
const short = 70_000

const paragraphs = () => Array.from({ length: 500 }, (_, n) => `Paragraph ${n} leads [there](other.md).`).join("\n\n")

onMemory(
  "Large answers",
  (it) => {
    it.effect("of sites are drawn and printed of what threads have read", () =>
      Effect.gen(function* () {
        const { space } = yield* spaceWith({ Start: "One.", Other: "Two." })
        yield* publish(space, [insertPage("Large", paragraphs())])
        const { urls } = yield* publishedSite([space], { visibility: "public" })
        const ask = yield* asking
        const base = urls.published
        yield* ask(`${base}start`).pipe(hasStatus(200))

        let page = ""
        const drawing = ask(`${base}large`).pipe(hasStatus(200))
        const drawn = yield* threads.longestJson(Effect.tap(drawing, ({ text }) => Effect.sync(() => (page = text))))
        assert.strictEqual(page.match(/Paragraph \d+ leads <a/g)?.length, 500)
        assert.isBelow(drawn, short)

        const printing = ask(`${base}large.md?part=1`).pipe(hasStatus(200))
        const printed = yield* threads.longestJson(Effect.tap(printing, ({ text }) => Effect.sync(() => (page = text))))
        assert.include(page, `leads [there](${base}other)`)
        assert.isBelow(printed, short)
      })
    )
  },
  { threads: threads.layer }
)
