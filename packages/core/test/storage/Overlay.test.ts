/**
 * The overlay against the simplest possible table: whatever is fetched, dropped, written and rolled back, in any order, a
 * transaction sees the committed rows with its own writes, and never asks for what it has.
 */
import { matches, type NaiveClause, order, sorted } from "@lectern/adapter-contract/NaiveTable"
import { inventTable, type Item } from "@lectern/adapter-contract/Invented"
import type { Condition } from "@lectern/core/storage/Condition"
import { type FetchRequest, type LearnedCommit, Overlay } from "@lectern/core/storage/Overlay"
import { Reads } from "@lectern/core/storage/Reads"
import { stored } from "@lectern/core/storage/Row"
import { type Query, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import { missing } from "@lectern/core/storage/TransactionEngine"
import { addWrittenTags, WrittenRows } from "@lectern/core/storage/WrittenRows"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

/** The remote store: committed rows, and the commits of the past. */
class RemoteTable {
  readonly table: Table = inventTable()
  generation = 1
  rows: ReadonlyMap<string, Item> = new Map()

  answer(request: FetchRequest): unknown {
    if (request.type === "row") return received(this.rows.get((request.key as unknown as Item).id))
    if (request.type === "other") return request.payload
    const where = request.type === "list" ? request.query.where : request.where
    const matching = matchingRows(this.rows, where)
    if (request.type === "count") return matching.length
    return listOf(this.rows, request.query).map(received)
  }

  /** Replaces rows, and returns the commit as another process learns of it. */
  write(rows: ReadonlyMap<string, Item>): LearnedCommit {
    const tags = new Set<string>()
    for (const id of new Set([...this.rows.keys(), ...rows.keys()])) {
      const [before, after] = [this.rows.get(id), rows.get(id)]
      if (before !== after) addWrittenTags(tags, this.table, before, after)
    }
    this.rows = rows
    return { generation: ++this.generation, tags: [...tags] }
  }
}

/** Returns a row as a process receives it: another object for each answer. */
const received = <Row extends Item | undefined>(row: Row): Row => (row === undefined ? row : Object.freeze({ ...row }))

const clausesOf = (where: unknown) => (Array.isArray(where) ? where : [where]) as ReadonlyArray<NaiveClause>

const matchingRows = (rows: ReadonlyMap<string, Item>, where: unknown) =>
  [...rows.values()].filter((row) => matches(row, clausesOf(where)))

const listOf = (rows: ReadonlyMap<string, Item>, query: Query<Table>) => {
  const fields = [...((query.order ?? []) as ReadonlyArray<string>), "id"]
  const { after, descending = false, limit } = query
  const comparisonToCursor = (row: Item) =>
    fields
      .map((field, i) => order((row as unknown as Values)[field] ?? null, after![i]!))
      .find((compared) => compared !== 0) ?? 0
  return sorted(matchingRows(rows, query.where), fields, descending)
    .filter((row) => after === undefined || comparisonToCursor(row) * (descending ? -1 : 1) > 0)
    .slice(0, limit)
}

type Values = Readonly<Record<string, Scalar>>

const queryOf = (query: { readonly where: unknown; readonly [option: string]: unknown }) =>
  query as unknown as Query<Table>

const ids = ["a", "b", "c", "d", "e", "f"]
const text = fc.constantFrom("x", "y", "z")
const patch = fc.record(
  { group: fc.constantFrom("g", "h"), text, number: fc.integer({ min: 0, max: 3 }) },
  { requiredKeys: [] }
)
/** Few conditions, so that an answer is used again after others have written. */
const clause = fc.constantFrom<Array<NaiveClause>>(
  {},
  { group: "g" },
  { group: "h", text: { gt: "x" } },
  { number: { gte: 1 } },
  { id: { in: ["a", "c", "e"] } },
  { id: "b" },
  { id: "c", group: "g" }
)
const where = fc.oneof(
  { weight: 4, arbitrary: clause },
  fc.constantFrom<Array<ReadonlyArray<NaiveClause>>>(
    [],
    [{ id: "a" }, { id: "d" }],
    [{ group: "g" }, { number: { gte: 2 } }]
  )
)

const command = fc.oneof(
  fc.record({ do: fc.constant("insert" as const), id: fc.constantFrom(...ids), row: patch }),
  fc.record({ do: fc.constant("update" as const), where, patch }),
  fc.record({ do: fc.constant("remove" as const), where: clause }),
  fc.record({ do: fc.constant("get" as const), id: fc.constantFrom(...ids) }),
  fc.record({ do: fc.constant("count" as const), where }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("list" as const),
      where,
      order: fc.constantFrom([], ["text"]),
      descending: fc.boolean(),
      limit: fc.constantFrom(undefined, 0, 1, 2, 3),
      after: fc.option(fc.nat(3), { nil: undefined, freq: 3 })
    })
  },
  fc.record({ do: fc.constant("savepoint" as const), fails: fc.boolean() }),
  fc.record({ do: fc.constant("commit" as const), isRefused: fc.boolean() }),
  fc.record({
    do: fc.constant("other process" as const),
    id: fc.constantFrom(...ids),
    row: fc.option(patch),
    late: where
  }),
  fc.record({ do: fc.constant("forget" as const) })
)
type Command = typeof command extends fc.Arbitrary<infer A> ? A : never

interface Story {
  readonly rows: ReadonlyArray<Omit<Item, "id">>
  readonly commands: ReadonlyArray<Command>
  /** Limit of the overlay. */
  readonly limit: number
}

/** One process over the store, compared with its own rows at each step. */
const compare = ({ commands, limit, rows }: Story) => {
  const remote = new RemoteTable()
  const { table } = remote
  remote.write(new Map(rows.map((row, i) => [ids[i]!, stored(table, { ...row, id: ids[i]! }) as Item])))
  const overlay = new Overlay(remote.generation, new WrittenRows(), limit)
  let own = new Map<string, Item>()
  let savepoints: Array<Map<string, Item>> = []

  /** Runs an operation until it misses nothing. */
  const run = <A>(operation: () => A): A => {
    for (let fetches = 0; ; fetches++) {
      try {
        return operation()
      } catch (thrown) {
        if (thrown !== missing) throw thrown
        assert.isBelow(fetches, 3, "an operation fetches twice at most")
        const requests = overlay.takeRequests()
        assert.isNotEmpty(requests)
        for (const request of requests) overlay.add(request, remote.answer(request), remote.generation)
      }
    }
  }
  /** Reads twice: the second read fetches nothing, and returns the same objects. */
  const assertRead = <A>(operation: () => A, expected: A) => {
    const result = run(operation)
    assert.deepStrictEqual(result, expected)
    const again = operation()
    if (Array.isArray(result))
      for (const [i, row] of result.entries()) assert.strictEqual((again as typeof result)[i], row)
    else assert.strictEqual(again, result)
  }
  let hasWrites = false
  const startGroup = () => {
    hasWrites = false
    own = new Map(remote.rows)
    savepoints = []
    overlay.start(new Reads())
    overlay.savepoint(0)
  }

  startGroup()
  for (const step of commands) {
    switch (step.do) {
      case "insert": {
        const row = stored(table, { ...step.row, id: step.id }) as Item
        // Whether the key is taken is known only after a read: the store checks it at the commit.
        run(() => overlay.get(table, { id: step.id }))
        const insert = () => overlay.insert(table, row)
        if (own.has(step.id)) assert.throws(insert, UniqueConflict)
        else {
          insert()
          hasWrites = true
          own.set(step.id, row)
        }
        break
      }
      case "update": {
        const changed = matchingRows(own, step.where)
        assert.strictEqual(
          run(() => overlay.update(table, step.where as unknown as Condition<Table>, step.patch)),
          changed.length
        )
        hasWrites ||= changed.length > 0
        for (const row of changed) own.set(row.id, { ...row, ...step.patch })
        break
      }
      case "remove": {
        const removed = matchingRows(own, step.where)
        assert.strictEqual(
          run(() => overlay.remove(table, step.where as unknown as Condition<Table>)),
          removed.length
        )
        hasWrites ||= removed.length > 0
        for (const { id } of removed) own.delete(id)
        break
      }
      case "get":
        assertRead(() => overlay.get(table, { id: step.id }), own.get(step.id))
        break
      case "count":
        assertRead(
          () => overlay.count(table, step.where as unknown as Condition<Table>),
          matchingRows(own, step.where).length
        )
        break
      case "list": {
        const { descending, limit, order: by } = step
        const query = queryOf({ where: step.where, order: by, descending, ...(limit !== undefined && { limit }) })
        const rows = listOf(own, queryOf({ where: step.where, order: by, descending }))
        const cursor = step.after === undefined ? undefined : rows[step.after]
        const fields = [...by, "id"] as ReadonlyArray<keyof Item>
        const after = cursor && { after: fields.map((field) => (cursor[field] ?? null) as string | null) }
        const paged = { ...query, ...after }
        assertRead(() => overlay.list(table, paged), listOf(own, paged))
        for (const row of overlay.list(table, paged) as ReadonlyArray<Item>)
          assert.strictEqual(
            run(() => overlay.get(table, { id: row.id })),
            row,
            "a row is one object in all results"
          )
        break
      }
      case "savepoint": {
        const depth = savepoints.length + 1
        if (!step.fails) {
          overlay.savepoint(depth)
          savepoints.push(new Map(own))
        } else if (depth > 1) {
          own = savepoints.pop()!
          overlay.rollbackTo(depth - 1)
        }
        break
      }
      case "commit": {
        if (step.isRefused) overlay.rollback()
        else {
          const writes = overlay.writes().rows
          for (const { before, after } of writes) {
            const id = ((after ?? before) as Item).id
            assert.deepStrictEqual(before, remote.rows.get(id), "a written row knows what was committed")
            assert.deepStrictEqual(after, own.get(id))
          }
          if (writes.length === 0) overlay.rollback()
          else {
            remote.write(own)
            overlay.commit(remote.generation, [])
          }
        }
        startGroup()
        break
      }
      case "other process": {
        // A group that has read what another process writes is refused: only groups without writes go on here.
        if (hasWrites) break
        const rows = new Map(remote.rows)
        if (step.row === null) rows.delete(step.id)
        else rows.set(step.id, stored(table, { ...step.row, id: step.id }) as Item)
        const request: FetchRequest = { type: "list", table, query: queryOf({ where: step.late }) }
        const [answer, { generation }] = [remote.answer(request), remote]
        overlay.learn([remote.write(rows)])
        // The answer from before the commit arrives after it.
        overlay.add(request, answer, generation)
        startGroup()
        break
      }
      case "forget":
        overlay.dropAll()
    }
  }
}

/** An overlay that has fetched the first rows of a table by their keys. */
const withFirstRows = (rows: ReadonlyArray<Item>, limit: number) => {
  const table: Table = inventTable()
  const overlay = new Overlay(1, new WrittenRows())
  const list = () => overlay.list(table, queryOf({ where: {}, limit })).map((row) => (row as Item).id)
  const fetch = () => {
    const requests = overlay.takeRequests()
    for (const request of requests) {
      assert.strictEqual(request.type, "list")
      overlay.add(request, request.type === "list" ? rows.slice(0, request.query.limit) : [], 1)
    }
    return requests
  }
  assert.throws(list)
  fetch()
  return { table, overlay, list, fetch }
}

describe("Overlay", () => {
  it("fetches more rows if a written row is behind the fetched ones, and others have left them", () => {
    const { fetch, list, overlay, table } = withFirstRows([{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }], 2)
    assert.deepStrictEqual(list(), ["a", "b"])
    overlay.insert(table, stored(table, { id: "e" }))
    assert.deepStrictEqual(list(), ["a", "b"])
    overlay.remove(table, { id: "a" } as unknown as Condition<Table>)
    assert.throws(list)
    assert.deepStrictEqual(
      fetch().map((request) => request.type === "list" && request.query.limit),
      [4]
    )
    assert.deepStrictEqual(list(), ["b", "c"])
  })

  it("does not keep a list that exceeds its limit, and goes on", () => {
    const table: Table = inventTable()
    const overlay = new Overlay(1, new WrittenRows(), 3)
    const rows = ["a", "b", "c"].map((id) => stored(table, { id }))
    const request: FetchRequest = { type: "list", table, query: queryOf({ where: {} }) }
    assert.deepStrictEqual(overlay.add(request, rows, 1), rows)
    assert.throws(() => overlay.list(table, queryOf({ where: {} })))
    overlay.insert(table, stored(table, { id: "d" }))
    overlay.commit(2, [])
    assert.deepStrictEqual(overlay.get(table, { id: "d" }), { id: "d" })
  })

  it("keeps fewer rows if their texts are long", () => {
    const table: Table = inventTable()
    const overlay = new Overlay(1, new WrittenRows(), 8)
    const fetched = (id: string, text: string) => {
      overlay.add({ type: "row", table, key: { id } }, stored(table, { id, text }), 1)
      return () => overlay.get(table, { id })
    }
    const rows = ["a", "b", "c"].map((id) => fetched(id, "short"))
    for (const row of rows) row()
    const long = fetched("d", "l".repeat(5_000))
    long()
    fetched("e", "l".repeat(5_000))()
    assert.throws(long)
  })

  it("leaves the keys of appended rows to the store, unless the body reads them", () => {
    const { list, overlay, table } = withFirstRows([{ id: "a" }], 9)
    overlay.append(table, (last) => ({ id: `${last}1` }))
    assert.deepStrictEqual(
      overlay.writes().appended.map(({ rowAfter }) => rowAfter("x")),
      [{ id: "x1" }]
    )
    overlay.savepoint(0)
    assert.throws(list)
    const [request] = overlay.takeRequests()
    overlay.add(request!, [{ id: "a" }], 1)
    assert.deepStrictEqual(list(), ["a", "a1"])
    assert.lengthOf(overlay.writes().appended, 0)
    overlay.rollbackTo(0)
    assert.lengthOf(overlay.writes().appended, 1)
    assert.lengthOf(overlay.writes().rows, 0)
  })

  it("shows the committed rows with the writes of the group, as a naive table does", () => {
    // A small limit evicts answers all the time. An operation needs at most two lists of all rows.
    const story = fc.record({
      rows: fc.array(patch, { minLength: 2, maxLength: 5 }),
      commands: fc.array(command, { minLength: 10, maxLength: 40, size: "max" }),
      limit: fc.constantFrom(24, 10_000)
    })
    fc.assert(fc.property(story, compare), runs(150, 600))
  })
})
