/** Size of the editor in a browser: what a page loads before the editor is on the screen. */
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { rolldown } from "rolldown"

/** Limit of the scripts that are loaded to open an editor (bytes, compressed by gzip). */
const maxBytes = 120 * 1024

describe("The size of the editor", () => {
  it("is at most 120 KB when it opens, and Markdown is loaded later", async () => {
    const build = await rolldown({
      input: new URL("../src/Editor.ts", import.meta.url).pathname,
      platform: "browser",
      tsconfig: false
    })
    const { output } = await build.generate({ format: "esm", minify: true })
    const chunks = output.flatMap((part) => (part.type === "chunk" ? [part] : []))
    const loaded = new Set<string>()
    const visit = (name: string) => {
      if (loaded.has(name)) return
      loaded.add(name)
      for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) visit(next)
    }
    visit(chunks.find(({ isEntry }) => isEntry)!.fileName)
    const first = chunks.filter(({ fileName }) => loaded.has(fileName))
    assert.isAtMost(
      first.reduce((sum, { code }) => sum + gzipSync(code).length, 0),
      maxBytes
    )
    assert.deepStrictEqual(
      first.flatMap(({ moduleIds }) => moduleIds.filter((id) => id.includes("/markdown/syntax/"))),
      []
    )
    assert.isAbove(chunks.length, first.length)
  })
})
