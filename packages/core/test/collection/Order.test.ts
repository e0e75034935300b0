/**
 * The order of collections and spaces, against plain lists: whatever is made, moved and removed, each
 * parent's things stand as in its list, and no two in the same place.
 */
import { type CollectionId, CollectionTable } from "@lectern/core/collection/Collection"
import { Collections } from "@lectern/core/collection/Collections"
import type { Move, Reference } from "@lectern/core/collection/Position"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import type { ListPage } from "@lectern/core/paging/Paging"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { onEach } from "../Adapters.ts"
import { adapters, organization } from "../Instances.ts"
import { runs } from "../Runs.ts"

const top = "top"

interface Thing {
  readonly kind: "space" | "collection"
  readonly id: string
}

/** The things of each parent, in their order. */
type Lists = Map<string, Array<Thing>>

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("create" as const), collection: fc.boolean(), parent: fc.nat() })
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("move" as const),
      thing: fc.nat(),
      /** Stays in its parent, where it is undefined. */
      parent: fc.option(fc.nat(), { nil: undefined }),
      before: fc.option(fc.nat(), { nil: undefined }),
      after: fc.option(fc.nat(), { nil: undefined }),
      /** `after` is the one in front of `before`, whichever that is. */
      neighbours: fc.boolean()
    })
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("remove" as const), thing: fc.nat() }) }
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const everything = (lists: Lists) => [...lists.values()].flat()

const pick = <A>(items: ReadonlyArray<A>, at: number): A | undefined =>
  items.length === 0 ? undefined : items[at % items.length]

const parentOf = (lists: Lists, thing: Thing) => [...lists].find(([, things]) => things.includes(thing))![0]

/** A collection with all that is in it, at every depth. */
const within = (lists: Lists, thing: Thing): ReadonlyArray<Thing> => {
  const found = [thing]
  for (const { id } of found) found.push(...(lists.get(id) ?? []))
  return found
}

const referenceTo = ({ kind, id }: Thing): Reference =>
  kind === "space" ? { type: kind, space: id as SpaceId } : { type: kind, collection: id as CollectionId }

/** The list that a move makes by the rules; undefined for one that is refused. */
const expected = (
  lists: Lists,
  thing: Thing,
  to: string,
  before: Thing | undefined,
  after: Thing | undefined
): ReadonlyArray<Thing> | undefined => {
  if (within(lists, thing).some(({ id }) => id === to)) return undefined
  const target = lists.get(to)!
  if ([before, after].some((sibling) => sibling !== undefined && !target.includes(sibling))) return undefined
  const others = target.filter((one) => one !== thing)
  if (before === thing || after === thing) {
    const inOrder = before === undefined || after === undefined || target[target.indexOf(after) + 1] === before
    return inOrder ? target : undefined
  }
  if (before !== undefined && after !== undefined && others[others.indexOf(after) + 1] !== before) return undefined
  const at = after !== undefined ? others.indexOf(after) + 1 : before !== undefined ? others.indexOf(before) : undefined
  return at === undefined ? [...others, thing] : others.toSpliced(at, 0, thing)
}

const take = Effect.fnUntraced(function* (here: OrganizationId, lists: Lists, step: Step) {
  const spaces = yield* Spaces
  const collections = yield* Collections
  if (step.type === "create") {
    const parent = pick([...lists.keys()], step.parent)!
    const input = parent === top ? {} : { parent: parent as CollectionId }
    const kind = step.collection ? "collection" : "space"
    const { id } = step.collection ? yield* collections.create(here, input) : yield* spaces.create(here, input)
    lists.get(parent)!.push({ kind, id })
    if (step.collection) lists.set(id, [])
    return
  }
  const thing = pick(everything(lists), step.thing)
  if (thing === undefined) return
  if (step.type === "remove") {
    const list = lists.get(parentOf(lists, thing))!
    for (const { id } of within(lists, thing)) lists.delete(id)
    list.splice(list.indexOf(thing), 1)
    return yield* thing.kind === "space"
      ? spaces.remove(thing.id as SpaceId)
      : collections.remove(thing.id as CollectionId)
  }
  const from = parentOf(lists, thing)
  const to = step.parent === undefined ? from : pick([...lists.keys()], step.parent)!
  const siblings = lists.get(to)!
  const candidates = siblings.length === 0 ? everything(lists) : siblings
  const before = step.before === undefined ? undefined : pick(candidates, step.before)
  const after =
    step.neighbours && before !== undefined
      ? candidates.filter((one) => one !== thing || before === thing).at(candidates.indexOf(before) - 1)
      : step.after === undefined
        ? undefined
        : pick(candidates, step.after)
  const move: Move = {
    ...(step.parent !== undefined && { parent: to === top ? null : (to as CollectionId) }),
    ...((before ?? after) && {
      position: { ...(before && { before: referenceTo(before) }), ...(after && { after: referenceTo(after) }) }
    })
  }
  const wanted = expected(lists, thing, to, before, after)
  const moved = yield* Effect.result<unknown, { readonly _tag: string }, any>(
    thing.kind === "space" ? spaces.move(thing.id as SpaceId, move) : collections.move(thing.id as CollectionId, move)
  )
  assert.strictEqual(moved._tag, wanted === undefined ? "Failure" : "Success", JSON.stringify(move))
  if (wanted === undefined) {
    if (moved._tag === "Failure") assert.include(["InvalidPosition", "CollectionCycle"], moved.failure._tag)
    return
  }
  lists.set(
    from,
    lists.get(from)!.filter((one) => one !== thing)
  )
  lists.set(to, [...wanted])
})

/** `pages`: the sizes of pages in which everything is listed. */
const check = Effect.fnUntraced(function* (here: OrganizationId, lists: Lists, pages: ReadonlyArray<number> = [1000]) {
  const storage = yield* Storage
  const spaces = yield* Spaces
  const nested = yield* (yield* Collections).list(here, { limit: 1000 })
  // Depth first, whatever the size of the pages.
  const depthFirst = (parent: string): ReadonlyArray<Thing> =>
    (lists.get(parent) ?? []).flatMap((thing) => [thing, ...depthFirst(thing.id)])
  const all = (kind: Thing["kind"]) => depthFirst(top).flatMap((thing) => (thing.kind === kind ? thing.id : []))
  assert.deepStrictEqual(
    nested.items.map(({ id }) => id as string),
    all("collection")
  )
  for (const limit of pages) {
    const seen: Array<string> = []
    for (let page: string | undefined = ""; page !== undefined;) {
      const found: ListPage<{ readonly id: string }> = yield* spaces.list(here, { limit, ...(page && { page }) })
      seen.push(...found.items.map(({ id }) => id))
      assert.strictEqual(found.count, all("space").length)
      page = found.next?.page
    }
    assert.deepStrictEqual(seen, all("space"))
  }
  for (const [parent, things] of lists) {
    const where = { organization: here, parent: parent === top ? null : parent }
    const rows = [
      ...(yield* storage.repository(SpaceTable).list({ where: { ...where, deleted: false } })),
      ...(yield* storage.repository(CollectionTable).list({ where }))
    ].toSorted((a, b) => (a.position < b.position ? -1 : 1))
    const ids = things.map(({ id }) => id)
    assert.deepStrictEqual(
      rows.map(({ id }) => id as string),
      ids
    )
    assert.strictEqual(new Set(rows.map(({ position }) => position)).size, rows.length, "two stand in one place")
    const of = (kind: string) => things.filter((thing) => thing.kind === kind).map(({ id }) => id)
    const listed = nested.items.filter((item) => (item.parent ?? top) === parent)
    assert.deepStrictEqual(
      listed.map(({ id }) => id as string),
      of("collection")
    )
    const inside =
      parent === top
        ? (yield* spaces.list(here, { limit: 1000 })).items.filter((space) => space.parent === undefined)
        : (yield* spaces.listInCollection(parent as CollectionId, {})).items
    assert.deepStrictEqual(
      inside.map(({ id }) => id as string),
      of("space")
    )
  }
})

describe("Order", () => {
  for (const [name, services] of onEach(adapters)) {
    it.effect(`is that of plain lists (${name})`, () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Layer.Success<typeof services>>()
        const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) =>
          Effect.gen(function* () {
            const here = yield* organization
            const lists: Lists = new Map([[top, []]])
            for (const one of steps) {
              yield* take(here, lists, one)
              yield* check(here, lists)
            }
            yield* check(here, lists, [1, 3])
          }).pipe(Effect.runPromiseWith(context))
        )
        yield* Effect.promise(() => fc.assert(property, runs(25, 100)))
      }).pipe(Effect.provide(Layer.fresh(services)))
    )
  }
})
