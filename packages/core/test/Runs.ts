/** How many cases a property is tried with: few in the ordinary run, many in `pnpm test:long`. */
const factor = Number(process.env["LECTERN_TEST_RUNS"] ?? 1)

/** For `fc.assert`. A long run takes another seed each time, which a failure reports. */
export const runs = (few: number, seed?: number): { readonly numRuns: number; readonly seed?: number } =>
  factor === 1 ? { numRuns: few, ...(seed === undefined ? {} : { seed }) } : { numRuns: Math.max(few * factor, 10_000) }
