import { assert, describe, it } from "@effect/vitest"
import { cyclesOf } from "../ServiceCycles.ts"

const service = (path: string, ...imports: ReadonlyArray<string>) => ({
  path,
  text: `${imports.join("\n")}\nexport class S extends Context.Service<S, { readonly n: number }>()("s") {}\n`
})

describe("Cycles of services", () => {
  it("are told with the imports that make them, each folder in one", () =>
    assert.deepStrictEqual(
      cyclesOf([
        service(
          "space/Spaces.ts",
          `import { Sites } from "../site/Sites.ts"`,
          `import { Facts } from "../access/Facts.ts"`
        ),
        service("site/Sites.ts", `import { type Site, Sites } from "../site/store/SiteStore.ts"`),
        service(
          "site/store/SiteStore.ts",
          `export { Spaces } from "../../space/Spaces.ts"`,
          `import { Spaces } from "../../space/Spaces.ts"`
        ),
        service("access/Facts.ts")
      ]),
      [
        "Services of 3 folders need each other:",
        "  site/Sites.ts imports site/store/SiteStore.ts",
        "  site/store/SiteStore.ts imports space/Spaces.ts",
        "  space/Spaces.ts imports site/Sites.ts"
      ]
    ))

  it("are none where types, rows or the files of one folder refer to each other", () =>
    assert.deepStrictEqual(
      cyclesOf([
        service("space/Spaces.ts", `import { Sites } from "../site/Sites.ts"`, `import { Trash } from "./Trash.ts"`),
        service("space/Trash.ts", `import { Spaces } from "./Spaces.ts"`),
        service(
          "site/Sites.ts",
          `import type { Spaces } from "../space/Spaces.ts"`,
          `import { type Moved } from "../space/Spaces.ts"`,
          `import { SpaceTable } from "../space/Space.ts"`
        ),
        { path: "space/Space.ts", text: `import { Sites } from "../site/Sites.ts"\nexport const SpaceTable = Sites` },
        service("Lectern.ts", `import { Sites } from "./site/Sites.ts"`)
      ]),
      []
    ))
})
