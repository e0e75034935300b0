/**
 * Immutable values by hash in PostgreSQL: objects and blobs. In transactions they are rows of a table that only the
 * adapter knows. Texts from 4 KiB are compressed with zstd.
 */
import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompressSync } from "node:zlib"
import type { WrittenRow } from "@lectern/core/storage/Overlay"
import { StorageError } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import type { Result, Statement } from "../connections/Connection.ts"
import type { Lookup } from "./RowQueries.ts"

export interface ValueRow {
  readonly hash: string
  readonly value: string | Uint8Array
  /** Time of the last write (epoch ms). */
  readonly writtenAt: number
}

export interface ValueTable {
  /** Descriptor for the overlay. The core has no table for these values. */
  readonly table: Table
  /** Quoted name of the table, with its schema. */
  readonly name: string
  readonly isText: boolean
}

export const valueTable = (schema: string, kind: "object" | "blob"): ValueTable => ({
  name: `${schema}.lectern_${kind}`,
  isText: kind === "object",
  table: {
    name: `${kind}/value`,
    schema: undefined as never,
    key: ["hash"],
    fields: new Map([["hash", ({ hash }: ValueRow) => hash]]),
    lists: new Map(),
    indexes: [],
    unique: [],
    sealed: []
  }
})

/** Length from which a text is compressed (characters). */
const largeText = 4 * 1024
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const compress = promisify(zstdCompress)

/** Number of values that are written with one statement. */
const valuesPerStatement = 500

export const valuesLookup = (
  { isText, name }: ValueTable,
  hashes: ReadonlyArray<string>
): Lookup<ReadonlyMap<string, ValueRow>> => ({
  statement: {
    text: `SELECT hash, written_at, is_compressed, value FROM ${name} WHERE hash = ANY($1::text[])`,
    values: [hashes]
  },
  read: ({ rows }) => new Map(rows.map((row) => [row[0] as string, rowOfValue(isText, row)]))
})

/** Lists all values of a table, for a query in a transaction. */
export const allValuesLookup = ({ isText, name }: ValueTable): Lookup<ReadonlyArray<ValueRow>> => ({
  statement: { text: `SELECT hash, written_at, is_compressed, value FROM ${name}` },
  read: ({ rows }) => rows.map((row) => rowOfValue(isText, row))
})

/** Lists hashes in order, with the time of the last write. */
export const hashesLookup = (
  { name }: ValueTable,
  after: string,
  limit: number
): Lookup<ReadonlyArray<Omit<ValueRow, "value">>> => ({
  statement: {
    text: `SELECT hash, written_at FROM ${name} WHERE hash > $1::text ORDER BY hash LIMIT $2::bigint`,
    values: [after, Math.max(0, limit)]
  },
  read: ({ rows }) => rows.map(([hash, writtenAt]) => ({ hash: hash as string, writtenAt: writtenAt as number }))
})

const rowOfValue = (isText: boolean, [hash, writtenAt, isCompressed, value]: Result["rows"][number]): ValueRow => ({
  hash: hash as string,
  writtenAt: writtenAt as number,
  value: unpacked(value as Buffer, isCompressed as boolean, isText)
})

const unpacked = (bytes: Buffer, isCompressed: boolean, isText: boolean): string | Uint8Array => {
  if (!isText) return new Uint8Array(bytes)
  try {
    return (isCompressed ? zstdDecompressSync(bytes) : bytes).toString("utf8")
  } catch (cause) {
    throw new StorageError({ reason: "damaged", message: "An object can't be decompressed", cause })
  }
}

/**
 * Returns the statements that write values. A value that another process has written in the meantime is kept, and only
 * the time of its last write is set.
 */
export const valueStatements = async (
  { name }: ValueTable,
  writes: ReadonlyArray<WrittenRow>
): Promise<ReadonlyArray<Statement>> => {
  const statements: Array<Statement> = []
  const removed = writes.flatMap(({ before, after }) => (after === undefined ? [(before as ValueRow).hash] : []))
  if (removed.length > 0)
    statements.push({ text: `DELETE FROM ${name} WHERE hash = ANY($1::text[])`, values: [removed] })
  const touched = writes.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [after as ValueRow]
  )
  if (touched.length > 0) {
    const values = [touched.map(({ hash }) => hash), touched.map(({ writtenAt }) => writtenAt)]
    const text =
      `UPDATE ${name} AS v SET written_at = r.written_at ` +
      "FROM unnest($1::text[], $2::bigint[]) AS r (hash, written_at) WHERE v.hash = r.hash"
    statements.push({ text, values })
  }
  const added = writes.flatMap(({ before, after }) => (before === undefined ? [after as ValueRow] : []))
  for (let start = 0; start < added.length; start += valuesPerStatement) {
    const rows = added.slice(start, start + valuesPerStatement)
    const values: Array<unknown> = []
    const places = await Promise.all(
      rows.map(async ({ hash, value, writtenAt }) => {
        const isCompressed = typeof value === "string" && value.length >= largeText
        const bytes = isCompressed ? await compress(value, options) : Buffer.from(value as Uint8Array)
        return [hash, writtenAt, isCompressed, bytes]
      })
    ).then((all) => all.map((row) => `(${row.map((value) => `$${values.push(value)}`).join(", ")})`))
    const text =
      `INSERT INTO ${name} (hash, written_at, is_compressed, value) VALUES ${places.join(", ")} ` +
      "ON CONFLICT (hash) DO UPDATE SET written_at = excluded.written_at"
    statements.push({ text, values })
  }
  return statements
}
