/** Links to other websites, checked by a server that runs: it is started anew for each day that passes. */
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import { Jobs } from "@lectern/core/job/Jobs"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, serve, type Server } from "./LecternProcess.ts"

afterEach(cleanUp)

/** Statuses of the pages outside, by path; 404 for any other. */
const answers = new Map<string, number>()
const asked: Array<string> = []
let outside: HttpServer
let base: string

beforeAll(async () => {
  outside = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers["user-agent"]}`)
    response.writeHead(answers.get(request.url!) ?? 404).end()
  })
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve))
  base = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
})

afterAll(() => {
  outside.closeAllConnections()
  outside.close()
})

const clock = new URL("ShiftedClock.ts", import.meta.url).href

/** A server whose clock is so many hours ahead. */
const serveAt = (data: string, hours: number, token = "", checkLinks = "on") =>
  serve(data, {
    token,
    env: {
      LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      LECTERN_CHECK_LINKS: checkLinks,
      NODE_OPTIONS: `--import=${clock}`,
      SHIFT_HOURS: String(hours)
    }
  })

/**
 * Starts servers, each two minutes after the one before, until as much was asked as there should be, and
 * gives the hours at the last. A job stops where its time is over, as on a slow disk: the rest is for its next
 * run, and what one finds is asked for in the next run of the other.
 */
const workUntil = async (data: string, hours: number, token: string, expected: number): Promise<number> => {
  for (let ahead = hours; ; ahead += 1 / 30) {
    await workAt(data, ahead, token)
    if (asked.length >= expected) return ahead
  }
}

/** Starts a server, waits until both jobs have run, and ends it. */
const workAt = async (data: string, hours: number, token: string) => {
  const lectern = await SqliteLectern.open({ file: join(data, "lectern.db"), background: false })
  try {
    // Of its clock. A job that has run is due a minute later; one that was cut off is due again at once.
    const ranSince = new Date(Date.now() + hours * 3_600_000 + 30_000).toISOString()
    const server = await serveAt(data, hours, token)
    while (!(await nextRuns(lectern)).every((next) => next > ranSince)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await server.signal("SIGTERM")
  } finally {
    await lectern.close()
  }
}

/** When the jobs run next; empty while one of them runs. */
const nextRuns = (lectern: EmbeddedLectern): Promise<ReadonlyArray<string>> =>
  Promise.all(
    ["find-links", "check-links"].map(async (kind) => {
      const [job] = await lectern.run(Jobs.use((jobs) => jobs.list({ status: "waiting", kind })))
      return job?.lease.until ?? ""
    })
  )

const ok = async (server: Server, method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, body)
  assert.isBelow(answer.status, 300, JSON.stringify(answer.body))
  return answer.body
}

const newSpace = async (server: Server, markdown: string): Promise<string> => {
  const { id } = await ok(server, "POST", `/v1/orgs/${server.ready.organization.id}/spaces`, {})
  const request = await ok(server, "POST", `/v1/spaces/${id}/change-requests`, {})
  const path = `/v1/spaces/${id}/change-requests/${request.id}`
  await ok(server, "POST", `${path}/content`, {
    changes: [{ operation: "insert_page", title: "Links", document: { markdown } }]
  })
  await ok(server, "POST", `${path}/merge`)
  return id
}

/** Links of the manual lead to the internet, where no test asks. */
const removeManual = async (server: Server) => {
  const { items } = await ok(server, "GET", `/v1/orgs/${server.ready.organization.id}/spaces`)
  for (const { id } of items) await ok(server, "DELETE", `/v1/spaces/${id}`)
}

const brokenOf = async (server: Server, space: string) => {
  const { items, stats } = await ok(server, "GET", `/v1/spaces/${space}/links?status=broken`)
  assert.strictEqual(stats.broken.total, items.length)
  return items.map(({ ref }: { ref: { url: string } }) => ref.url)
}

describe("A server that checks links", () => {
  it("finds what is gone in half a day, and forgets it when it is told to check nothing", async () => {
    answers.set("/there", 200)
    const first = await begunServer()
    const { token, ready } = first
    const { data } = ready
    await removeManual(first)
    const gone = `${base}/gone#part`
    const space = await newSpace(first, `[gone](${gone}) [there](${base}/there) [private](http://127.0.0.2:4000/x)`)
    assert.isEmpty(await brokenOf(first, space))
    await first.signal("SIGTERM")

    const begun = await workUntil(data, 1, token, 3)
    const agent = "Lectern (link check)"
    const round = [`HEAD /gone ${agent}`, `GET /gone ${agent}`, `HEAD /there ${agent}`]
    assert.sameMembers(asked, round)
    const ended = await workUntil(data, begun + 13, token, 5)
    assert.sameMembers(asked, [...round, ...round.slice(0, 2)])

    const later = await serveAt(data, ended, token)
    assert.deepStrictEqual(await brokenOf(later, space), [gone])
    await later.signal("SIGTERM")
    const off = await serveAt(data, ended, token, "off")
    assert.isEmpty(await brokenOf(off, space))
    await off.signal("SIGTERM")
  })
})
