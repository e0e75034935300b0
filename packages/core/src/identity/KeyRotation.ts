/**
 * Rotates the secret key: encrypts all encrypted fields again, table by table (see `SealedTables`), in transactions of
 * 200 rows. No other process may use the data meanwhile.
 *
 * An interrupted rotation continues where it stopped. Steps:
 *
 * - (1) The new key is stored next to the old one.
 * - (2) The instance's secret is encrypted with the new key. The old key is stored in the data, encrypted with the new
 *   one. From here on the data needs the new key.
 * - (3) All fields that were encrypted with the old key are encrypted with the new one.
 * - (4) The old key is removed from the data, and the rotation is recorded in the audit log of each organization.
 * - (5) The new key replaces the old one.
 */
import { Effect, Redacted } from "effect"
import type { OtherAction } from "../audit/AuditActions.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { OrganizationTable } from "../organization/Organization.ts"
import type { Sealed } from "../schema/Sealed.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, orderValues, Storage } from "../storage/Storage.ts"
import type { Scalar, Table } from "../storage/Table.ts"
import { Cipher } from "./Cipher.ts"
import { Ids } from "./Ids.ts"
import { InstanceTable } from "./InstanceRow.ts"
import { keyIdOf, Sealer } from "./Seal.ts"
import { sealedTables } from "./SealedTables.ts"
import { SecretKey, InvalidSecretKey } from "./SecretKey.ts"
import { keyOfData, rowFieldOf } from "./Secrets.ts"

const sliceSize = 200

export interface RotationCounts {
  /** Number of values that were encrypted again, including the instance's secret. */
  readonly sealed: number
  /** Number of values that neither key decrypts. These values stay unchanged. */
  readonly unreadable: number
}

/** Rotates to the key that `SecretKey` has prepared, or to a new key. Continues an interrupted rotation. */
export const rotate = Effect.gen(function* () {
  const storage = yield* Storage
  const secretKey = yield* SecretKey
  const ids = yield* Ids
  const hasher = yield* Hasher
  const cipher = yield* Cipher
  const instances = storage.repository(InstanceTable)
  const key = { id: "instance" } as const

  const instanceRow = yield* instances.get(key)
  if (instanceRow === undefined) {
    return yield* new InvalidSecretKey({ message: "There is no data yet whose key could be changed" })
  }
  const current = Redacted.value(yield* keyOfData)
  const next = Redacted.value(yield* secretKey.prepare(Redacted.make(yield* ids.secret)))
  const [seal, target] = [new Sealer(hasher, cipher, current), new Sealer(hasher, cipher, next)]
  if (seal.keyId === target.keyId && instanceRow.formerKey === undefined) {
    // Either only step 5 was missing, or the data already needs the current key.
    yield* secretKey.replace
    return { sealed: 0, unreadable: 0 } satisfies RotationCounts
  }

  const startRotation = Effect.gen(function* () {
    const fields = [rowFieldOf(InstanceTable, key, "secret"), rowFieldOf(InstanceTable, key, "formerKey")] as const
    const secret = seal.open(fields[0], instanceRow.secret)
    if (secret === undefined) return yield* new InvalidSecretKey({ message: "The data can't be opened with its key" })
    const patch = {
      secret: target.seal(fields[0], secret, yield* ids.nonce) as Sealed<string>,
      formerKey: target.seal(fields[1], JSON.stringify(current), yield* ids.nonce) as Sealed<string>
    }
    yield* instances.update(key, patch).pipe(cannotConflict)
    return seal
  })

  const continueRotation = Effect.suspend(() => {
    const text = target.open(rowFieldOf(InstanceTable, key, "formerKey"), instanceRow.formerKey ?? "")
    return text === undefined
      ? Effect.fail(new InvalidSecretKey({ message: "The key is being changed to another one than this" }))
      : Effect.succeed(new Sealer(hasher, cipher, JSON.parse(text) as string))
  })

  const source = instanceRow.formerKey === undefined ? yield* startRotation : yield* continueRotation

  /**
   * Returns a patch that encrypts a row's fields with the new key, and the number of fields that neither key decrypts.
   */
  const resealFields = Effect.fnUntraced(function* (table: Table, row: object) {
    const patch: Record<string, string> = {}
    let unreadable = 0
    for (const field of table.sealed) {
      const value = (row as Readonly<Record<string, string | undefined>>)[field]
      if (value === undefined || keyIdOf(value) === target.keyId) continue
      const rowField = rowFieldOf(table, row, field)
      const text = source.open(rowField, value)
      if (text === undefined) unreadable++
      else patch[field] = target.seal(rowField, text, yield* ids.nonce)
    }
    return { patch, unreadable }
  })

  const slice = (table: Table, after: ReadonlyArray<Scalar> | undefined) =>
    storage.transaction(
      Effect.gen(function* () {
        const repository = storage.repository(table)
        const rows = yield* repository.list({ where: {}, limit: sliceSize, ...(after && { after }) })
        const counts = { sealed: 0, unreadable: 0 }
        for (const row of rows) {
          const { patch, unreadable } = yield* resealFields(table, row)
          counts.unreadable += unreadable
          const fields = Object.keys(patch).length
          if (fields === 0) continue
          counts.sealed += fields
          const where = Object.fromEntries(table.key.map((name: string) => [name, row[name]]))
          yield* repository.update(where, patch).pipe(cannotConflict)
        }
        const last = rows.at(-1)
        return { ...counts, after: rows.length < sliceSize ? undefined : orderValues(table, { where: {} }, last) }
      })
    )

  let [sealed, unreadable] = [instanceRow.formerKey === undefined ? 1 : 0, 0]
  for (const table of sealedTables) {
    let after: ReadonlyArray<Scalar> | undefined
    do {
      const sliceResult = yield* slice(table, after)
      sealed += sliceResult.sealed
      unreadable += sliceResult.unreadable
      after = sliceResult.after
    } while (after !== undefined)
  }
  yield* storage.transaction(
    Effect.andThen(
      instances.update(key, { formerKey: undefined }).pipe(cannotConflict),
      auditInAllOrganizations({ sealed, unreadable })
    )
  )
  yield* secretKey.replace
  return { sealed, unreadable } satisfies RotationCounts
})

/** Adds an entry about the rotation to the audit log of every organization. */
const auditInAllOrganizations = Effect.fnUntraced(function* (counts: RotationCounts) {
  const organizations = (yield* Storage).repository(OrganizationTable)
  const trail = yield* makeAuditTrail
  let after: ReadonlyArray<Scalar> | undefined
  do {
    const rows = yield* organizations.list({ where: {}, limit: sliceSize, ...(after && { after }) })
    for (const { id: organization } of rows) {
      yield* trail.record({
        organization,
        action: "key_rotated" satisfies OtherAction,
        target: { type: "instance", id: "instance" },
        payload: { ...counts }
      })
    }
    after = rows.length < sliceSize ? undefined : orderValues(OrganizationTable, { where: {} }, rows.at(-1)!)
  } while (after !== undefined)
})
