import { assert, describe, it } from "@effect/vitest"
import * as UrlPattern from "@lectern/document/integration-blocks/UrlPattern"

const takes = (text: string, url: string): boolean => {
  const pattern = UrlPattern.parse(text)
  const address = UrlPattern.normalizeUrl(url)
  return pattern !== undefined && address !== undefined && UrlPattern.matches(pattern, address)
}

const cases: ReadonlyArray<readonly [pattern: string, taken: ReadonlyArray<string>, others: ReadonlyArray<string>]> = [
  [
    "https://app.example/share/**",
    ["https://app.example/share/", "https://app.example/share/a/b?c#d", "https://APP.example/share/a"],
    ["https://app.example/shared", "http://app.example/share/a", "https://app.example.org/share/a"]
  ],
  [
    "https://code.example/*/*/blob/**",
    ["https://code.example/a/b/blob/main/c.ts", "https://code.example/a/b/blob/"],
    ["https://code.example/a/blob/main", "https://code.example/a/b/c/blob/main", "https://code.example/a/b"]
  ],
  [
    "https://*.work.example/browse/**",
    ["https://my.work.example/browse/A-1", "https://a.b.work.example/browse/"],
    [
      "https://work.example/browse/A-1",
      "https://elsewhere.example/my.work.example/browse/A-1",
      "https://elsewhere.example?my.work.example/browse/A-1",
      "https://elsewhere.example#my.work.example/browse/A-1",
      "https://elsewhere.example\\my.work.example/browse/A-1",
      "https://me@my.work.example/browse/A-1",
      "https://my.work.example@elsewhere.example/browse/A-1"
    ]
  ],
  ["https://*.chart.example/embed.html*", ["https://a.chart.example/embed.html?id=1"], ["https://a.chart.example/"]],
  ["https://flow.example/*", ["https://flow.example/a", "https://flow.example/a/b/c"], ["https://flow.example.org/a"]],
  ["https://notes.example", ["https://notes.example", "https://notes.example/a"], ["https://notes.example.org/a"]],
  ["https://Notes.example/A", ["https://notes.example/A"], ["https://notes.example/a"]]
]

describe("a pattern of URLs", () => {
  for (const [pattern, taken, others] of cases) {
    it(`${pattern} takes what it says`, () => {
      for (const url of taken) assert.isTrue(takes(pattern, url), url)
      for (const url of others) assert.isFalse(takes(pattern, url), url)
    })
  }

  it("takes nothing where it could be anything, or says too much", () => {
    const url = "https://a.example/b"
    for (const pattern of [
      "**",
      "*",
      "https://**",
      "https://*",
      "https://**.example/b",
      "https://a.*",
      "javascript:*",
      "//a.example/b",
      `https://a.example/${"*a".repeat(7)}`,
      `https://a.example/*${"b".repeat(65)}`
    ]) {
      assert.isFalse(takes(pattern, url), pattern)
    }
    for (const other of ["javascript:a.example", "https://a.example/" + "b".repeat(1024), "https://", "a.example/b"]) {
      assert.isFalse(takes("https://a.example/**", other), other)
    }
  })
})
