/**
 * `pnpm fuzz [minutes] [part of a file name …]`: repeats the property tests with new seeds until the time is over
 * (default: 10 minutes). Prints the file, the test and the seed of each failure, and a command to reproduce it. Exits
 * with 1 if a test failed or none ran.
 *
 * Targets are all test files that import `packages/core/test/Runs.ts`. A file that runs only in `pnpm test:all` and
 * here is named `.long.test.ts`.
 */
import { randomInt } from "node:crypto"
import { createVitest, type Reporter, type TestCase } from "vitest/node"

const [first, ...rest] = process.argv.slice(2)
const isTime = first !== undefined && /^\d+(\.\d+)?$/.test(first)
const minutes = isTime ? Number(first) : 10
const names = isTime || first === undefined ? rest : [first, ...rest]

const deadline = performance.now() + minutes * 60_000
let failureCount = 0
let runCount = 0

const reported = new Set<string>()

const report = (test: TestCase, seed: number) => {
  const { state, errors = [] } = test.result()
  if (state === "passed" || state === "failed") runCount++
  if (state !== "failed") return
  const file = test.module.relativeModuleId
  const testName = `${file}: ${test.fullName}`
  // A test that fails with several seeds is reported once.
  if (reported.has(testName)) return
  reported.add(testName)
  failureCount++
  console.log(`\nFOUND in ${testName}`)
  for (const { message } of errors) console.log(message.split("\n").slice(0, 12).join("\n"))
  console.log(`again: LECTERN_TEST=fuzz LECTERN_TEST_SEED=${seed} npx pnpm@12 exec vitest run ${file}`)
}

/** Runs every target once. Stops early if the time is over. */
const round = async (seed: number): Promise<void> => {
  process.env["LECTERN_TEST"] = "fuzz"
  process.env["LECTERN_TEST_SEED"] = String(seed)
  const reporter: Reporter = {
    onTestCaseResult: (test) => report(test, seed),
    onTestRunEnd: (modules, errors) => {
      for (const { message } of [...modules.flatMap((module) => module.errors()), ...errors]) {
        console.log(`\nBROKEN: ${message}`)
        failureCount++
      }
    }
  }
  const vitest = await createVitest("test", {
    watch: false,
    reporters: [reporter],
    sequence: { shuffle: { files: true }, seed }
  })
  const timer = setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), deadline - performance.now())
  try {
    await vitest.start(names)
  } finally {
    clearTimeout(timer)
    await vitest.close()
  }
}

while (performance.now() < deadline) {
  const seed = randomInt(2 ** 31)
  console.log(`seed ${seed}, ${Math.ceil((deadline - performance.now()) / 60_000)} min left`)
  await round(seed)
}
console.log(`${runCount} tests tried, ${failureCount} of them found something`)
process.exit(failureCount === 0 && runCount > 0 ? 0 : 1)
