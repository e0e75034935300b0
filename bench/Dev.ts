/**
 * Measures `lectern dev` from the bundle: the time until a folder of 500 pages is served, relative to an empty program
 * of Node (`node -e 0`), and the time from a saved file to the new text in a browser, for a folder of 1,000 pages.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleServer } from "../bundle/Commands.ts"
import { open } from "../packages/site/test/Chromium.ts"
import { median } from "./Http.ts"

const rounds = 5
const saves = 100
export const pagesInFolder = 20

export const pageText = (i: number, text: string) =>
  [
    `# Page ${i}`,
    text,
    ...Array.from({ length: 10 }, (_, part) =>
      [
        `## Part ${part}`,
        `${"Some words of a paragraph, **bold** and `code`. ".repeat(6)} [Next](page-${(i + 1) % pagesInFolder}.md)`,
        "```js\nconst answer = 42\n```",
        "* One\n* Two\n* Three"
      ].join("\n\n")
    )
  ].join("\n\n")

const pathOf = (i: number) => `folder-${Math.floor(i / pagesInFolder)}/page-${i % pagesInFolder}.md`

const makeFolder = (count: number): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-dev-"))
  for (let i = 0; i < count; i++) {
    mkdirSync(join(folder, pathOf(i), ".."), { recursive: true })
    writeFileSync(join(folder, pathOf(i)), pageText(i, "First."))
  }
  return folder
}

interface DevProcess {
  readonly child: ChildProcess
  readonly url: string
  /** Time from the start of the process until it is ready (ms). */
  readonly ready: number
}

const startDev = async (main: string, folder: string): Promise<DevProcess> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [main, "dev", folder, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  let text = ""
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.includes("\n")) break
  }
  return { child, url: (JSON.parse(text.split("\n")[0]!) as { url: string }).url, ready: performance.now() - startedAt }
}

const end = async ({ child }: DevProcess) => {
  child.kill("SIGTERM")
  await once(child, "exit")
}

const emptyProgram = (): number => {
  const startedAt = performance.now()
  spawnSync(process.execPath, ["-e", "0"])
  return performance.now() - startedAt
}

/** Returns the times from a saved file to its text in the browser (ms). */
const measureSaves = async (main: string, folder: string): Promise<ReadonlyArray<number>> => {
  const dev = await startDev(main, folder)
  const browser = await open()
  const page = await browser.newPage()
  const events = page.waitForResponse((response) => response.url().endsWith("/~dev/events"))
  await page.goto(`${dev.url}folder-3/page-3`)
  await events
  const times: Array<number> = []
  for (let i = 0; i < saves; i++) {
    const text = `Saved ${i}.`
    const isShown = page.waitForFunction(
      (text) => document.querySelector("main")?.textContent.includes(text) === true,
      text
    )
    const savedAt = performance.now()
    writeFileSync(join(folder, pathOf(3 * pagesInFolder + 3)), pageText(3, text))
    await isShown
    times.push(performance.now() - savedAt)
  }
  await browser.close()
  await end(dev)
  return times.sort((a, b) => a - b)
}

export const run = async () => {
  const main = await bundleServer()
  const folders = { 500: makeFolder(500), 1000: makeFolder(1_000) }
  try {
    const starts: Array<number> = []
    const emptyStarts: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      emptyStarts.push(emptyProgram())
      const dev = await startDev(main, folders[500])
      starts.push(dev.ready)
      await end(dev)
    }
    const times = await measureSaves(main, folders[1000])
    const at = (part: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))]!)
    return {
      "lectern dev": {
        "500 pages ready, ms": Math.round(median(starts)),
        "node -e 0, ms": Math.round(median(emptyStarts)),
        ratio: Number((median(starts) / median(emptyStarts)).toFixed(1)),
        "save of 1,000 pages, p50 ms": at(0.5),
        "p95 ms": at(0.95),
        "max ms": at(1)
      }
    }
  } finally {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
  }
}
