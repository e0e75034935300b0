import { assert, describe, it } from "@effect/vitest"
import { importsBackTo, cyclesOf } from "../ServiceCycles.ts"

const service = (path: string, ...imports: ReadonlyArray<string>) => ({
  path,
  text: `${imports.join("\n")}\nexport class S extends Context.Service<S, { readonly n: number }>()("s") {}\n`
})

describe("Cycles of services", () => {
  it("are reported with their imports, each folder in one cycle", () =>
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
        "Services of 3 folders import each other:",
        "  site/Sites.ts imports site/store/SiteStore.ts",
        "  site/store/SiteStore.ts imports space/Spaces.ts",
        "  space/Spaces.ts imports site/Sites.ts"
      ]
    ))

  it("include effects that get services and return functions", () =>
    assert.deepStrictEqual(
      cyclesOf([
        service("space/Spaces.ts", `import { makeSiteChanges } from "../site/SiteChanges.ts"`),
        {
          path: "site/SiteChanges.ts",
          text: `import { Spaces } from "../space/Spaces.ts"\nexport const makeSiteChanges = Effect.gen(function* () {})`
        }
      ]),
      [
        "Services of 2 folders import each other:",
        "  site/SiteChanges.ts imports space/Spaces.ts",
        "  space/Spaces.ts imports site/SiteChanges.ts"
      ]
    ))

  it("do not arise from types, rows and files of one folder", () =>
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

describe("A file that imports itself indirectly", () => {
  const file = (path: string, ...imports: ReadonlyArray<string>) => ({ path, text: imports.join("\n") })

  it("is reported with the path", () =>
    assert.deepStrictEqual(
      importsBackTo("Concepts.ts", [
        file("Concepts.ts", `import { a } from "./a/AConcept.ts"`, `import { b } from "./b/BConcept.ts"`),
        file("a/AConcept.ts", `import { Events } from "../event/Events.ts"`),
        file("b/BConcept.ts", `import type { Events } from "../event/Events.ts"`),
        file("event/Events.ts", `import { concepts } from "../Concepts.ts"`)
      ]),
      [
        "Concepts.ts imports itself:",
        "  Concepts.ts imports a/AConcept.ts",
        "  a/AConcept.ts imports event/Events.ts",
        "  event/Events.ts imports Concepts.ts"
      ]
    ))

  it("is accepted if only types do", () =>
    assert.deepStrictEqual(
      importsBackTo("Concepts.ts", [
        file("Concepts.ts", `import { b } from "./b/BConcept.ts"`),
        file("b/BConcept.ts", `import type { Events } from "../event/Events.ts"`),
        file("event/Events.ts", `import { concepts } from "../Concepts.ts"`)
      ]),
      []
    ))
})
