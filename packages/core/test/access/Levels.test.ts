/**
 * A member's level on a space, in every combination of its role, the default levels of the space, its
 * collection and the one around, and a grant; against the rule as a person would put it.
 */
import { effectiveLevel, levelOn, type Membership } from "@lectern/core/access/Access"
import type { OrganizationFacts } from "@lectern/core/access/AccessFacts"
import type { GrantRow } from "@lectern/core/grant/Grant"
import type { DefaultLevel, Role } from "@lectern/core/access/Role"
import { CollectionId } from "@lectern/core/collection/Collection"
import type { OrganizationRow } from "@lectern/core/organization/Organization"
import { assert, describe, it } from "@effect/vitest"

const ladder = ["read", "comment", "edit", "review", "create", "admin"] as const
const roles: ReadonlyArray<Role | null> = [null, ...ladder]
const levels: ReadonlyArray<DefaultLevel> = ["inherit", null, ...ladder]

const user = "someone"
const team = "team"
const [space, collection, around] = ["space", "collection", "around"] as const
const places = [space, collection, around] as const

type Place = (typeof places)[number]

interface Granted {
  readonly to: "user" | "team" | "another user" | "another team"
  readonly on: Place | "elsewhere"
  readonly role: Role
}

const grants: ReadonlyArray<Granted | undefined> = [
  undefined,
  ...(["user", "team"] as const).flatMap((to) =>
    places.flatMap((on) => (["read", "edit", "admin"] as const).map((role) => ({ to, on, role })))
  ),
  { to: "another user", on: space, role: "admin" },
  { to: "another team", on: collection, role: "admin" },
  { to: "user", on: "elsewhere", role: "admin" }
]

type Levels = Readonly<Record<Place, DefaultLevel>>

const row = ({ to, on, role }: Granted): GrantRow => ({
  organization: "organization",
  kind: on === space ? "space" : "collection",
  content: on,
  holderKind: to.endsWith("user") ? "user" : "team",
  holder: to === "user" ? user : to === "team" ? team : to,
  role
})

const factsOf = (level: Levels, granted: ReadonlyArray<Granted>): OrganizationFacts => ({
  organization: { defaultRole: "comment" } as OrganizationRow,
  members: new Map(),
  teams: new Map([[user, new Set([team])]]),
  ownedTeams: new Map(),
  teamSizes: new Map(),
  signOn: new Map(),
  bounded: new Map(),
  grants: Map.groupBy(granted.map(row), ({ content }) => content),
  collections: new Map(
    [
      { id: CollectionId.make(around), position: "a0", defaultLevel: level[around] },
      {
        id: CollectionId.make(collection),
        parent: CollectionId.make(around),
        position: "a0",
        defaultLevel: level[collection]
      }
    ].map((known) => [known.id, known])
  )
})

/** The rule: of all that is given, the most; by default the nearest level that says something, else the own role. */
const expected = (role: Role | null, level: Levels, granted: ReadonlyArray<Granted>): Role | undefined => {
  if (role === "admin") return "admin"
  const given: Array<Role | null> = granted
    .filter(({ on, to }) => (to === "user" || to === "team") && on !== "elsewhere")
    .map((grant) => grant.role)
  if (role !== null) {
    const said = places.map((place) => level[place]).find((one) => one !== "inherit")
    given.push(said === undefined ? role : said)
  }
  return ladder.findLast((one) => given.includes(one))
}

const everyLevels = levels.flatMap((onSpace) =>
  levels.flatMap((onCollection) =>
    levels.map((onAround): Levels => ({ [space]: onSpace, [collection]: onCollection, [around]: onAround }))
  )
)

const levelFor = (role: Role | null, level: Levels, granted: ReadonlyArray<Granted>) => {
  const member: Membership = { user, role, admin: role === "admin", facts: factsOf(level, granted) }
  return levelOn(member, { id: space, parent: collection, defaultLevel: level[space] })
}

const check = (role: Role | null, level: Levels, granted: ReadonlyArray<Granted>) => {
  const found = levelFor(role, level, granted)
  const right = expected(role, level, granted)
  // Made only where it fails: there are many cases.
  if (found !== right) assert.fail(`${JSON.stringify({ role, level, granted })}: ${found} instead of ${right}`)
}

describe("Levels", () => {
  const cases = roles.length * everyLevels.length * grants.length
  it(`are the strongest of what is granted and what everyone gets: ${cases} cases`, () => {
    let seen = 0
    for (const role of roles) {
      for (const level of everyLevels) {
        for (const grant of grants) {
          check(role, level, grant === undefined ? [] : [grant])
          seen++
        }
      }
    }
    assert.strictEqual(seen, cases)
  })

  it("add nothing up: of two grants the stronger counts", () => {
    const some = everyLevels.filter((level) =>
      places.every((place) => ["inherit", null, "edit"].includes(level[place]))
    )
    for (const role of roles) {
      for (const level of some) {
        for (const one of grants) {
          for (const two of grants)
            check(
              role,
              level,
              [one, two].filter((grant) => grant !== undefined)
            )
        }
      }
    }
  })

  it("read as the nearest that is set, at the top as the organization's", () => {
    for (const level of everyLevels) {
      const facts = factsOf(level, [])
      const set = places.map((place) => level[place]).find((one) => one !== "inherit")
      assert.strictEqual(
        effectiveLevel(facts, { parent: collection, defaultLevel: level[space] }),
        set === undefined ? "comment" : set
      )
    }
  })

  it("give the host everything, and end at a collection that is gone", () => {
    const level: Levels = { [space]: null, [collection]: null, [around]: null }
    const facts = factsOf(level, [])
    assert.strictEqual(
      levelOn({ user: undefined, role: "admin", admin: true, facts }, { id: space, defaultLevel: null }),
      "admin"
    )
    const member: Membership = { user, role: "edit", admin: false, facts }
    assert.strictEqual(levelOn(member, { id: space, parent: "gone", defaultLevel: "inherit" }), "edit")
  })
})
