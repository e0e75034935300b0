import { assert, describe, it } from "@effect/vitest"
import { checksums, obstacles } from "../../bundle/Release.ts"

const manifest = { name: "@a/b", version: "1.2.0", license: "MIT", engines: {}, description: "B" }
const files = { versionFile: 'export const version = "1.2.0"', changelog: "# Changes\n\n## 1.2.0 (2026-11-30)\n" }

describe("A release", () => {
  it("has no obstacles if all versions are equal and the changelog describes them", () =>
    assert.deepStrictEqual(obstacles([manifest, manifest], { ...files, dryRun: false }), []))

  it.each<[Partial<typeof manifest>, Partial<typeof files>, string]>([
    [{ version: "1.3.0" }, {}, "The packages have different versions: 1.2.0, 1.3.0"],
    [{ license: undefined as never }, {}, '@a/b has no "license" in package.json'],
    [{}, { versionFile: 'export const version = "1.1.0"' }, "apps/cli/src/Version.ts has another version than 1.2.0"],
    [{}, { changelog: "## 1.1.0\n" }, "docs/changelog.md has no section for 1.2.0"],
    [{}, { changelog: "## 1.2.0 (not released yet)\n" }, "docs/changelog.md says that 1.2.0 is not released"]
  ])("names its obstacles: %#", (other, changed, reason) =>
    assert.deepStrictEqual(obstacles([manifest, { ...manifest, ...other }], { ...files, ...changed, dryRun: false }), [
      reason
    ])
  )

  it("can be tried before its date is known", () => {
    const changelog = "## 1.2.0 (not released yet)\n"
    assert.deepStrictEqual(obstacles([manifest], { ...files, changelog, dryRun: true }), [])
  })

  it("has checksums in the form of sha256sum, sorted by name", () => {
    const bytes = new TextEncoder().encode("a")
    const hash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    const files = ["b.tgz", "a.tgz"].map((name) => [name, bytes] as const)
    assert.strictEqual(checksums(files), `${hash}  a.tgz\n${hash}  b.tgz\n`)
  })
})
