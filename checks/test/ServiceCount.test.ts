import { assert, describe, it } from "@effect/vitest"
import { excessServices, servicesOf } from "../ServiceCount.ts"

const service = (name: string, ...imports: ReadonlyArray<string>) => ({
  path: `${name}.ts`,
  text: `${imports.join("\n")}\nexport class ${name} extends Context.Service<${name}, { readonly n: number }>()("${name}") {}\n`
})

const sources = [
  service("Storage"),
  service("Events", `import { Storage, type StorageError } from "./Storage.ts"`),
  service(
    "Spaces",
    `import { Storage } from "./Storage.ts"`,
    `import { Events } from "./Events.ts"`,
    `import type { Sites } from "./Sites.ts"`,
    `import { type Sites as S, SiteTable } from "./Sites.ts"`
  ),
  service("Sites", `import * as Paths from "./Paths.ts"`),
  { path: "Paths.ts", text: `import { Spaces } from "./Spaces.ts"\nexport const make = Spaces` }
]

describe("Services", () => {
  it("depend on the services that their files import at run time", () =>
    assert.deepStrictEqual(
      servicesOf(sources).map(({ name, dependencies }) => [name, [...dependencies]]),
      [
        ["Storage", []],
        ["Events", ["Storage"]],
        ["Spaces", ["Storage", "Events"]],
        ["Sites", []]
      ]
    ))

  it("are reported if they are too many or have too many dependencies", () =>
    assert.deepStrictEqual(excessServices(sources, { maxServices: 3, maxDependencies: 1 }), [
      "The core has 4 services, but at most 3 are allowed: write functions instead",
      "Spaces.ts: Spaces has 2 dependencies, but at most 1 are allowed"
    ]))
})
