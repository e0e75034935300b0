import { assert, it } from "@effect/vitest"
import { afterPrefix } from "@lectern/adapter-sqlite/tables/SqlValue"

it("afterPrefix is the next text by code point, past what no text can hold", () => {
  assert.strictEqual(afterPrefix("a"), "b")
  assert.strictEqual(afterPrefix("a😀"), "a😁")
  assert.strictEqual(afterPrefix("\uffff"), "\u{10000}")
  assert.strictEqual(afterPrefix("a\ud7ff"), "a\ue000")
  assert.strictEqual(afterPrefix("a\u{10ffff}\u{10ffff}"), "b")
  assert.isUndefined(afterPrefix("\u{10ffff}"))
  assert.isUndefined(afterPrefix(""))
})
