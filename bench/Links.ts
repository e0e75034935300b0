/**
 * Measures lists of broken links in a space of 10,000 pages with ten links each, on the core over a SQLite file.
 * Reports the first list of a new process and the next one. Each page links to other pages, headings, a file and URLs.
 * One link in fifty has no target. The URLs are those of 500 external pages, of which one in ten is known to be broken
 * if links are checked. Each first list is read in a new process. Figures are medians.
 */
import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import { LinkCheckTable } from "@lectern/core/link-check/LinkCheck"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import type { Timestamp } from "@lectern/core/schema/Text"
import type { SpaceId } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { median } from "./Http.ts"

const size = 10_000
const perPage = 10
const batch = 50
const runs = 5
const urls = 500

const words = "Content stands in spaces and is changed by requests that people review and merge."

/** Returns the Markdown of a page. `names`: refs and ids of pages that it links to. */
const markdown = (n: number, names: ReadonlyArray<string>): string => {
  const links = Array.from({ length: perPage }, (_, i) => {
    const otherName = names[(n * 7 + i * 3) % names.length]!
    if (n % 5 === 0 && i === 0) return `[gone](/pages/none${n})`
    if (i === 1) return `[part](/pages/${otherName}#details)`
    if (i === 2) return `[site](https://example.com/${n % urls})`
    return `[page ${i}](/pages/${otherName})`
  })
  return [
    `# Page ${n}`,
    words.repeat(5),
    "## Overview",
    links.slice(0, 5).join(", "),
    "## Details",
    words.repeat(5),
    links.slice(5).join(", ")
  ].join("\n\n")
}

const fill = async (lectern: EmbeddedLectern) => {
  const { id: organization } = await lectern.organizations.create({ title: "Bench" })
  const { id: space } = await lectern.spaces.create(organization, {})
  const { id } = await lectern.changeRequests.create(space, {})
  let pageIds: ReadonlyArray<string> = []
  let page = ""
  for (let first = 0; first < size; first += batch) {
    const refs = Array.from({ length: batch }, (_, i) => `p${first + i}`)
    const changes = refs.map((ref, i) => ({
      operation: "insert_page" as const,
      ref,
      title: `Page ${first + i}`,
      ...(i > 0 && { into: refs[0]! }),
      document: { markdown: markdown(first + i, [...refs, ...pageIds]) }
    }))
    const writeResult = await lectern.changeRequests.content.write(space, id, changes)
    const ids = writeResult.changes.flatMap((change) => (change.object === "created_page" ? [change.page.id] : []))
    pageIds = ids
    page = ids[1]!
  }
  await lectern.changeRequests.content.merge(space, id)
  await check(lectern, organization)
  return { space, page }
}

/** Inserts the results that a link check would store. No URL is requested. */
const check = (lectern: EmbeddedLectern, organization: OrganizationId) => {
  const now = new Date().toISOString() as Timestamp
  return lectern.run(
    Effect.gen(function* () {
      const storage = yield* Storage
      const checks = storage.repository(LinkCheckTable)
      for (let n = 0; n < urls; n++) {
        yield* checks.insert({
          organization,
          url: `https://example.com/${n}`,
          host: "example.com",
          state: n % 10 === 0 ? "broken" : "ok",
          checkedAt: now,
          dueAt: now,
          seenAt: now
        })
      }
    })
  )
}

/** Measures the first list of this process, the next one, and the longest block of the event loop (ms). */
const firstList = async (file: string, space: string, checkLinks: boolean) => {
  const lectern = await SqliteLectern.open({ file, background: false, checkLinks })
  await lectern.spaces.get(space as SpaceId)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const list = async () => {
    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    const { count, stats } = await lectern.content.links.ofSpace({ space: space as SpaceId }, { status: "broken" })
    const { user, system } = process.cpuUsage(cpu)
    return { ms: performance.now() - startedAt, cpu: (user + system) / 1000, count, stats }
  }
  const first = await list()
  delay.disable()
  const loopDelay = delay.max / 1e6
  const secondList = await list()
  await lectern.close()
  return { ...first, again: secondList.ms, held: loopDelay }
}

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  try {
    const file = join(folder, "lectern.db")
    const lectern = await SqliteLectern.open({ file, background: false })
    const { space } = await fill(lectern)
    await lectern.close()
    return ["off", "on"].map((checks) => {
      const runResults = Array.from({ length: runs }, () =>
        JSON.parse(
          execFileSync(process.execPath, [fileURLToPath(import.meta.url), file, space, checks], { encoding: "utf8" })
        )
      ) as ReadonlyArray<Awaited<ReturnType<typeof firstList>>>
      return {
        list: `Broken links of ${size} pages, checks ${checks}`,
        targets: runResults[0]!.stats.total,
        broken: runResults[0]!.stats.broken.total,
        "first ms": median(runResults.map(({ ms }) => ms)).toFixed(0),
        "CPU ms": median(runResults.map(({ cpu }) => cpu)).toFixed(0),
        "again ms": median(runResults.map(({ again }) => again)).toFixed(1),
        "longest ms": median(runResults.map(({ held }) => held)).toFixed(1)
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const [, script, file, space, checks] = process.argv
if (script === fileURLToPath(import.meta.url) && file !== undefined && space !== undefined) {
  console.log(JSON.stringify(await firstList(file, space, checks === "on")))
}
