import { assert, it } from "@effect/vitest"
import { emojiText } from "../src/space/Emoji.ts"

it("shows an emoji that is stored as itself or by its code points", () => {
  for (const [emoji, shown] of [
    ["1f468-200d-1f4bb", "👨‍💻"],
    ["☕", "☕"],
    ["ffffff", "ffffff"],
    ["face-", "face-"],
    ["", ""]
  ] as const)
    assert.strictEqual(emojiText(emoji), shown)
})
