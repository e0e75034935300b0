/** The command with the templates of this checkout, without a terminal. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { buildProjectTemplates, projectTemplates } from "../../../bundle/ProjectTemplates.ts"

const main = join(import.meta.dirname, "../src/main.ts")
const templates = projectTemplates()

interface Outcome {
  readonly code?: number
  readonly stdout: string
  readonly stderr: string
}

let folder: string

const run = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}): Promise<Outcome> =>
  promisify(execFile)(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...process.env, npm_config_user_agent: "", ...env }
  }).catch((failure: Outcome) => failure)

const refused = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await run(args)
  assert.strictEqual(code, 1, stdout)
  return stderr.trim()
}

beforeAll(async () => {
  buildProjectTemplates()
  folder = await mkdtemp(join(tmpdir(), "create-lectern-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe("create-lectern", () => {
  it.each(Object.keys(templates))("writes a project from the template %s", async (name) => {
    const { stdout } = await run([`app-${name}`, "--template", name])
    const { files, firstScript, manifest } = templates[name]!
    assert.strictEqual(
      stdout,
      `Created app-${name} from the template ${name}. Next:\n\n  cd app-${name}\n  npm install\n  npm run ${firstScript}\n\n`
    )
    for (const [path, text] of Object.entries(files))
      assert.strictEqual(await readFile(join(folder, `app-${name}`, path), "utf8"), text)
    const written = JSON.parse(await readFile(join(folder, `app-${name}`, "package.json"), "utf8"))
    assert.deepStrictEqual(written, { name: `app-${name}`, ...manifest })
    assert.property(written.scripts, firstScript)
    assert.match(await readFile(join(folder, `app-${name}`, "README.md"), "utf8"), /^# app-/)
  })

  it("imports only packages that the project has", () => {
    for (const [name, { files, manifest }] of Object.entries(templates)) {
      const known = { ...manifest.dependencies, ...manifest.devDependencies }
      const imported = Object.values(files).flatMap((text) =>
        Array.from(text.matchAll(/ from "(@[^/"]+\/[^/"]+|[^@./"][^/"]*)/g), ([, from]) => from!)
      )
      assert.isAbove(imported.length, 0, name)
      assert.deepStrictEqual(
        imported.filter((from) => !from.startsWith("node:") && !(from in known)),
        [],
        name
      )
      assert.notMatch(Object.values(files).join("\n"), /examples\//, name)
    }
  })

  it("says the commands of the package manager that runs it", async () => {
    const { stdout } = await run(["app-pnpm", "--template", "tests"], { npm_config_user_agent: "pnpm/12.0.0 node/v24" })
    assert.include(stdout, "  pnpm install\n  pnpm run test\n")
  })

  it("refuses a folder with files, and writes nothing to it", async () => {
    await mkdir(join(folder, "full"))
    await writeFile(join(folder, "full/notes.txt"), "mine")
    assert.strictEqual(
      await refused("full", "--template", "tests"),
      "The folder full is not empty. Choose another folder"
    )
    assert.deepStrictEqual(await readdir(join(folder, "full")), ["notes.txt"])
    assert.strictEqual(
      await refused("full/notes.txt", "--template", "tests"),
      "full/notes.txt is a file. Choose another folder"
    )
    await mkdir(join(folder, "repository/.git"), { recursive: true })
    assert.isUndefined((await run(["repository", "--template", "tests"])).code)
  })

  it("refuses names that can't be names of projects", async () => {
    for (const name of ["My App", "node_modules", ".hidden", "a".repeat(101), "a\nb", "café", "/"])
      assert.match(await refused(name, "--template", "tests"), /^The folder can't be named ".*"\. It is the name of/)
    assert.strictEqual(
      await refused("express", "--template", "express"),
      "The project needs a package named express, so its folder must have another name"
    )
  })

  it("names what is missing or wrong without a terminal", async () => {
    assert.match(await refused(), /^Pass a folder: npm create lectern@latest /)
    assert.match(await refused("app"), /^Pass a template: npm create lectern@latest /)
    assert.strictEqual(
      await refused("app", "--template", "toString"),
      'There is no template "toString". Templates: express, next, effect, tests'
    )
    assert.strictEqual(await refused("app", "other"), "Pass one folder, not 2")
    assert.match(await refused("app", "--tmplate", "next"), /^Unknown option '--tmplate'/)
    assert.notInclude(await readdir(folder), "app")
  })

  it("says which Node.js it needs, before an older one reads newer code", async () => {
    assert.notMatch(await readFile(main, "utf8"), /^import\b(?!\()|^export\b.*\bfrom\b/m)
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } }); await import(${JSON.stringify(main)})`
    const failure = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", older]).then(
      () => undefined,
      (error: Outcome) => error
    )
    assert.strictEqual(failure?.code, 1)
    assert.match(failure!.stderr, /^Lectern needs Node\.js 24 or newer, and this is v\d.*\n$/)
  })
})
