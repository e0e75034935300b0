/**
 * How often property tests try, and with what: every one takes its number of cases and its seed from
 * here. In `pnpm test` they are few, in `pnpm test:all` many, and the seed is always the same, so that
 * a run fails for what changed and nothing else. `pnpm fuzz` gives fresh seeds.
 *
 * Files that import this module are found by that: `test:all` and `fuzz` run all of them.
 */
const long = process.env["LECTERN_TEST"] === "all"

export const seed = Number(process.env["LECTERN_TEST_SEED"] ?? 20260)

const cases = (few: number, many: number) => (long ? many : few)

/** For `fc.assert` and `fc.sample`. */
export const runs = (few = 100, many = few * 10): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: cases(few, many),
  seed
})

/** For `it.effect.prop`. */
export const checks = (few = 100, many = few * 10): { readonly runs: number; readonly seed: number } => ({
  runs: cases(few, many),
  seed
})
