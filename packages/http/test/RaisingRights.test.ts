/**
 * Nobody who may not create raises its own rights, by any route: each of them tries every operation
 * that writes, in its own favour, and then may do exactly what it might before.
 */
import { assert } from "@effect/vitest"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { operations } from "./AuthorityTable.ts"
import { answers, Harness, has, onEachAdapter } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createSpace, foundOrganization } from "./Steps.ts"
import { makeThings, type Things } from "./Things.ts"
import type { Own } from "./WriteRow.ts"
import { writeOf, written } from "./WriteTable.ts"

const bodies = (name: string, own: Own): ReadonlyArray<unknown> => {
  const { tries = [] } = writeOf(name) ?? {}
  return typeof tries === "function" ? tries(own) : tries
}

const people = ["guest", "read", "comment", "edit", "review"] as const

onEachAdapter("Raising rights", (it) => {
  for (const person of people) {
    it.effect(`does not succeed by any route for ${person}`, () =>
      Effect.gen(function* () {
        const { call, organization, users } = yield* Harness
        const things = yield* makeThings
        const inner = yield* createSpace({ parent: things.collection })
        const closed = [yield* createSpace(), yield* createCollection()]
        const open = yield* createCollection()
        yield* call("admin", "PATCH", `/v1/collections/${open.id}`, { defaultLevel: "admin" }).pipe(has(200))
        for (const { id, object } of closed) {
          yield* call("admin", "PATCH", `/v1/${object}s/${id}`, { defaultLevel: null }).pipe(has(200))
        }
        // It has a grant, and so the grant's own address to change it at.
        const site = `/v1/orgs/${organization}/sites/${things.site}`
        for (const content of [`/v1/spaces/${things.space}`, `/v1/collections/${things.collection}`, site]) {
          yield* call("admin", "POST", `${content}/permissions`, { users: [users[person]], role: "read" }).pipe(
            has(204)
          )
        }
        const contents = [
          `/v1/spaces/${things.space}`,
          `/v1/spaces/${inner.id}`,
          `/v1/collections/${things.collection}`,
          `/v1/spaces/${things.spare}`,
          site,
          ...closed.map(({ id, object }) => `/v1/${object}s/${id}`)
        ]
        const rights = Effect.gen(function* () {
          const me = yield* call("admin", "GET", `/v1/orgs/${organization}/members/${users[person]}`).pipe(
            answers(200, Shapes.Member)
          )
          const told: Array<unknown> = [me.role, me.spaces, me.teams]
          // Nor does it change what is published, and to whom.
          for (const path of ["", "/structure", "/share-links", "/publishing/auth", "/customization", "/redirects"]) {
            const { text } = yield* call("admin", "GET", site + path).pipe(has(200))
            // How many change requests a space has counts for nothing here.
            told.push(JSON.parse(text, (key, value) => (key === "space" ? value.id : value)))
          }
          for (const path of [`/v1/orgs/${organization}`, ...contents]) {
            const { status, text } = yield* call(person, "GET", path)
            told.push([path, status, JSON.parse(text).permissions])
          }
          return told
        })
        const { generation } = yield* Storage
        const before = yield* rights
        const mine = yield* foundOrganization("Mine", users[person])
        const collection = yield* call(person, "POST", `/v1/orgs/${mine.id}/collections`).pipe(
          answers(201, Shapes.Collection)
        )
        const own: Own = {
          user: users[person],
          email: `${person}@example.com`,
          organization: mine.id,
          collection: collection.id,
          open: open.id,
          things
        }
        const targets: ReadonlyArray<Things> = [
          { ...things, user: own.user, member: own.user },
          { ...things, space: inner.id, user: own.user, member: own.user },
          { ...things, space: closed[0]!.id, collection: closed[1]!.id, user: own.user, member: own.user },
          { ...things, org: own.organization, user: own.user, member: own.user }
        ]
        let tried = 0
        let looks = 0
        let looked = yield* generation
        const distinct = operations.filter((one, i) => operations.findIndex(({ name }) => name === one.name) === i)
        for (const operation of distinct) {
          // Whoever takes itself out has no rights left to look at.
          if (operation.method === "GET" || operation.name === "members.remove") continue
          for (const body of bodies(operation.name, own)) {
            for (const target of targets) {
              yield* call(person, operation.method, operation.path(target), body)
              tried++
            }
          }
          // A refusal commits nothing, so there is nothing new to look at.
          if ((yield* generation) === looked) continue
          assert.deepStrictEqual(yield* rights, before, operation.says)
          looked = yield* generation
          looks++
        }
        assert.isAbove(tried, written.length)
        assert.isAbove(looks, 0)
      })
    )
  }
})
