/** Runs all commands of the manual, page by page in reading order, in one shell with one server. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { cleanUp, serve, type Server, temporaryFolder } from "./LecternProcess.ts"
import { manualBlocks } from "./ManualBlocks.ts"

const blocks = manualBlocks()

/** Fields of an access log line that this test needs. */
interface Logged {
  readonly status: number
  readonly method: string
  readonly route: string
  readonly actor?: string
}

/** Files that the manual expects the reader to have. */
const files: Readonly<Record<string, string | Buffer>> = {
  "docs/README.md": "# Docs\n\nText\n",
  "handbook/README.md": "# Handbook\n\nText\n",
  "reference/README.md": "# Reference\n\nText\n",
  "weather.js": 'export default { fetch: async () => new Response("OK") }\n',
  "logo.png": Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64"
  )
}

let server: Server
let shell: ChildProcessWithoutNullStreams
let folder: string
let log: string

beforeAll(async () => {
  folder = temporaryFolder()
  log = join(folder, "access.log")
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  mkdirSync(join(folder, "backups"))
  const data = join(folder, "data")
  server = await serve(data, {
    env: { LECTERN_ACCESS_LOG: log, LECTERN_CATALOGUE: "on", LECTERN_ADDRESS_PROOF: "always" }
  })
  const bin = join(folder, "bin")
  mkdirSync(bin)
  const command = `exec ${process.execPath} ${inject("bundledServer")} "$@"`
  writeFileSync(join(bin, "lectern"), `#!/bin/sh\n${command}\n`)
  // Calls the checkout's `lectern` command directly, without the startup steps of `npx` and pnpm.
  writeFileSync(
    join(bin, "npx"),
    `#!/bin/sh\n[ "$1 $2" = "-y pnpm@12" ] || exit 97\nshift 2\n[ "$1" = --silent ] && shift\n[ "$1" = lectern ] || exit 97\nshift\n${command}\n`
  )
  for (const name of ["lectern", "npx"]) chmodSync(join(bin, name), 0o755)
  shell = spawn("bash", [], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${bin}:${process.env["PATH"]}`,
      LECTERN_DATA: data,
      LECTERN_PORT: new URL(server.url).port,
      LECTERN_LOG_LEVEL: "error"
    }
  })
})

afterAll(async () => {
  shell.kill()
  await cleanUp()
})

/** Returns a block adapted to this machine: with the server's address and token, and a writable backup folder. */
const here = (text: string): string =>
  text
    .replaceAll("paste-your-token-here", server.token)
    .replaceAll("http://127.0.0.1:4000", server.url)
    .replaceAll("/backups", join(folder, "backups"))

/** Runs a block in the shell. Returns the commands that exited with a non-zero status, and the output. */
const run = async (text: string): Promise<{ readonly failed: string; readonly said: string }> => {
  let said = ""
  const note = (chunk: Buffer) => void (said += chunk)
  shell.stdout.on("data", note)
  shell.stderr.on("data", note)
  writeFileSync(join(folder, "block.sh"), here(text))
  shell.stdin.write(
    `set -o pipefail; FAILED=; trap 'FAILED="$FAILED$BASH_COMMAND; "' ERR; . ./block.sh < /dev/null; trap - ERR; echo "@@END@@$FAILED@@"\n`
  )
  for (;;) {
    const end = /@@END@@([\s\S]*?)@@\n/.exec(said)
    if (end !== null) {
      shell.stdout.off("data", note)
      shell.stderr.off("data", note)
      return { failed: end[1]!, said: said.replace(end[0], "") }
    }
    if (shell.exitCode !== null) throw new Error(`The shell ended: ${said}`)
    await setTimeout(10)
  }
}

/** Returns the lines of the access log, after waiting for the line of a request that was just answered. */
const answered = async (): Promise<ReadonlyArray<string>> => {
  const { headers } = await fetch(`${server.url}/v1/user`, { headers: { authorization: `Bearer ${server.token}` } })
  const last = headers.get("x-request-id")!
  for (;;) {
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : []
    if (lines.some((line) => line.includes(last))) return lines
    await setTimeout(10)
  }
}

describe("The manual", () => {
  it("says of each command that is not run why, and of no more of them than now", () => {
    const unrun = blocks.filter((block) => block.unrun !== undefined)
    // Some commands can only be described: those for another server, for npm, or until an interruption.
    assert.isAtMost(unrun.length, 75)
    assert.isAtMost(unrun.length / blocks.length, 0.3)
  })

  for (const { at, text, fails } of blocks.filter((block) => block.unrun === undefined)) {
    it(`${at} runs`, async () => {
      const before = (await answered()).length
      const { failed, said } = await run(text)
      const refused = (await answered())
        .slice(before)
        .map((line) => JSON.parse(line) as Logged)
        // Requests of integration programs during the block do not count.
        .filter(({ status, actor }) => status >= 400 && !(actor ?? "").startsWith("integration"))
      if (fails === undefined) assert.deepStrictEqual({ failed, refused }, { failed: "", refused: [] }, said)
      else assert.notStrictEqual(`${failed}${refused.map(({ route }) => route)}`, "", `${fails}: ${said}`)
    })
  }
})
