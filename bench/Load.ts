/**
 * Measures the import of the built packages in new processes, in turns with `import "effect"`, which every host of
 * Lectern loads, and with `better-auth`, another library that applications embed. The packages are in a folder as npm installs them. Time is processor time without that of an empty
 * program; memory is resident memory after the import.
 */
import { spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { root } from "../bundle/BuildStamp.ts"
import { buildPackages } from "../bundle/Packages.ts"

const rounds = 9

const entries = [
  "effect",
  "better-auth",
  "@lectern/core/Lectern",
  "@lectern/adapter-sqlite/SqliteLectern",
  "@lectern/adapter-memory/MemoryLectern",
  "@lectern/http/fetch",
  "@lectern/http/client",
  "@lectern/site/fetch",
  "@lectern/document/markdown/Markdown",
  "@lectern/document/merge/DocumentMerge"
]

interface Manifest {
  readonly name: string
  readonly publishConfig: object
}

/** Installs the packages into a folder: copies of the published files, and links to all other packages. */
const install = (folder: string): void => {
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "@lectern"), { recursive: true })
  for (const from of globSync(["node_modules", "node_modules/.pnpm/node_modules", "packages/*/node_modules"], {
    cwd: root
  }))
    for (const name of globSync(["*", "@*/*"], { cwd: join(root, from) })) {
      const link = join(modules, name)
      if (/^@([^/]+|lectern\/.*)$/.test(name) || existsSync(link)) continue
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, from, name), link)
    }
  for (const folder of globSync("packages/*", { cwd: root })) {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest
    // Other names are commands, which no host imports.
    if (!manifest.name.startsWith("@lectern/")) continue
    const to = join(modules, manifest.name)
    cpSync(join(root, folder, "dist"), join(to, "dist"), { recursive: true })
    writeFileSync(join(to, "package.json"), JSON.stringify({ ...manifest, ...manifest.publishConfig }))
  }
}

const load = (folder: string, entry: string | undefined) => {
  const program = `${entry === undefined ? "" : `await import(${JSON.stringify(entry)})`}
    const { user, system } = process.cpuUsage()
    console.log(JSON.stringify([(user + system) / 1000, process.memoryUsage.rss() / 1024 ** 2]))`
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: folder,
    encoding: "utf8"
  })
  if (stdout === "") throw new Error(stderr)
  return JSON.parse(stdout) as [time: number, memory: number]
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

export const run = async () => {
  await buildPackages()
  const folder = mkdtempSync(join(tmpdir(), "lectern-load-"))
  try {
    install(folder)
    const samples = new Map<string | undefined, Array<[time: number, memory: number]>>()
    for (let round = 0; round < rounds; round++)
      for (const entry of [undefined, ...entries])
        samples.set(entry, [...(samples.get(entry) ?? []), load(folder, entry)])
    const [empty, ...loaded] = [undefined, ...entries].map((entry) => ({
      entry: entry ?? "",
      time: median(samples.get(entry)!.map(([time]) => time)),
      memory: median(samples.get(entry)!.map(([, memory]) => memory))
    }))
    const unit = loaded[0]!.time - empty!.time
    return loaded.map(({ entry, time, memory }) => ({
      import: entry,
      "CPU ms": (time - empty!.time).toFixed(0),
      "relative to effect": ((time - empty!.time) / unit).toFixed(2),
      MB: memory.toFixed(0)
    }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
