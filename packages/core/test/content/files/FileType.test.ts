import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe } from "vitest"
import { detect } from "@lectern/core/content/files/FileType"
import { runs } from "../../Runs.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? Array.from(part, (c) => c.charCodeAt(0)) : part)))

const cases: ReadonlyArray<readonly [name: string, data: Uint8Array, expected: ReturnType<typeof detect>]> = [
  [
    "PNG",
    bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", [0, 0, 1, 0, 0, 0, 0, 20]),
    { contentType: "image/png", dimensions: { width: 256, height: 20 } }
  ],
  ["GIF", bytes("GIF89a", [3, 0, 2, 1]), { contentType: "image/gif", dimensions: { width: 3, height: 258 } }],
  [
    "JPEG with a segment before its frame",
    bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 17, 8, 0, 5, 0, 7, 3, 0]),
    { contentType: "image/jpeg", dimensions: { width: 7, height: 5 } }
  ],
  ["JPEG that ends early", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0]), { contentType: "image/jpeg" }],
  [
    "WebP, extended",
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 4, 1, 0]),
    { contentType: "image/webp", dimensions: { width: 10, height: 261 } }
  ],
  [
    "WebP, lossy",
    bytes("RIFF", [0, 0, 0, 0], "WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 16, 0, 32, 0]),
    { contentType: "image/webp", dimensions: { width: 16, height: 32 } }
  ],
  [
    "SVG with a size",
    bytes(`<?xml version="1.0"?><svg width="10px" height="20">`),
    { contentType: "image/svg+xml", dimensions: { width: 10, height: 20 } }
  ],
  [
    "SVG with a view box",
    bytes(`<svg viewBox="0 0 24 12.4">`),
    { contentType: "image/svg+xml", dimensions: { width: 24, height: 12 } }
  ],
  ["SVG without a size", bytes(`<svg width="100%">`), { contentType: "image/svg+xml" }],
  ["PDF", bytes("%PDF-1.7"), { contentType: "application/pdf" }]
]

describe("FileType", () => {
  for (const [name, data, expected] of cases) {
    it(name, () => assert.deepStrictEqual(detect(data, "any.txt", "text/html"), expected))
  }

  it("believes the sender, then the ending, where the bytes say nothing", () => {
    const plain = bytes("hello")
    assert.strictEqual(detect(plain, "a.md", "Text/X-Thing; charset=utf-8").contentType, "text/x-thing")
    assert.strictEqual(detect(plain, "a.md", "nonsense").contentType, "text/markdown")
    assert.strictEqual(detect(plain, "A.MD").contentType, "text/markdown")
    assert.strictEqual(detect(plain, "a.constructor").contentType, "application/octet-stream")
    assert.strictEqual(detect(bytes("<html><svg></html>"), "a.html").contentType, "text/html")
  })

  it("takes any bytes", () => {
    const start = fc.constantFrom("", "\x89PNG\r\n\x1a\n", "GIF89a", "\xff\xd8\xff", "RIFF1234WEBPVP8L", "BM", "<svg ")
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 60 }), (head, rest) => {
        const { dimensions } = detect(new Uint8Array([...bytes(head), ...rest]), "x")
        assert.isTrue(dimensions === undefined || (dimensions.width > 0 && dimensions.height > 0))
      }),
      runs()
    )
  })
})
