/**
 * Measures a published site.
 *
 * - Requests to Lectern's server and to a minimal server (`BareServer.ts`), in alternating rounds. They resolve the URLs
 *   of 10,000 pages on a site of 20 sections and 60 site spaces, and read the site's resources with a visitor's token.
 * - Changes of structure on a site of 200 site spaces, compared to a site of 5, on the core over a SQLite file.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSorting } from "@lectern/core/site/SiteSorting"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import autocannon from "autocannon"
import Database from "better-sqlite3"
import { Effect, Layer } from "effect"
import { cpuTime, freePort, median, ready } from "./Http.ts"

const seconds = 3
const rounds = 3
/** Duration of the warm-up of each server (s), after which V8 has compiled the measured code. */
const warmUp = 2
const connections = 32

const sectionCount = 20
const spacesPerSection = 3
const pageCount = 10_000
const batch = 50

interface Target {
  readonly process: ChildProcess
  readonly url: string
}

interface BenchRequest {
  readonly path: string
  /** Body of a POST. */
  readonly body?: string
}

interface Case {
  readonly name: string
  readonly token: string
  readonly sampleRequests: ReadonlyArray<BenchRequest>
}

/** Sends the sample requests of a case repeatedly. Each connection sends its own part of the requests. */
const load = async (target: Target, { name, token, sampleRequests }: Case, duration = seconds) => {
  const requests = sampleRequests.map(({ path, body }) =>
    body === undefined ? { method: "GET" as const, path } : { method: "POST" as const, path, body }
  )
  let client = 0
  const cpuBefore = cpuTime(target.process.pid!)
  const result = await autocannon({
    url: target.url,
    connections,
    duration,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    setupClient: (connection) => {
      const part = client++ % connections
      connection.setRequests(
        requests.length < connections ? requests : requests.filter((_, i) => i % connections === part)
      )
    }
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} failed, ${result.errors} errors`)
  const total = result.requests.total
  return { perSecond: total / result.duration, cpu: (cpuTime(target.process.pid!) - cpuBefore) / total }
}

/** Runs a function for each item, 8 at a time. Returns the results in the order of the items. */
const inParallel = async <A, B>(items: ReadonlyArray<A>, run: (item: A, index: number) => Promise<B>) => {
  const results: Array<B> = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await run(items[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  return results
}

type Call = (method: string, path: string, body?: unknown, token?: string) => Promise<any>

const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items
    .map((item) => [createHash("sha256").update(JSON.stringify(item)).digest("hex"), item] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)

/** Creates a space of this number of pages, most of them on the third level. Returns its id. */
const makeSpace = async (call: Call, organization: string, title: string, size: number): Promise<string> => {
  const space = await call("POST", `/v1/orgs/${organization}/spaces`, { title })
  for (let createdCount = 0; createdCount < size; createdCount += batch) {
    const changes = Array.from({ length: Math.min(batch, size - createdCount) }, (_, i) => ({
      operation: "insert_page",
      title: `Page ${createdCount + i} of ${title}`,
      ref: `page-${i}`,
      ...(i > 0 && { into: i % 7 === 1 ? "page-0" : `page-${i - ((i + 6) % 7)}` })
    }))
    const { id } = await call("POST", `/v1/spaces/${space.id}/change-requests`, {})
    await call("POST", `/v1/spaces/${space.id}/change-requests/${id}/content`, { changes })
    await call("POST", `/v1/spaces/${space.id}/change-requests/${id}/merge`)
  }
  return space.id
}

/** Creates a published site of these spaces. Returns the URL of every page. */
const makeSite = async (
  call: Call,
  organization: string,
  input: { readonly title: string; readonly visibility: string },
  spaces: ReadonlyArray<string>,
  pagesOf: ReadonlyMap<string, ReadonlyArray<string>>
) => {
  const site = await call("POST", `/v1/orgs/${organization}/sites`, input)
  const path = `/v1/orgs/${organization}/sites/${site.id}`
  for (const [index, spaceId] of spaces.entries()) {
    if (index % spacesPerSection === 0) await call("POST", `${path}/sections`, { spaceId })
    else {
      const { items } = await call("GET", `${path}/sections?limit=100`)
      await call("POST", `${path}/site-spaces`, { spaceId, sectionId: items.at(-1).id })
    }
  }
  await call("POST", `${path}/publish`)
  const link =
    input.visibility === "share-link" ? await call("POST", `${path}/share-links`, { name: "Bench" }) : undefined
  const key = link === undefined ? undefined : new URL(link.urls.published).pathname.split("/").at(-2)
  const { structure } = await call("GET", `${path}/structure${key === undefined ? "" : `?shareKey=${key}`}`)
  const urls = structure.flatMap((section: any) =>
    section.siteSpaces.flatMap((siteSpace: any) =>
      pagesOf.get(siteSpace.space.id)!.map((page) => `${siteSpace.urls.published}${page}`)
    )
  ) as ReadonlyArray<string>
  return { path, urls: shuffled(urls), structure }
}

const pathsIn = (pages: ReadonlyArray<any>): ReadonlyArray<string> =>
  pages.flatMap((page) => [page.path as string, ...pathsIn(page.pages ?? [])])

/** Creates the spaces and sites. Returns the cases to measure. */
const prepare = async (call: Call, organization: string, token: string) => {
  const count = sectionCount * spacesPerSection
  const size = (index: number) =>
    Math.floor(((index + 1) * pageCount) / count) - Math.floor((index * pageCount) / count)
  const spaces = await inParallel(
    Array.from({ length: count }, (_, index) => index),
    (index) => makeSpace(call, organization, `Guide ${index}`, size(index))
  )
  const pages = await inParallel(spaces, (space) => call("GET", `/v1/spaces/${space}/content/pages`))
  const pagesOf = new Map(spaces.map((space, index) => [space, pathsIn(pages[index].pages)]))

  const site = (title: string, visibility: string) =>
    makeSite(call, organization, { title, visibility }, spaces, pagesOf)
  const openSite = await site("Open", "public")
  const shared = await site("Shared", "share-link")
  const adaptive = await site("Adaptive", "public")
  await call("PATCH", `${adaptive.path}/sections/${adaptive.structure[1].id}`, {
    condition: 'visitor.claims.unsigned.plan == "pro"'
  })

  const firstQuarter = (urls: ReadonlyArray<string>) => urls.slice(0, urls.length / 4)
  const requestsFor = (urls: ReadonlyArray<string>): ReadonlyArray<BenchRequest> =>
    urls.map((url) => ({ path: "/v1/urls/published", body: JSON.stringify({ url }) }))
  const { apiToken } = await call("POST", "/v1/urls/published", { url: openSite.urls[0] })
  const cases: ReadonlyArray<Case> = [
    { name: "POST /v1/urls/published, public", token, sampleRequests: requestsFor(openSite.urls) },
    { name: "the same, behind a share link", token, sampleRequests: requestsFor(firstQuarter(shared.urls)) },
    {
      name: "the same, a condition and claims",
      token,
      sampleRequests: requestsFor(firstQuarter(adaptive.urls).map((url) => `${url}?visitor.plan=pro`))
    },
    { name: "GET …/published", token: apiToken, sampleRequests: [{ path: `${openSite.path}/published` }] },
    { name: "GET …/structure", token: apiToken, sampleRequests: [{ path: `${openSite.path}/structure` }] }
  ]
  return cases
}

const requests = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const token = randomBytes(32).toString("base64url")
  const [port, barePort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    LECTERN_DATA: join(folder, "data"),
    LECTERN_PORT: String(port),
    LECTERN_BOOTSTRAP_TOKEN: token,
    LECTERN_LOG_LEVEL: "Error"
  }
  const start = (args: ReadonlyArray<string>, url: string): Target => ({
    process: spawn(process.execPath, args, { env, stdio: "ignore" }),
    url
  })
  const lectern = start(["apps/server/src/main.ts", "serve"], `http://127.0.0.1:${port}`)
  const bareFile = join(folder, "bare.db")
  let bareTarget: Target | undefined
  const call: Call = async (method, path, body, as = token) => {
    const response = await fetch(lectern.url + path, {
      method,
      headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : await response.json()
  }
  try {
    await ready(`${lectern.url}/readyz`)
    const [organization] = (await call("GET", "/v1/orgs")).items
    const cases = await prepare(call, organization.id, token)

    // The minimal server responds with copies of Lectern's responses.
    const db = new Database(bareFile)
    for (const table of ["token (hash", "answer (id"])
      db.exec(`CREATE TABLE ${table} TEXT PRIMARY KEY, doc TEXT NOT NULL)`)
    const insert = (table: string, key: string, doc: unknown) =>
      db.prepare(`INSERT OR REPLACE INTO ${table} VALUES (?, ?)`).run(key, JSON.stringify(doc))
    for (const benchCase of cases) {
      insert("token", createHash("sha256").update(benchCase.token).digest("base64url"), { user: "u" })
      const answers = await inParallel(benchCase.sampleRequests, ({ path, body }) =>
        call(body === undefined ? "GET" : "POST", path, body && JSON.parse(body), benchCase.token)
      )
      const keep = db.transaction(() => {
        for (const [index, { path, body }] of benchCase.sampleRequests.entries()) {
          const answer = answers[index]
          if (body !== undefined && answer.page === undefined)
            throw new Error(`${body} leads to ${JSON.stringify(answer)}`)
          insert("answer", body === undefined ? path : JSON.parse(body).url, answer)
        }
      })
      keep()
    }
    db.close()
    bareTarget = start(["bench/BareServer.ts", bareFile, String(barePort)], `http://127.0.0.1:${barePort}`)
    await ready(bareTarget.url)

    const rows: Array<Record<string, string>> = []
    for (const benchCase of cases) {
      await load(bareTarget, benchCase, warmUp)
      await load(lectern, benchCase, warmUp)
      const samples: Array<{ ours: number; theirs: number; ourCpu: number; theirCpu: number }> = []
      for (let round = 0; round < rounds; round++) {
        const theirs = await load(bareTarget, benchCase)
        const ours = await load(lectern, benchCase)
        samples.push({ ours: ours.perSecond, theirs: theirs.perSecond, ourCpu: ours.cpu, theirCpu: theirs.cpu })
      }
      const medianOf = (figure: (sample: (typeof samples)[number]) => number) => median(samples.map(figure))
      rows.push({
        what: benchCase.name,
        "lectern /s": medianOf(({ ours }) => ours).toFixed(0),
        "bare /s": medianOf(({ theirs }) => theirs).toFixed(0),
        ratio: medianOf(({ ours, theirs }) => ours / theirs).toFixed(2),
        "CPU µs": `${medianOf(({ ourCpu }) => ourCpu).toFixed(0)} : ${medianOf(({ theirCpu }) => theirCpu).toFixed(0)}`
      })
    }
    return rows
  } finally {
    lectern.process.kill()
    bareTarget?.process.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

const runs = 200
const warmUpRuns = 50
const shapes = [
  { sections: 2, siteSpaces: 5 },
  { sections: 20, siteSpaces: 200 }
] as const

const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

const timed = Effect.fnUntraced(function* <E, R>(effect: (run: number) => Effect.Effect<unknown, E, R>) {
  const times: Array<number> = []
  for (let run = 0; run < warmUpRuns + runs; run++) {
    const startedAt = performance.now()
    yield* effect(run)
    times.push(performance.now() - startedAt)
  }
  return times.slice(warmUpRuns)
})

const changes = Effect.gen(function* () {
  const { id: organization } = yield* (yield* Organizations).create({ title: "Bench" })
  const spaces = yield* Spaces
  const sites = yield* Sites
  const sections = yield* SiteSections
  const siteSpaces = yield* SiteSpaces
  const sorting = yield* SiteSorting
  const times: Record<string, Array<ReadonlyArray<number>>> = {}
  const record = (name: string, figures: ReadonlyArray<number>) => (times[name] ??= []).push(figures)

  for (const shape of shapes) {
    const spaceIds: Array<SpaceId> = []
    for (let i = 0; i <= shape.siteSpaces; i++) {
      spaceIds.push((yield* spaces.create(organization, { title: `Guide ${i}` })).id)
    }
    const site = (yield* sites.create(organization, { title: `Site of ${shape.siteSpaces}` })).id
    for (let i = 0; i < shape.sections; i++) yield* sections.create(organization, site, { spaceId: spaceIds[i]! })
    const { items } = yield* sections.list(organization, site, {})
    for (let i = shape.sections; i < shape.siteSpaces; i++) {
      const sectionId = items[i % shape.sections]!.id
      yield* siteSpaces.add(organization, site, { spaceId: spaceIds[i]!, sectionId })
    }
    yield* sites.publish(organization, site)
    const [first] = (yield* sections.list(organization, site, {})).items
    const chosen = first!.siteSpaces[1]!.id

    record(
      "PATCH the path of a site space",
      yield* timed((run) => siteSpaces.update(organization, site, chosen, { path: `path-${run}` }))
    )
    record(
      "PATCH …/structure/sort of a section",
      yield* timed((run) =>
        sorting.sort(organization, site, {
          item: { type: "site-section", id: first!.id },
          position: { [run % 2 === 0 ? "after" : "before"]: { type: "site-section", id: items[1]!.id } }
        })
      )
    )
    // A site has at most 500 sections, so each added section is removed immediately.
    const removals: Array<number> = []
    const additions: Array<number> = []
    for (let run = 0; run < warmUpRuns + runs; run++) {
      const startedAt = performance.now()
      const { id } = yield* sections.create(organization, site, { spaceId: spaceIds.at(-1)!, title: "One more" })
      const between = performance.now()
      yield* sections.remove(organization, site, id)
      additions.push(between - startedAt)
      removals.push(performance.now() - between)
    }
    record("POST a section", additions.slice(warmUpRuns))
    record("DELETE it", removals.slice(warmUpRuns))
  }
  return Object.entries(times).map(([name, [smallTimes, largeTimes]]) => {
    const pair = (share: number) =>
      `${percentile(smallTimes!, share).toFixed(2)} : ${percentile(largeTimes!, share).toFixed(2)}`
    return { what: name, "p50 ms, 5 : 200": pair(0.5), "p95 ms, 5 : 200": pair(0.95) }
  })
})

const structure = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  try {
    return await Effect.runPromise(
      changes.pipe(
        Effect.provideService(CurrentActor, host),
        Effect.provide(
          Lectern.layer({ hasher: NodeHasher.layer }).pipe(
            Layer.provideMerge(SqliteStorage.layer({ filename: join(folder, "lectern.db") }))
          )
        )
      )
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const run = async () => [...(await structure()), ...(await requests())]
