import { assert, describe, it } from "@effect/vitest"
import { backTo, cyclesOf } from "../ServiceCycles.ts"

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

describe("A file that what it imports leads back to", () => {
  const file = (path: string, ...imports: ReadonlyArray<string>) => ({ path, text: imports.join("\n") })

  it("is told with the way", () =>
    assert.deepStrictEqual(
      backTo("Concepts.ts", [
        file("Concepts.ts", `import { a } from "./a/AConcept.ts"`, `import { b } from "./b/BConcept.ts"`),
        file("a/AConcept.ts", `import { Events } from "../event/Events.ts"`),
        file("b/BConcept.ts", `import type { Events } from "../event/Events.ts"`),
        file("event/Events.ts", `import { concepts } from "../Concepts.ts"`)
      ]),
      [
        "Concepts.ts needs itself:",
        "  Concepts.ts imports a/AConcept.ts",
        "  a/AConcept.ts imports event/Events.ts",
        "  event/Events.ts imports Concepts.ts"
      ]
    ))

  it("is fine where only types do", () =>
    assert.deepStrictEqual(
      backTo("Concepts.ts", [
        file("Concepts.ts", `import { b } from "./b/BConcept.ts"`),
        file("b/BConcept.ts", `import type { Events } from "../event/Events.ts"`),
        file("event/Events.ts", `import { concepts } from "../Concepts.ts"`)
      ]),
      []
    ))
})
