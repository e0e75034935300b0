/**
 * Tests the packages as users install them: packed, and installed into an empty project outside the workspace. The
 * examples are type-checked and run in that project, and so is the `lectern` command. `create-lectern` makes a project
 * from each template, which is installed, type-checked, and tested or started. Needs the npm registry for
 * dependencies. Skipped with a message if the registry is unreachable.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { publint } from "publint"
import { assertHasAll, type FirstStart } from "../apps/server/test/FirstLook.ts"

const root = join(import.meta.dirname, "..")
const folders = [...(await readdir(join(root, "packages"))).map((name) => `packages/${name}`), "apps/server"]
const examples = (await readdir(import.meta.dirname)).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts")
)

interface Manifest {
  readonly dependencies?: object
  readonly peerDependencies?: object
  readonly devDependencies?: object
}

const manifestIn = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"))

/** Adapter of the guide, as a third party would write it. */
const toy = join(root, "packages/adapter-contract/test/toy")
const adapter = ["ToyCondition.ts", "ToyRows.ts", "ToyStorage.ts"]

// Puts the Node.js of this process first, since the packages are built for its version.
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter)
}

const misuse = `
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import { connect } from "@lectern/http/client"
const lectern = await SqliteLectern.open({ file: "lectern.db" })
// @ts-expect-error: a number is no id
await lectern.spaces.get(1)
// @ts-expect-error: there is no such service
lectern.cakes
// @ts-expect-error: the title of a space is no number
const title: number = (await connect({ baseUrl: "http://localhost" }).spaces.get({ params: { spaceId: "1" } })).title
`

/** Returns the name of the package in a tarball. */
const packageOf = (tarball: string): string =>
  basename(tarball)
    .replace(/-\d.*$/, "")
    .replace(/^lectern-/, "@lectern/")

const run = async (cwd: string, command: string, args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error(`${command} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`)
    }
  )
  return stdout
}

const reachable = await run(root, "npm", ["ping", "--fetch-retries=0", "--fetch-timeout=10000"]).then(
  () => true,
  () => false
)
if (!reachable) console.warn("SKIPPED: the packages are not installed, since the npm registry can't be reached")

describe.skipIf(!reachable)("the packages", () => {
  let project: string
  let tarballs: ReadonlyArray<string>

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "lectern-packages-"))
    // Starts as a fresh clone without builds. Files of deleted modules in a `dist` folder must not be packed.
    const [first = ""] = folders
    await rm(join(root, first, "dist"), { recursive: true, force: true })
    for (const folder of folders) {
      await mkdir(join(root, folder, "dist"), { recursive: true })
      await writeFile(join(root, folder, "dist/Gone.js"), "")
    }
    const chosen = folders.flatMap((folder) => ["--filter", `./${folder}`])
    await run(root, "npx", ["-y", "pnpm@12", "--recursive", ...chosen, "pack", "--pack-destination", project])
    tarballs = (await readdir(project)).filter((name) => name.endsWith(".tgz")).map((name) => join(project, name))

    const dependencies = Object.fromEntries(
      tarballs.map((tarball) => [packageOf(tarball), `file:${basename(tarball)}`])
    )
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({
        name: "host",
        private: true,
        type: "module",
        dependencies: { ...dependencies, effect: "4.1.0" }
      })
    )
    await run(project, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"])
    for (const example of examples) await copyFile(join(import.meta.dirname, example), join(project, example))
    for (const file of adapter) await copyFile(join(toy, file), join(project, file))
  })

  afterAll(() => rm(project, { recursive: true, force: true }))

  it("are all there, and publint finds nothing wrong with them", async () => {
    assert.lengthOf(tarballs, folders.length)
    for (const tarball of tarballs) {
      // A copy: the bytes of a small file are a part of a larger buffer.
      const { buffer } = new Uint8Array(await readFile(tarball))
      const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
      assert.deepStrictEqual(messages, [], basename(tarball))
    }
  })

  it("hold what was built of their sources, and nothing else", async () => {
    for (const name of await readdir(join(project, "node_modules/@lectern"))) {
      const folder = join(project, "node_modules/@lectern", name)
      const files = await readdir(folder, { recursive: true, withFileTypes: true })
      const paths = files
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath, file.name).slice(folder.length + 1))
      const strange = paths.filter(
        (path) =>
          !/^(package\.json|README\.md|LICENSE|editor\.css|catalogue\/[\w-]+\.json|src\/.+\.ts|src\/\w+\/messages\/[\w-]+\.json|dist\/chunks\/[\w@-]+\.LICENSE|dist\/manual\/.+|dist\/console\/(index\.html|licenses\.txt|[\w-]+\.[\w-]{16}\.(css|js))|dist\/description\/openapi\.json|(dist\/)?fonts\/(fonts\.json|\w+\.LICENSE|[\w-]+\.[\da-f]{16}\.woff2)|dist\/mathjax\/(library|fonts)\/.+|(dist\/)?diagrams\/(frame|part)\.[\w-]{16}\.js\.gz|dist\/.+\.(js|js\.map|d\.ts|d\.ts\.map))$/.test(
            path
          )
      )
      assert.deepStrictEqual(strange, [], name)
      assert.include(paths, "LICENSE", name)
      assert.notInclude(paths, "dist/Gone.js", name)
      // The server consists of few bundled files.
      if (name === "server") continue
      const built = paths.filter((path) => /^dist\/(?!chunks\/).+\.js$/.test(path)).map((path) => path.slice(5, -3))
      // Ignores `.d.ts` files, which declare types of untyped packages and are not built.
      const sources = paths
        .filter((path) => /^src\/.+(?<!\.d)\.ts$/.test(path))
        .map((path) => path.slice(4).replace(/\.ts$/, ""))
      assert.sameMembers(built, sources, name)
      for (const path of paths.filter((path) => path.endsWith(".js"))) {
        assert.notMatch(
          await readFile(join(folder, path), "utf8"),
          /from "\.[^"]*\.ts"|import\("\.[^"]*\.ts"\)/,
          `${name}/${path}`
        )
      }
    }
  })

  it("import nothing but what they depend on", async () => {
    for (const name of await readdir(join(project, "node_modules/@lectern"))) {
      // The server is a bundle whose code imports modules by other names.
      if (name === "server") continue
      const folder = join(project, "node_modules/@lectern", name)
      const manifest = await manifestIn(folder)
      const known = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
      const modules = (await readdir(join(folder, "dist"), { recursive: true })).filter((path) => path.endsWith(".js"))
      const imported = new Set<string>()
      for (const path of modules) {
        const text = await readFile(join(folder, "dist", path), "utf8")
        for (const [, from = ""] of text.matchAll(/^(?:import|export) (?:[^"'`;]* from )?"([^"]+)";?$/gm)) {
          const [scope = "", rest = ""] = from.split("/")
          if (!/^(\.|node:)/.test(from)) imported.add(scope.startsWith("@") ? `${scope}/${rest}` : scope)
        }
      }
      assert.deepStrictEqual(
        [...imported].filter((other) => !known.has(other) && other !== `@lectern/${name}`),
        [],
        name
      )
    }
  })

  it("declare nothing in types that a host does not get with them", async () => {
    for (const name of await readdir(join(project, "node_modules/@lectern"))) {
      if (name === "server") continue
      const folder = join(project, "node_modules/@lectern", name)
      const manifest = await manifestIn(folder)
      const known = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
      // A package whose types are in a separate package was compiled with those types.
      const apart = new Set(Object.keys({ ...manifest.devDependencies, ...manifest.dependencies }))
      const isTyped = (other: string) => {
        const types = `@types/${other.replace(/^@/, "").replace("/", "__")}`
        return apart.has(types) ? known.has(types) : known.has(other)
      }
      const modules = (await readdir(join(folder, "dist"), { recursive: true })).filter((path) =>
        path.endsWith(".d.ts")
      )
      const missing = new Set<string>()
      for (const path of modules) {
        const text = await readFile(join(folder, "dist", path), "utf8")
        for (const [, from = ""] of text.matchAll(/(?:\bfrom |\bimport\(|^import |^declare module )"([^"]+)"/gm)) {
          const [scope = "", rest = ""] = from.split("/")
          const other = scope.startsWith("@") ? `${scope}/${rest}` : scope
          if (/^(\.|node:)/.test(from) || other === `@lectern/${name}` || isTyped(other)) continue
          missing.add(`${path}: ${other}`)
        }
      }
      assert.deepStrictEqual([...missing], [], name)
    }
  })

  it("leave to a host which effect is used, which is one for all of them", async () => {
    for (const name of await readdir(join(project, "node_modules/@lectern"))) {
      if (name === "server") continue
      const folder = join(project, "node_modules/@lectern", name)
      const { dependencies } = await manifestIn(folder)
      // Schemas of one copy of `effect` are incompatible with another copy. With two copies, not even a store opens. A
      // package that imports it names it as a peer, as the test of imports shows.
      assert.notProperty(dependencies ?? {}, "effect", name)
    }
    const installed = await readdir(join(project, "node_modules"), { recursive: true })
    assert.deepStrictEqual(
      installed.filter((path) => /(^|\/)node_modules\/effect\/package\.json$|^effect\/package\.json$/.test(path)),
      ["effect/package.json"]
    )
  })

  it("leave to a host which vitest runs the suites of adapters and the fixtures", async () => {
    for (const name of ["adapter-contract", "testing"]) {
      const { dependencies, peerDependencies } = await manifestIn(join(project, "node_modules/@lectern", name))
      // Two copies of `vitest` in one process do not see each other's tests.
      assert.notProperty(dependencies, "vitest", name)
      assert.property(peerDependencies, "vitest", name)
    }
  })

  it("are typed", async () => {
    const config = {
      compilerOptions: {
        // Oldest target that the manual supports. It has no newer string methods.
        target: "es2022",
        module: "nodenext",
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        // With `skipLibCheck`, an unresolved declaration would be `any`, and every use of it would pass.
        skipLibCheck: false,
        types: ["node"],
        typeRoots: [join(root, "node_modules/@types")]
      },
      files: ["misuse.ts", ...examples, ...adapter]
    }
    await writeFile(join(project, "misuse.ts"), misuse)
    await writeFile(join(project, "tsconfig.json"), JSON.stringify(config))
    await run(project, process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", "."])
  })

  it.each(examples)("run %s", async (example) => {
    const printed = await run(project, process.execPath, [example, join(project, `${example}.db`)])
    // Removes warnings about a busy machine.
    const said = printed.replace(/^\[[\d:.]+\] WARN .*\n/gm, "")
    // The output occurs twice: with SQLite and in memory.
    assert.isAbove(said.length, 0)
    assert.strictEqual(said, said.slice(said.length / 2).repeat(2))
  })

  it("run the command", async () => {
    const lectern = join(project, "node_modules/.bin/lectern")
    assert.include(await run(project, lectern, ["--help"]), "serve")
    assert.match(await run(project, lectern, ["--version"]), /\d+\.\d+\.\d+/)
    // The packages of sites and of the server contain the renderer of diagrams.
    for (const folder of ["site/diagrams", "server/dist/diagrams"]) {
      const files = await readdir(join(project, "node_modules/@lectern", folder))
      assert.isTrue(
        files.some((file) => file.startsWith("frame.")),
        folder
      )
    }
    for (const folder of ["site/fonts", "server/dist/fonts"]) {
      const files = await readdir(join(project, "node_modules/@lectern", folder))
      assert.include(files, "fonts.json")
    }
    // The server's package contains its threads, its fonts, and the manual, which a first start imports.
    const server = spawn(lectern, ["serve", "--port", "0", "--data", "served", "--json"], {
      cwd: project,
      env,
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const [line] = (await once(server.stdout, "data")) as [Buffer]
      await assertHasAll(JSON.parse(line.toString()) as FirstStart)
      // The server's package contains the built catalogue.
      const { integrations } = JSON.parse(await run(project, lectern, ["catalogue", "--data", "served", "--json"]))
      assert.sameMembers(
        integrations.map(({ name }: { readonly name: string }) => name),
        (await readdir(join(root, "apps/server/catalogue"))).map((file) => file.replace(/\.json$/, ""))
      )
      assert.isAbove(integrations.length, 0)
    } finally {
      server.kill("SIGTERM")
    }
    assert.deepStrictEqual(await once(server, "exit"), [0, null])
  })

  describe("create-lectern", () => {
    const created = mkdtempSync(join(tmpdir(), "lectern-created-"))

    afterAll(() => rm(created, { recursive: true, force: true }))

    /** Creates a project and installs it, with the tarballs as the packages of Lectern. */
    const create = async (template: string): Promise<string> => {
      const folder = join(created, template === "tests" ? "unit" : `my-${template}`)
      await run(created, join(project, "node_modules/.bin/create-lectern"), [folder, "--template", template])
      const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
      const packed = Object.fromEntries(tarballs.map((tarball) => [packageOf(tarball), `file:${tarball}`]))
      for (const dependencies of [manifest.dependencies, manifest.devDependencies])
        for (const name of Object.keys(dependencies)) dependencies[name] = packed[name] ?? dependencies[name]
      await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, overrides: packed }))
      await run(folder, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"])
      return folder
    }

    /** Starts a program of a project, and calls it with the URL that the program prints. */
    const whileRunning = async (
      folder: string,
      command: ReadonlyArray<string>,
      check: (origin: string) => Promise<void>
    ) => {
      const [program = "", ...args] = command
      const server = spawn(program, args, {
        cwd: folder,
        env: { ...env, PORT: "0" },
        stdio: ["ignore", "pipe", "inherit"]
      })
      try {
        const origin = Promise.withResolvers<string>()
        let printed = ""
        server.stdout.on("data", (data: Buffer) => {
          printed += data.toString()
          const url = /https?:\/\/localhost:\d+/.exec(printed)?.[0]
          if (url !== undefined) origin.resolve(url)
        })
        server.on("exit", () => origin.reject(new Error(`The program ended: ${printed}`)))
        await check(await origin.promise)
      } finally {
        server.kill("SIGTERM")
      }
    }

    const checkHost = async (origin: string) => {
      const page = await fetch(`${origin}/help/repair`)
      assert.include(await page.text(), "Unplug it first.")
      assert.strictEqual((await fetch(`${origin}/api/lectern/healthz`)).status, 200)
      assert.strictEqual((await fetch(origin)).status, 200)
    }

    it("makes an Express application", async () => {
      const folder = await create("express")
      await run(folder, "npm", ["run", "check"])
      // The second start uses the database of the first one.
      for (let start = 0; start < 2; start++)
        await whileRunning(folder, [process.execPath, "src/express.ts"], checkHost)
    })

    it("makes a Next.js application", async () => {
      const folder = await create("next")
      const next = join(folder, "node_modules/next/dist/bin/next")
      await run(folder, "npm", ["run", "check"])
      await run(folder, process.execPath, [next, "build"])
      await whileRunning(folder, [process.execPath, next, "start", "--port", "0"], checkHost)
    })

    it("makes a program with Effect", async () => {
      const folder = await create("effect")
      await run(folder, "npm", ["run", "check"])
      await run(folder, "npm", ["test"])
      assert.match(await run(folder, "npm", ["start"]), /\nPage 1\n$/)
      assert.match(await run(folder, "npm", ["start"]), /\nPage 1\nPage 2\n$/)
    })

    it("makes unit tests", async () => {
      const folder = await create("tests")
      await run(folder, "npm", ["run", "check"])
      assert.match(await run(folder, "npm", ["test"]), /1 passed/)
    })
  })
})
