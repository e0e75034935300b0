import { globSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"

const root = new URL("../../../", import.meta.url)
const files = globSync(["packages/*/test/**/*.ts", "apps/*/test/**/*.ts", "examples/*.ts"], { cwd: root.pathname })
const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0

it("every property test takes its number of cases and its seed from Runs.ts", () => {
  const properties = files
    .map((file) => ({ file, text: readFileSync(new URL(file, root), "utf8") }))
    .filter(({ file, text }) => !file.endsWith("/Runs.test.ts") && /\bfc\.(assert|check|sample)\(|\.prop\(/.test(text))
  assert.isAbove(properties.length, 40)
  const astray = properties.filter(
    ({ text }) =>
      /\b(numRuns|seed): ?\d/.test(text) ||
      count(text, /\bfc\.(assert|check|sample)\(|\.prop\(/g) > count(text, /\b(runs|checks)\(|\.\.\.runs\b/g)
  )
  assert.deepStrictEqual(
    astray.map(({ file }) => file),
    []
  )
})
