/** Processes that read events are killed while others write: no event is lost, and none comes before an earlier one. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFile } from "./TemporaryFile.ts"

const rounds = 8
const spacesPerRound = 25

const reader = async (file: string, log: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL("./ReaderProcess.ts", import.meta.url)), file, log], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  await once(child.stdout!, "data")
  return child
}

it.effect("no event is lost when readers are killed", () =>
  Effect.flatMap(temporaryFile, (file) =>
    Effect.promise(async () => {
      const log = `${file}.log`
      const lectern = await SqliteLectern.open({ file, background: false })
      const { id: organization } = await lectern.organizations.create({ title: "Acme" })
      const told = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [])
      const made: Array<string> = []
      let [one, other] = [await reader(file, log), await reader(file, log)]
      try {
        for (let round = 0; round < rounds; round++) {
          for (let i = 0; i < spacesPerRound; i++) made.push((await lectern.spaces.create(organization, {})).id)
          const reached = made[made.length - spacesPerRound + round]!
          while (!told().includes(reached)) await new Promise((resolve) => setImmediate(resolve))
          // Whichever reads, at whatever point of its work.
          const gone = Promise.all([once(one, "exit"), round % 2 === 0 ? undefined : once(other, "exit")])
          one.kill("SIGKILL")
          if (round % 2 !== 0) other.kill("SIGKILL")
          await gone
          one = await reader(file, log)
          if (round % 2 !== 0) other = await reader(file, log)
        }
        while (!told().includes(made.at(-1)!)) await new Promise((resolve) => setImmediate(resolve))
      } finally {
        one.kill("SIGKILL")
        other.kill("SIGKILL")
        await lectern.close()
      }
      const lines = told()
      assert.deepStrictEqual([...new Set(lines)], made)
      // Each kill may cost the repetition of the one event that was being handled.
      assert.isAtMost(lines.length - made.length, rounds * 2)
    })
  )
)
