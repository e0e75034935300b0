/**
 * Number of cases and seed of all property tests. `pnpm test` uses few cases and `pnpm test:all` many, both with a
 * fixed seed, so that a failure is caused by a change. `pnpm fuzz` uses new seeds.
 *
 * `test:all` and `fuzz` run all files that import this module.
 */
const long = process.env["LECTERN_TEST"] === "all"

export const seed = Number(process.env["LECTERN_TEST_SEED"] ?? 20260)

const cases = (few: number, many: number) => (long ? many : few)

/** Options for `fc.assert` and `fc.sample`. */
export const runs = (few = 100, many = few * 10): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: cases(few, many),
  seed
})

/** Options for `it.effect.prop`. */
export const checks = (few = 100, many = few * 10): { readonly runs: number; readonly seed: number } => ({
  runs: cases(few, many),
  seed
})
