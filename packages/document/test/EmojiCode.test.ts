import { assert, it } from "@effect/vitest"
import { emojiCharacters } from "@lectern/document/EmojiCode"

it("returns the characters of code points, and other texts unchanged", () => {
  for (const [code, characters] of [
    ["1f468-200d-1f4bb", "👨‍💻"],
    ["☕", "☕"],
    ["ffffff", "ffffff"],
    ["d800", "d800"],
    ["face-", "face-"],
    ["", ""]
  ] as const)
    assert.strictEqual(emojiCharacters(code), characters)
})
