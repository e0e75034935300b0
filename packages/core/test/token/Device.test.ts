import { deviceOf } from "@lectern/core/token/Device"
import { assert, describe, it } from "@effect/vitest"

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36"

describe("Device", () => {
  for (const [userAgent, words] of [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0", "Firefox on Linux"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, "Chrome on Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/153.0.0.0`, "Edge on Windows"],
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome}`, "Chrome on Android"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "Safari on iOS"
    ],
    ["curl/8.5.0", "curl"],
    ["Mozilla/5.0 (Windows NT 10.0)", "Windows"],
    ["", undefined],
    [undefined, undefined],
    ["x".repeat(100_000), undefined]
  ] as const)
    it(`names ${words ?? "nothing"} for ${(userAgent ?? "no header").slice(0, 60)}`, () => {
      assert.strictEqual(deviceOf(userAgent), words)
    })
})
