/** The parser and the printer read the dialects from a list: each is a file, and no other file names one. */
import { assert, describe, it } from "@effect/vitest"
import { dialects } from "@lectern/document/markdown/dialect/Dialects"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

const folder = join(import.meta.dirname, "../../src/markdown")

describe("dialects", () => {
  it("are named only in their own files", () => {
    const names = new RegExp(dialects.flatMap(({ names }) => names).join("|"), "i")
    const others = globSync("**/*.ts", { cwd: folder }).filter((file) => !file.startsWith("dialect/"))
    assert.isAbove(others.length, 50)
    for (const file of others) {
      const text = readFileSync(join(folder, file), "utf8").replace(/\s+(?:\* )?/g, " ")
      assert.isNull(names.exec(text), file)
    }
  })

  it("are all in the list", async () => {
    for (const file of globSync("dialect/*.ts", { cwd: folder })) {
      const exports: Record<string, unknown> = await import(join(folder, file))
      for (const value of Object.values(exports)) {
        if (typeof value !== "object" || value === null || !("names" in value)) continue
        assert.include<unknown>(dialects, value, basename(file))
      }
    }
  })
})
