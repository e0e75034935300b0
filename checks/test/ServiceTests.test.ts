import { assert, describe, it } from "@effect/vitest"
import { coreExceptions } from "../ServiceTestExceptions.ts"
import { missingServiceTests, serviceTests } from "../ServiceTests.ts"

const services = ["team/TeamPolicy", "team/Teams", "user/Users"]

describe("Tests of services", () => {
  it("are required at the mirrored path", () =>
    assert.deepStrictEqual(
      missingServiceTests({ services, tests: ["team/Teams", "user/ExternalUsers"], covered: [], withoutTest: [] }),
      [
        "src/team/TeamPolicy.ts has no test: write test/team/TeamPolicy.test.ts",
        "src/user/Users.ts has no test: write test/user/Users.test.ts"
      ]
    ))

  it("can cover another service, or be missing from before", () =>
    assert.deepStrictEqual(
      missingServiceTests({
        services: [...services, "storage/Storage"],
        tests: ["team/Teams", "packages/adapter-memory/test/MemoryStorage"],
        covered: [
          { service: "team/TeamPolicy", coveredBy: "team/Teams" },
          { service: "storage/Storage", coveredBy: "packages/adapter-memory/test/MemoryStorage" }
        ],
        withoutTest: ["user/Users"]
      }),
      []
    ))

  it("make exceptions unused, which are reported", () =>
    assert.deepStrictEqual(
      missingServiceTests({
        services,
        tests: ["team/Teams", "user/Users"],
        covered: [
          { service: "team/TeamPolicy", coveredBy: "team/Members" },
          { service: "team/Team", coveredBy: "team/Teams" }
        ],
        withoutTest: ["user/Users", "team/TeamPolicy"]
      }),
      [
        "Remove team/Team from ServiceTestExceptions.ts: it is not a service",
        "Remove user/Users from ServiceTestExceptions.ts: it has a test of its own",
        "Remove team/TeamPolicy from ServiceTestExceptions.ts: it is listed before",
        "team/TeamPolicy is covered by team/Members.test.ts, which does not exist"
      ]
    ))

  it("are complete, apart from the exceptions", () =>
    assert.deepStrictEqual(serviceTests("packages/core", coreExceptions), []))
})
