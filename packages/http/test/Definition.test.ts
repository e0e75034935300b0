/**
 * The definition of the interface is schemas alone, so that a browser can import it: no file that
 * it reaches builds a service, and none of another package than the core, documents, Effect and itself.
 */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { assert } from "@effect/vitest"
import { describe, it } from "vitest"

const packages = join(import.meta.dirname, "../..")

/** Imports of a file when it runs: types are gone by then. */
const importsOf = (source: string): ReadonlyArray<string> =>
  Array.from(
    source.matchAll(/^(?:import|export)\s(?!type\b)(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm),
    ([, name]) => name ?? ""
  )

const resolve = (from: string, name: string): string | undefined => {
  if (name.startsWith(".")) return join(dirname(from), name)
  const [, owner, rest] = /^@lectern\/([^/]+)\/(.+)$/.exec(name) ?? []
  return owner === undefined ? undefined : join(packages, owner, "src", `${rest}.ts`)
}

const reach = (entry: string) => {
  const files = new Map<string, string>()
  const foreign = new Set<string>()
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    assert.isTrue(existsSync(file), `${file} is not there`)
    const source = readFileSync(file, "utf8")
    files.set(file, source)
    for (const name of importsOf(source)) {
      const next = resolve(file, name)
      if (next === undefined) foreign.add(name)
      else waiting.push(next)
    }
  }
  return { files, foreign }
}

const services = /\bLayer\.\w+\(|\bstatic readonly layer\b/

describe("The definition of the interface", () => {
  const { files, foreign } = reach(join(packages, "http/src/api/LecternApi.ts"))
  const names = Array.from(files.keys(), (file) => relative(packages, file))

  it("is followed to where it leads", () => {
    assert.includeMembers(names, [
      "http/src/api/SpacesApi.ts",
      "core/src/space/Space.ts",
      "core/src/access/Actor.ts",
      "core/src/content/edits/ContentChange.ts",
      "document/src/ContentRef.ts"
    ])
    assert.isTrue(
      names.every((name) => /^((core|document|exchange)\/src|http\/src\/api)\//.test(name)),
      names.join("\n")
    )
  })

  it("reaches no service", () => {
    const building = Array.from(files).flatMap(([file, source]) =>
      services.test(source) ? [relative(packages, file)] : []
    )
    assert.deepStrictEqual(building, [])
  })

  it("would notice a service", () => {
    const { files } = reach(join(packages, "core/src/space/Spaces.ts"))
    assert.isTrue(Array.from(files.values()).some((source) => services.test(source)))
  })

  it("imports Effect alone from outside", () => {
    assert.deepStrictEqual(
      Array.from(foreign).filter((name) => name !== "effect" && !name.startsWith("effect/")),
      []
    )
  })
})
