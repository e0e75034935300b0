/**
 * The adapter that tests run over: memory in `pnpm test`, SQLite in `pnpm test:all`, a store in memory that answers late in
 * `pnpm test:late`, and PostgreSQL in `pnpm test:postgres`. The last three find these files by their calls of `onEach`.
 */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import * as LateStorage from "../../adapter-memory/test/late/LateStorage.ts"
import * as OpenedStore from "../../adapter-postgres/test/OpenedStore.ts"

const mode = process.env["LECTERN_TEST"]
const adapter = mode === "all" ? "sqlite" : "memory"

/** Faults that callers don't see, except for the time that they wait. */
const faults = { seed: 1, turns: 2, forget: 0.02, refuse: 0.05, maxRefusals: 1, repeat: 0.05 }

const remoteLayer = mode === "late" ? LateStorage.layer(faults) : mode === "postgres" ? OpenedStore.layer() : undefined

/** A new store in memory, or one that is remote. */
export const memoryLayer = remoteLayer ?? MemoryStorage.testLayer

export const onEach = <A, B>(adapters: {
  readonly memory: A
  readonly sqlite: B
}): ReadonlyArray<readonly [string, A | B]> => [[adapter, adapters[adapter]]]
