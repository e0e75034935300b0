/**
 * The adapter that tests run over: memory in `pnpm test`, SQLite in `pnpm test:all`, which finds these files by their
 * import of this module.
 */
const adapter = process.env["LECTERN_TEST"] === "all" ? "sqlite" : "memory"

export const onEach = <A, B>(adapters: {
  readonly memory: A
  readonly sqlite: B
}): ReadonlyArray<readonly [string, A | B]> => [[adapter, adapters[adapter]]]
