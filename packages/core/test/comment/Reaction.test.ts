import { characterOf } from "@lectern/core/schema/Emoji"
import { Comments } from "@lectern/core/comment/Comments"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { as, discussion } from "./Discussion.ts"

const emoji: Readonly<Record<string, string>> = {
  "👍": "👍",
  "1f44d": "👍",
  "1F44D": "👍",
  "1f44d-1f3fd": "👍🏽",
  // With and without the mark that makes a symbol an emoji.
  "2764": "❤️",
  "2764-fe0f": "❤️",
  "❤": "❤️",
  "❤️": "❤️",
  a9: "©️",
  "2764-200d-1f525": "❤️‍🔥",
  // Flags: of a country, of a part of one, and one of joined emoji.
  "1f1e9-1f1ea": "🇩🇪",
  "🇩🇪": "🇩🇪",
  "1f3f4-e0067-e0062-e0073-e0063-e0074-e007f": "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "1f3f3-fe0f-200d-1f308": "🏳️‍🌈",
  "1f3f3-200d-1f308": "🏳️‍🌈",
  "35-20e3": "5️⃣",
  "👨‍👩‍👧‍👦": "👨‍👩‍👧‍👦",
  "1f468-200d-1f469-200d-1f467-200d-1f466": "👨‍👩‍👧‍👦",
  "1f469-1f3fb-200d-2764-fe0f-200d-1f48b-200d-1f468-1f3fd": "👩🏻‍❤️‍💋‍👨🏽",
  "1f575-1f3fd-200d-2642": "🕵🏽‍♂️"
}

const none = [
  "",
  "a",
  "5",
  "35",
  "+1",
  ":+1:",
  "👍👍",
  "👍 ",
  "fe0f",
  "200d",
  "1f44d-",
  "-1f44d",
  "110000",
  "d83d",
  "🇩",
  "1f1e9",
  "x👍",
  "ffffff-ffffff"
]

describe("Reactions", () => {
  it("take emoji as themselves and as code points", () => {
    for (const [given, character] of Object.entries(emoji)) assert.strictEqual(characterOf(given), character, given)
    for (const given of none) assert.isUndefined(characterOf(given), JSON.stringify(given))
  })

  for (const [name, services] of onEach(adapters)) {
    it.effect(`are one of each person and emoji, shown as first given (${name})`, () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space, people } = yield* discussion()
        const { id } = yield* comments.post({ space }, { body: {} })
        const react = (by: keyof typeof people, patch: Parameters<typeof comments.update>[2]) =>
          comments.update({ space }, id, patch).pipe(
            Effect.ensuring(TestClock.adjust(1)),
            as(people[by]),
            Effect.map(({ reactions }) => reactions.map(({ emoji, count }) => [emoji, count]))
          )
        yield* react("comment", { addedReactions: ["1f44d", "👍"] })
        assert.deepStrictEqual(yield* react("comment", { addedReactions: ["👍"] }), [["1f44d", 1]])
        yield* react("second", { addedReactions: ["👍"] })
        assert.deepStrictEqual(yield* react("second", { addedReactions: ["👍", "🎉"] }), [
          ["1f44d", 2],
          ["🎉", 1]
        ])
        assert.deepStrictEqual(yield* react("edit", { removedReactions: ["👍", "🎉", "❤️"] }), [
          ["1f44d", 2],
          ["🎉", 1]
        ])
        assert.deepStrictEqual(yield* react("comment", { removedReactions: ["👍"] }), [
          ["1f44d", 1],
          ["🎉", 1]
        ])
        assert.deepStrictEqual(yield* react("second", { removedReactions: ["1F44D"] }), [["🎉", 1]])
        // What is none keeps the others of the same call out.
        const refused = yield* Effect.flip(react("second", { addedReactions: ["😀", "nope"], resolved: true }))
        assert.strictEqual(refused._tag, "InvalidComment")
        const after = yield* comments.get({ space }, id)
        assert.deepStrictEqual([after.status, after.reactions.length], ["open", 1])
        const many = Array.from({ length: 62 }, (_, i) => String.fromCodePoint(0x1f400 + i))
        for (let at = 0; at < 62; at += 31) yield* react("edit", { addedReactions: many.slice(at, at + 31) })
        const faces = Array.from({ length: 50 }, (_, i) => String.fromCodePoint(0x1f600 + i))
        assert.strictEqual((yield* Effect.flip(react("edit", { addedReactions: faces })))._tag, "InvalidComment")
        assert.strictEqual((yield* comments.get({ space }, id)).reactions.length, 63)
      }).pipe(Effect.provide(Layer.fresh(services)))
    )
  }
})
