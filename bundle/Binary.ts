/**
 * Builds `dist/lectern`: the server as one executable for this platform, with all dependencies except the system's C
 * library. It consists of Node.js and the server's code (a "single executable application").
 *
 * A binary for another platform must be built on that platform, because the V8 code caches are created by running the
 * code.
 */
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import { inAscii } from "./Ascii.ts"
import { bundleCatalogue } from "./Catalogue.ts"
import { bundleConsole } from "./Console.ts"
import { bundleDiagrams } from "./Diagrams.ts"
import { languages, languagesInside } from "./Languages.ts"
import { deferredModules } from "./DeferredModules.ts"
import { root } from "./BuildStamp.ts"
import { binary as workerd } from "../packages/integrations-workerd/src/WorkerdBinary.ts"
import { archive as archiveFiles } from "../apps/server/src/binary/Archive.ts"
import { archive as archiveOf } from "./OutsidePackages.ts"
import { outside, server } from "./Commands.ts"
import { openApi } from "./OpenApi.ts"
import { bundleSiteFonts } from "./SiteFonts.ts"
import { threadFiles } from "./Threads.ts"

const require = createRequire(import.meta.url)

const dist = join(root, "dist")
const program = join(dist, process.platform === "win32" ? "lectern.exe" : "lectern")
const folder = join(root, "node_modules/.cache/binary")
/** Path of the executable while it is built. */
const draftProgram = `${folder}.program`
const binaryModules = join(server, "src/binary")

/**
 * Packages that are not in the unpacked archive: one with a native addon, one with an executable, and one that is
 * bundled.
 */
const separatePackages = new Set(["better-sqlite3", "workerd", languages])

/**
 * Replaces the modules that start threads and load SQLite's native addon. Resolves packages of PDFs and code
 * highlighting from the unpacked archive.
 */
const insides: Plugin = {
  name: "inside of a binary",
  resolveId: {
    filter: { id: /^\.\/(StartThread\.ts|binding)$/ },
    handler: (id, importer) => {
      if (id === "./StartThread.ts" && importer?.endsWith("/thread/BoundedThread.ts"))
        return join(binaryModules, "StartThread.ts")
      return id === "./binding" && importer?.includes("/better-sqlite3/")
        ? join(binaryModules, "SqliteBinding.ts")
        : null
    }
  },
  transform: {
    filter: {
      id: /\/services-node\/src\/(pdf|rendering)\/\w+\.ts$/,
      code: "createRequire(import.meta.url)"
    },
    handler: (code) =>
      `import { currentBinary } from ${JSON.stringify(join(binaryModules, "CurrentBinary.ts"))}\n${code.replace("createRequire(import.meta.url)", "currentBinary()!.packages")}`
  }
}

const minify = { compress: false, mangle: false, codegen: true } as const

/** Writes the CommonJS chunks that `Boot.ts` loads. */
const pieces = async (): Promise<void> => {
  const names = [...outside().filter((name) => name !== "better-sqlite3" && name !== languages), "mathjax"]
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    external: (id) => names.some((name) => id === name || id.startsWith(`${name}/`)),
    input: { Command: join(server, "src/Command.ts") },
    transform: { define: { "import.meta.env": "undefined" } },
    plugins: [
      insides,
      languagesInside(join(server, "node_modules", languages, "package.json")),
      deferredModules,
      threadFiles()
    ]
  })
  const { output } = await bundle.generate({
    format: "cjs",
    minify,
    dynamicImportInCjs: false,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await bundle.close()
  mkdirSync(join(folder, "pieces"), { recursive: true })
  for (const piece of output) {
    if (piece.type !== "chunk") throw new Error(`${piece.fileName} is no code`)
    const text = `(function (exports, require, module, __filename, __dirname) {${piece.code}\n})`
    writeFileSync(join(folder, "pieces", piece.fileName), inAscii(text))
  }
}

const boot = async (entry: string): Promise<string> => {
  const bundle = await rolldown({ cwd: root, platform: "node", input: join(binaryModules, entry) })
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false })
  await bundle.close()
  return inAscii(output[0].code)
}

const copyInto = (from: string, key: string): void => {
  const to = join(folder, key)
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

const assets = async (): Promise<void> => {
  const catalogue = await bundleCatalogue()
  for (const file of globSync("*.json", { cwd: catalogue })) copyInto(join(catalogue, file), `catalogue/${file}`)
  const diagrams = await bundleDiagrams()
  for (const file of globSync("*", { cwd: diagrams })) copyInto(join(diagrams, file), `diagrams/${file}`)
  const console = await bundleConsole()
  for (const file of globSync("*", { cwd: console })) copyInto(join(console, file), `console/${file}`)
  const fonts = await bundleSiteFonts()
  for (const file of globSync("*", { cwd: fonts })) copyInto(join(fonts, file), `fonts/${file}`)
  mkdirSync(join(folder, "description"), { recursive: true })
  writeFileSync(join(folder, "description/openapi.json"), await openApi())
  const manual = join(root, "docs")
  for (const file of globSync("**/*", { cwd: manual, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name)
    copyInto(path, `manual/${path.slice(manual.length + 1).replaceAll("\\", "/")}`)
  }
  const binding = join(dirname(require.resolve("better-sqlite3/package.json")), "lib/binding.js")
  const { getPrebuildPath } = require(binding) as { readonly getPrebuildPath: () => string }
  copyInto(getPrebuildPath(), "better_sqlite3.node")
  const names = [...outside().filter((name) => !separatePackages.has(name)), "mathjax"]
  writeFileSync(join(folder, "packages.json"), JSON.stringify(names))
  writeFileSync(join(folder, "packages"), archiveOf(names, server))
}

/** Runs a server on a new data folder until it is ready, and ends it. V8 has compiled the executed code by then. */
const warm = async (): Promise<void> => {
  const data = mkdtempSync(join(tmpdir(), "lectern-warm-"))
  try {
    const child = spawn(
      process.execPath,
      [join(folder, "boot.js"), "serve", "--port", "0", "--data", data, "--log-level", "error"],
      {
        env: { PATH: process.env["PATH"] ?? "", LECTERN_WARM: folder },
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    await new Promise<void>((ready, reject) => {
      child.stdout.once("data", () => setTimeout(ready, 5_000))
      child.once("exit", (code) => reject(new Error(`The server ended with ${code} before it was ready`)))
    })
    const exitPromise = new Promise((end) => child.once("exit", end))
    child.kill("SIGTERM")
    if ((await exitPromise) !== 0) throw new Error("The server can't be made into a binary")
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** Builds the executable and returns its path. */
export const buildBinary = async (): Promise<string> => {
  rmSync(folder, { recursive: true, force: true })
  await pieces()
  await assets()
  writeFileSync(join(folder, "boot.js"), await boot("CodeCaches.ts"))
  await warm()
  // Runs with the code caches of the first run, which verifies that V8 accepts them.
  await warm()
  writeFileSync(join(folder, "boot.js"), await boot("main.ts"))
  const keys = globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  // Every chunk has a code cache file, which may be empty.
  mkdirSync(join(folder, "code"), { recursive: true })
  for (const key of keys.filter((key) => key.startsWith("pieces/"))) {
    const code = key.replace(/^pieces/, "code")
    if (!keys.includes(code)) {
      writeFileSync(join(folder, code), "")
      keys.push(code)
    }
  }
  const files = archiveFiles(keys.map((key) => [key.replaceAll("\\", "/"), readFileSync(join(folder, key))]))
  const [blob, config, archive] = ["blob", "json", "files"].map((ending) => `${folder}.${ending}`) as [
    string,
    string,
    string
  ]
  writeFileSync(archive, files)
  writeFileSync(
    config,
    JSON.stringify({
      main: join(folder, "boot.js"),
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: { files: archive }
    })
  )
  execFileSync(process.execPath, ["--experimental-sea-config", config], { stdio: ["ignore", "ignore", "inherit"] })
  copyFileSync(process.execPath, draftProgram)
  const { inject } = require("postject") as {
    inject: (file: string, section: string, blob: Buffer, options: object) => Promise<void>
  }
  await inject(draftProgram, "NODE_SEA_BLOB", readFileSync(blob), {
    sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
    machoSegmentName: "NODE_SEA"
  })
  writeOffset(files)
  mkdirSync(dist, { recursive: true })
  rmSync(program, { force: true })
  // The unfinished file was written in one operation, of which Linux maps 25 MB more than is read. A copy avoids that.
  copyFileSync(draftProgram, program)
  chmodSync(program, 0o755)
  rmSync(draftProgram)
  copySidecars()
  return program
}

/** Writes the offset of the archive into all copies of the boot code in the executable. */
const writeOffset = (files: Buffer): void => {
  const bytes = readFileSync(draftProgram)
  const filesOffset = bytes.indexOf(files)
  if (filesOffset === -1) throw new Error(`The files are not in ${draftProgram} as one piece`)
  const place = "@lectern-files@"
  const digits = String(filesOffset).padStart(16, "0")
  let count = 0
  for (let position = bytes.indexOf(`${place}${"0".repeat(16)}`); position !== -1; count++) {
    bytes.write(digits, position + place.length, "latin1")
    position = bytes.indexOf(`${place}${"0".repeat(16)}`, position)
  }
  // The executable contains the boot code for the process, and the archive contains a copy for threads.
  if (count !== 2) throw new Error(`The boot code is ${count} times in ${draftProgram}`)
  writeFileSync(draftProgram, bytes)
}

/**
 * Copies two files next to the executable: `workerd` for integrations, if it is installed, and SQLite's native addon.
 * The addon is for systems that forbid loading a file that a program has just unpacked. The executable works without
 * both files.
 */
const copySidecars = (): void => {
  copyFileSync(join(folder, "better_sqlite3.node"), join(dist, "better_sqlite3.node"))
  const from = workerd()
  const to = join(dist, process.platform === "win32" ? "workerd.exe" : "workerd")
  rmSync(to, { force: true })
  if (from === undefined) return
  copyFileSync(from, to)
  chmodSync(to, 0o755)
}
