/** The command of the README, as a newcomer types it: all of `npx`, pnpm and the server from its sources. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { cleanUp, readme, temporaryFolder } from "./LecternProcess.ts"

describe("npx -y pnpm@12 start", () => {
  afterEach(cleanUp)

  it("prints a curl line that works as it is, and ends all that it started", async () => {
    const { child, said, ended } = await readme(temporaryFolder())
    const line = said.split("\n").find((one) => one.trim().startsWith("curl "))!
    const { stdout } = await promisify(execFile)("sh", ["-c", `${line.trim()} -s`])
    assert.isArray(JSON.parse(stdout).pages)
    // This ends `npx` and the shell behind it at once, which tell nobody.
    child.kill("SIGTERM")
    assert.notInclude(await ended, "did not stop")
  })
})
