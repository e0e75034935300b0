/**
 * Measures `lectern build` from the bundle: time and memory for a folder of 1,000 pages without and with pictures for
 * link previews, of a second build without changes, and the bytes that the first query of the search loads.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleServer } from "../bundle/Commands.ts"
import type { SearchManifest } from "../packages/site/src/static-site/SearchManifest.ts"
import * as StaticSearch from "../packages/site/src/static-site/StaticSearch.ts"
import { pagesInFolder, pageText } from "./Dev.ts"

const pageCount = 1_000
const queries = ["configuration", "install the server", "answer", "words of a paragraph", "conf"]

/** Returns the text of a page in which every page has words of its own. */
const textOf = (i: number): string => {
  const words = Array.from({ length: 60 }, (_, part) => `word${(i * 7919 + part * 104_729) % 20_000}`)
  return pageText(i, `How to install the server, and its configuration ${i}. ${words.join(" ")}.`)
}

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-build-"))
  for (let i = 0; i < pageCount; i++) {
    const path = join(folder, `folder-${Math.floor(i / pagesInFolder)}/page-${i % pagesInFolder}.md`)
    mkdirSync(join(path, ".."), { recursive: true })
    writeFileSync(path, textOf(i))
  }
  return folder
}

/** Interval between two readings of the memory (ms). */
const interval = 50

/** Runs the command. Returns its time (ms) and the highest resident memory (MB), which Linux states. */
const build = async (main: string, folder: string, out: string, args: ReadonlyArray<string>) => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [main, "build", folder, "--out", out, ...args], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  let memory = 0
  const timer = setInterval(() => {
    try {
      const [, peak] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? []
      memory = Math.max(memory, Number(peak ?? 0) / 1_000)
    } catch {
      // The process has ended, or the system has no such file.
    }
  }, interval)
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`lectern build ended with ${code}`)
  return { ms: Math.round(performance.now() - startedAt), memory: Math.round(memory) }
}

/** Returns the bytes that a browser loads for its first query: the program, the manifest, and files of the index. */
const firstQueryBytes = async (out: string, query: string): Promise<number> => {
  const folder = join(out, "~search")
  const assets = join(out, "~lectern")
  const program = readdirSync(assets).find((name) => name.startsWith("search."))!
  const read = (name: string): Buffer => {
    const content = readFileSync(join(folder, name))
    bytes += content.length
    return content
  }
  let bytes = statSync(join(assets, program)).size
  const manifest = JSON.parse(String(read("index.json"))) as SearchManifest
  const index = await StaticSearch.open(manifest, "/", {
    json: async (name) => JSON.parse(String(read(name))),
    bytes: async (name) => read(name),
    script: async (name) => read(name)
  })
  await index.render(query)
  return bytes
}

export const run = async () => {
  const main = await bundleServer()
  const folder = process.env["LECTERN_BENCH_PAGES"] ?? makeFolder()
  const outs = [0, 1].map(() => mkdtempSync(join(tmpdir(), "lectern-built-")))
  const [plain, pictures] = outs as [string, string]
  try {
    const emptyProgram = performance.now()
    spawnSync(process.execPath, ["-e", "0"])
    const empty = Math.round(performance.now() - emptyProgram)
    const first = await build(main, folder, plain, [])
    const again = await build(main, folder, plain, [])
    const withPictures = await build(main, folder, pictures, ["--site-url", "https://docs.example.com/"])
    const bytes: Array<number> = []
    for (const query of queries) bytes.push(await firstQueryBytes(plain, query))
    return {
      "1,000 pages": { ms: first.ms, "memory, MB": first.memory },
      "again, without changes": { ms: again.ms, "memory, MB": again.memory },
      "with --site-url": { ms: withPictures.ms, "memory, MB": withPictures.memory },
      "node -e 0": { ms: empty },
      "first query, at most": { KB: Math.round(Math.max(...bytes) / 1_000) }
    }
  } finally {
    for (const path of [...outs, ...(process.env["LECTERN_BENCH_PAGES"] === undefined ? [folder] : [])])
      rmSync(path, { recursive: true, force: true })
  }
}
