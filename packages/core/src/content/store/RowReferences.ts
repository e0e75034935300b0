/**
 * References from rows to required rows, such as from a space to its organization and its revision. No operation
 * removes a referenced row before the referring row, except the final removal of a space. So a missing row was lost.
 *
 * Limits: 100 dangling references are listed, all are counted.
 */
import { Effect } from "effect"
import { ChangeRequestTable } from "../../change-request/ChangeRequest.ts"
import { MemberTable } from "../../organization/Member.ts"
import { OrganizationTable } from "../../organization/Organization.ts"
import { SiteTable } from "../../site/Site.ts"
import { SpaceId, SpaceTable } from "../../space/Space.ts"
import { orderValues, Storage, type StorageError } from "../../storage/Storage.ts"
import type { Table } from "../../storage/Table.ts"
import { UserTable } from "../../user/User.ts"
import { RevisionTable } from "../revisions/Revision.ts"

const maxListed = 100

/** Number of rows between two pauses. */
const slice = 100

export interface RowReference {
  readonly from: Table
  /** Referenced table. Its key is `id`. */
  readonly to: Table
  readonly idsOf: (row: any) => ReadonlyArray<string | undefined>
  /** Returns the id of the space that a row is removed with. Absent for tables whose rows belong to no space. */
  readonly space?: (row: any) => string
}

const reference = <T extends Table>(
  from: T,
  to: Table,
  named: (row: Table.Row<T>) => ReadonlyArray<string | undefined>,
  space?: (row: Table.Row<T>) => string
): RowReference => ({ from, to, idsOf: named, ...(space && { space }) })

/**
 * References through which contents are found. If one is dangling, the content of the missing revision looks like
 * garbage.
 */
export const toRevisions: ReadonlyArray<RowReference> = [
  reference(
    SpaceTable,
    RevisionTable,
    ({ revision }) => [revision],
    ({ id }) => id
  ),
  reference(
    ChangeRequestTable,
    RevisionTable,
    (row) => [row.revision, row.revisionInitial, row.revisionMergedAncestor, row.revisionMerged],
    ({ space }) => space
  )
]

export const all: ReadonlyArray<RowReference> = [
  ...toRevisions,
  reference(
    RevisionTable,
    RevisionTable,
    ({ parents }) => parents,
    ({ space }) => space
  ),
  reference(RevisionTable, SpaceTable, ({ space }) => [space]),
  reference(ChangeRequestTable, SpaceTable, ({ space }) => [space]),
  reference(SpaceTable, OrganizationTable, ({ organization }) => [organization]),
  reference(SiteTable, OrganizationTable, ({ organization }) => [organization]),
  reference(MemberTable, OrganizationTable, ({ organization }) => [organization]),
  reference(MemberTable, UserTable, ({ user }) => [user])
]

/** A row that refers to a missing row. */
export interface Dangling {
  readonly from: string
  /** Key of the referring row. The parts of the key are separated by spaces. */
  readonly key: string
  readonly to: string
  readonly id: string
}

/** Returns rows that refer to missing rows. */
export const dangling = Effect.fnUntraced(function* (references: ReadonlyArray<RowReference>) {
  const danglingRows: Array<Dangling> = []
  let count = 0
  for (const reference of references) {
    const { from, to, idsOf: named } = reference
    const storage = yield* Storage
    const rows = storage.repository(from)
    for (let after: ReturnType<typeof orderValues> | undefined; ;) {
      const rowSlice = yield* rows.list({ where: {}, limit: slice, ...(after && { after }) })
      const ids = new Set(rowSlice.flatMap((row) => named(row)).filter((id) => id !== undefined))
      const missingIds = yield* missingOf(storage, to, [...ids])
      for (const row of missingIds.size === 0 ? [] : rowSlice) {
        for (const id of named(row)) {
          if (id === undefined || !missingIds.has(id) || !(yield* isLost(storage, reference, row, id))) continue
          if (++count > maxListed) continue
          const key = from.key.map((field: string) => (row as Record<string, unknown>)[field]).join(" ")
          danglingRows.push({ from: from.name, key, to: to.name, id })
        }
      }
      if (rowSlice.length < slice) break
      after = orderValues(from, { where: {} }, rowSlice.at(-1))
      yield* Effect.yieldNow
    }
  }
  return { found: danglingRows, count }
})

/** Returns the ids without a valid row. A row that was stored under a different id than its own counts as missing. */
const missingOf = (
  storage: Storage["Service"],
  to: Table,
  ids: ReadonlyArray<string>
): Effect.Effect<ReadonlySet<string>, StorageError> =>
  Effect.map(
    storage.repository(to).getMany(ids.map((id) => ({ id }))),
    (rows) => new Set(ids.filter((id, i) => (rows[i] as { readonly id?: string } | undefined)?.id !== id))
  )

/**
 * Returns true if a row still refers to an id whose row does not exist. Reads both rows again, since another process may
 * have written to them after the first read. A row in a space that is being removed is not lost.
 */
const isLost = Effect.fnUntraced(function* (
  storage: Storage["Service"],
  { from, to, idsOf: named, space }: RowReference,
  row: Record<string, unknown>,
  id: string
) {
  if ((yield* missingOf(storage, to, [id])).size === 0) return false
  const now = yield* storage.repository(from).get(Object.fromEntries(from.key.map((field) => [field, row[field]])))
  if (now === undefined || !named(now).includes(id)) return false
  if (space === undefined) return true
  return (yield* storage.repository(SpaceTable).get({ id: SpaceId.make(space(now)) }))?.removing !== true
})
