/**
 * The adapter that tests run over: memory in `pnpm test`, SQLite in `pnpm test:all`, and a store in memory that answers
 * late in `pnpm test:late`. The last two find these files by their calls of `onEach`.
 */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import * as LateStorage from "../../adapter-memory/test/late/LateStorage.ts"

const adapter = process.env["LECTERN_TEST"] === "all" ? "sqlite" : "memory"

/** Faults that callers don't see, except for the time that they wait. */
const faults = { seed: 1, turns: 2, forget: 0.02, refuse: 0.05, maxRefusals: 1, repeat: 0.05 }

/** A new store in memory. */
export const memoryLayer = process.env["LECTERN_TEST"] === "late" ? LateStorage.layer(faults) : MemoryStorage.testLayer

export const onEach = <A, B>(adapters: {
  readonly memory: A
  readonly sqlite: B
}): ReadonlyArray<readonly [string, A | B]> => [[adapter, adapters[adapter]]]
