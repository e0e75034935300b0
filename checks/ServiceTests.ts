/**
 * Checks that each service of a package has a test of its rules: `packages/core/src/organization/Members.ts` is tested
 * by `packages/core/test/organization/Members.test.ts`. Services without such a test are listed in
 * `ServiceTestExceptions.ts`.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A service that another test covers. Paths are without extensions. */
export interface CoveredService {
  /** Path in `src`, such as `team/TeamPolicy`. */
  readonly service: string
  /** Path of the test in `test`, such as `team/Teams`, or of a test of a port in another package, from the root. */
  readonly coveredBy: string
}

/** Services of a package without a test of their own. */
export interface TestExceptions {
  readonly covered: ReadonlyArray<CoveredService>
  readonly withoutTest: ReadonlyArray<string>
}

export interface TestedPackage extends TestExceptions {
  /** Paths of the files in `src` that define a service. */
  readonly services: ReadonlyArray<string>
  /** Paths of the tests in `test`, and of tests in other packages from the root. */
  readonly tests: ReadonlyArray<string>
}

const definesService = /\bextends\s+Context\.Service\s*</

/** Returns a line for each service without a test, and for each unused exception. */
export const serviceTests = (root: string, exceptions: TestExceptions): ReadonlyArray<string> =>
  missingServiceTests({
    services: globSync("**/*.ts", { cwd: join(root, "src") })
      .filter((path) => definesService.test(readFileSync(join(root, "src", path), "utf8")))
      .map((path) => path.replace(/\.ts$/, "")),
    tests: [...globSync("**/*.test.ts", { cwd: join(root, "test") }), ...globSync("packages/*/test/**/*.test.ts")].map(
      (path) => path.replace(/\.test\.ts$/, "")
    ),
    ...exceptions
  })

export const missingServiceTests = ({
  services,
  tests,
  covered,
  withoutTest
}: TestedPackage): ReadonlyArray<string> => {
  const [existing, tested] = [new Set(services), new Set(tests)]
  const exceptions = [...covered.map(({ service }) => service), ...withoutTest]
  const excepted = new Set(exceptions)
  const reasonUnused = (service: string, i: number) => {
    if (!existing.has(service)) return "is not a service"
    if (tested.has(service)) return "has a test of its own"
    return exceptions.indexOf(service) < i ? "is listed before" : undefined
  }
  return [
    ...[...services]
      .sort()
      .filter((service) => !tested.has(service) && !excepted.has(service))
      .map((service) => `src/${service}.ts has no test: write test/${service}.test.ts`),
    ...exceptions.flatMap((service, i) => {
      const reason = reasonUnused(service, i)
      return reason === undefined ? [] : [`Remove ${service} from ServiceTestExceptions.ts: it ${reason}`]
    }),
    ...covered
      .filter(({ coveredBy }) => !tested.has(coveredBy))
      .map(({ service, coveredBy }) => `${service} is covered by ${coveredBy}.test.ts, which does not exist`)
  ]
}
