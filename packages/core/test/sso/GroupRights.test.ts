import { groupRights } from "@lectern/core/sso/GroupRights"
import { assert, describe, it } from "@effect/vitest"

const table = [
  { group: "staff", role: "edit", teams: ["writers"] },
  { group: "leads", role: "review", teams: ["writers", "leads"] },
  { group: "readers", teams: ["readers"] }
] as const

describe("GroupRights", () => {
  it("give the strongest role of the groups, and all of their teams", () => {
    const { role, teams } = groupRights(table, ["leads", "staff", "unknown"], "read")
    assert.strictEqual(role, "review")
    assert.deepStrictEqual(
      [...teams],
      [
        ["writers", true],
        ["leads", true],
        ["readers", false]
      ]
    )
  })

  it("give the default role without a group that has one", () => {
    assert.strictEqual(groupRights(table, ["readers"], null).role, null)
    assert.strictEqual(groupRights(table, [], "read").role, "read")
    assert.deepStrictEqual([...groupRights(table, [], "read").teams.values()], [false, false, false])
  })

  it("leave the role alone if no group has one", () => {
    const rights = groupRights([{ group: "a", teams: ["x"] }], ["a"], "admin")
    assert.notProperty(rights, "role")
    assert.deepStrictEqual(groupRights([], ["a"], "admin"), { teams: new Map() })
  })
})
