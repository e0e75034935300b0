/**
 * Tests the package as people install it: packed, and installed outside of the workspace. Needs the npm registry for
 * dependencies. Skipped with a message if the registry is unreachable.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { folderOf } from "./dev/Folders.ts"

const maxMegabytes = 60

const app = join(import.meta.dirname, "..")
const env = { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) }

const run = async (cwd: string, command: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

const reachable = await run(app, "npm", "ping", "--fetch-retries=0", "--fetch-timeout=10000").then(
  () => true,
  () => false
)
if (!reachable) console.warn("SKIPPED: the package is not installed, since the npm registry can't be reached")

const page = `# Formulas

$$
\\mathbb{R} \\ni \\int_0^1 \\frac{a}{b} + \\cancel{x}
$$

\`\`\`js
let a = 1
\`\`\`

<i class="fa-star">:star:</i>
`

describe.skipIf(!reachable)("The package @lectern/cli", () => {
  const project = mkdtempSync(join(tmpdir(), "lectern-cli-"))
  const main = join(project, "node_modules/@lectern/cli/dist/main.js")

  beforeAll(async () => {
    await run(app, "npx", "-y", "pnpm@12", "pack", "--pack-destination", project)
    const tarball = readdirSync(project).find((name) => name.endsWith(".tgz"))!
    await run(
      project,
      "npm",
      "install",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--prefix",
      project,
      `./${tarball}`
    )
  })
  afterAll(() => rmSync(project, { recursive: true, force: true }))

  it(`needs at most ${maxMegabytes} MB and no native addon`, () => {
    const files = readdirSync(join(project, "node_modules"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    const bytes = files.reduce((sum, file) => sum + lstatSync(file).size, 0)
    assert.isBelow(bytes / 1024 ** 2, maxMegabytes)
    assert.deepStrictEqual(
      files.filter((file) => file.endsWith(".node")),
      []
    )
  })

  it("checks a folder", async () => {
    const folder = folderOf({ "README.md": "# Home\n\n[Gone](gone.md)\n" })
    const failure = await promisify(execFile)(process.execPath, [main, "lint", folder]).then(
      () => undefined,
      (error: { readonly code: number; readonly stdout: string }) => error
    )
    assert.strictEqual(failure?.code, 1)
    assert.include(failure!.stdout, "README.md:3:8: A link leads to nothing")
  })

  it("shows formulas, code and icons", async () => {
    const folder = folderOf({ "README.md": page })
    const child = spawn(process.execPath, [main, "dev", folder, "--port", "0", "--json"], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const [line] = (await once(child.stdout, "data")) as [Buffer]
      const { url } = JSON.parse(line.toString().split("\n")[0]!) as { readonly url: string }
      const html = await (await fetch(url)).text()
      assert.include(html, '<svg class="formula"')
      assert.match(html, /<span class="k">let/)
      assert.include(html, '<svg class="icon"')
    } finally {
      child.kill()
    }
  })
})
