import { assert, it } from "@effect/vitest"
import { throwsMistakes } from "../Throws.ts"

const method = (path: string, failures: ReadonlyArray<string>, thrown: ReadonlyArray<string>) => ({
  path,
  file: "Spaces.ts",
  failures: failures.map((name) => ({ name, comment: "" })),
  thrown: thrown.map((name) => [name, ""] as const)
})

it("reports failures without @throws, and @throws without a failure", () => {
  const failures = ["Forbidden", "SpaceNotFound", "StorageError"]
  assert.deepStrictEqual(throwsMistakes([method("spaces.get", failures, ["SpaceNotFound", "Forbidden"])]), [])
  assert.deepStrictEqual(
    throwsMistakes([
      method("spaces.get", failures, ["Forbidden", "Forbidden", "SiteNotFound"]),
      method("spaces.move", failures, ["Forbidden", "SpaceNotFound", "StorageError"])
    ]),
    [
      "Spaces.ts: the comment of spaces.get lacks @throws {SpaceNotFound}",
      "Spaces.ts: the comment of spaces.get has a superfluous @throws {Forbidden}",
      "Spaces.ts: the comment of spaces.get has a superfluous @throws {SiteNotFound}",
      "Spaces.ts: the comment of spaces.move has a superfluous @throws {StorageError}"
    ]
  )
})

it("reports that it found no method", () => {
  assert.lengthOf(throwsMistakes([]), 1)
})
