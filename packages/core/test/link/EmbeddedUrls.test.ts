import { ContentUrls } from "@lectern/core/link/ContentUrls"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Embedded URLs (${name})`, () => {
    const rule = ruleOn(services)

    rule("are a link by host and path, or a frame of a known provider", () =>
      Effect.gen(function* () {
        const urls = yield* ContentUrls
        assert.deepStrictEqual(yield* urls.embed("https://www.example.com/a%20b/?c=d"), {
          type: "link",
          title: "example.com/a b",
          site: "example.com"
        })
        const video = yield* urls.embed("https://www.youtube.com/watch?v=dQw4w9WgXcQ&autoplay=1")
        assert.strictEqual(video.type, "rich")
        assert.notInclude(JSON.stringify(video), "autoplay")
      })
    )

    rule("are for http and https URLs of at most 2,048 characters", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const { id: space } = yield* (yield* Spaces).create(org, {})
        const urls = yield* ContentUrls
        for (const url of ["", "example.com", "javascript:alert(1)", `https://example.com/${"x".repeat(2048)}`]) {
          assert.strictEqual(yield* outcome(urls.embed(url)), "InvalidInput")
          assert.strictEqual(yield* outcome(urls.embedInSpace(space, url)), "InvalidInput")
        }
      })
    )

    rule("are for everyone, or in a space for everyone who reads it", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const { id: space } = yield* (yield* Spaces).create(org, {})
        const urls = yield* ContentUrls
        const url = "https://example.com/"
        assert.deepStrictEqual(yield* outcomes(people, urls.embed(url)), {
          ok: "host admin create review edit comment read guest outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, urls.embedInSpace(space, url)), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )
  })
}
