/**
 * Integrations on the real server with a real `workerd`: renders beside the same program with the same script,
 * asked directly through its socket, how soon the first event of a cold one is answered, and deliveries of content
 * updates while a space is read, beside the same reads ahead of them and after them. Each ratio is of one run.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { files, sockets } from "@lectern/integrations-workerd/WorkerdConfig"
import { binary } from "@lectern/integrations-workerd/WorkerdProcess"
import autocannon from "autocannon"
import { cpuTime, freePort, median, ready } from "./Http.ts"

const seconds = 3
const rounds = 3
const warmUp = 2
/** Until V8 has compiled what a render runs, which takes some 10,000 of them. */
const untilCompiled = 6
const connections = 16
const coldRuns = 7
const receivers = 3
const updates = 1_000
/** Of reads ahead of the updates of a round, and after them: how fast a machine is changes within a minute. */
const undisturbedSeconds = 5
/** Content updates in a second: three receivers of each make more than 200 deliveries. */
const pace = 70

/** A component of the size that integrations draw: a block with a title, a text and a button. */
const script = `
export default {
  fetch: async (request) => {
    const form = await request.formData()
    const event = JSON.parse(form.get("event"))
    const environment = JSON.parse(form.get("environment"))
    if (event.type !== "ui_render") return new Response(null, { status: 200 })
    return Response.json({ type: "element", state: {}, props: {}, element: { type: "block", children: [
      { type: "card", title: environment.integration.title, children: [{ type: "text", children: [event.props.text] }] },
      { type: "button", label: "Again", onPress: { action: "again" } }
    ] } })
  }
}`

type Call = (method: string, path: string, body?: unknown) => Promise<any>

const caller =
  (url: string, token: string): Call =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === "" ? undefined : JSON.parse(text)
  }

/** Processes of `workerd` that a server has. */
const workersOf = (server: ChildProcess): ReadonlyArray<number> => {
  try {
    return execFileSync("pgrep", ["-P", String(server.pid)], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map(Number)
  } catch {
    return []
  }
}

/**
 * The same program with the same script, in a process of its own whose logs nobody reads: that of a server
 * answers nobody else, since what it writes beyond its events ends it.
 */
const startWorker = async (folder: string) => {
  await mkdir(folder)
  for (const [name, text] of Object.entries(files(script, "v2", folder, 96))) await writeFile(join(folder, name), text)
  const worker = spawn(binary()!, ["serve", "config.capnp", "--experimental"], { cwd: folder, stdio: "ignore" })
  const socket = join(folder, sockets.events)
  while (!existsSync(socket)) await new Promise((done) => setTimeout(done, 20))
  return { worker, socket }
}

const publish = (call: Call, organization: string, name: string, scopes: ReadonlyArray<string> = []) =>
  call("POST", `/v1/integrations/${name}`, {
    organization,
    title: "Bench",
    description: "Draws a card",
    runtime: "v2",
    scopes,
    script
  })

const install = (call: Call, organization: string, name: string) =>
  call("POST", `/v1/integrations/${name}/installations`, { organization })

const requestOf = (space: string) => ({
  componentId: "card",
  props: { text: "What a block says of itself" },
  context: { type: "document", spaceId: space }
})

/** Body that the worker is sent for a render, whose environment is as long as the server makes it. */
const directBody = async (space: string) => {
  const form = new FormData()
  form.append("event", JSON.stringify({ eventId: "e", type: "ui_render", installationId: "i", ...requestOf(space) }))
  form.append("environment", JSON.stringify({ integration: { title: "Bench" }, filler: "x".repeat(2_500) }))
  const response = new Response(form)
  return { type: response.headers.get("content-type")!, body: await response.text() }
}

interface Sample {
  readonly perSecond: number
  readonly p50: number
}

const sampled = async (name: string, options: autocannon.Options): Promise<Sample> => {
  const result = await autocannon(options)
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} failed, ${result.errors} errors, ${result.requests.total} answered`)
  }
  return { perSecond: result.requests.total / result.duration, p50: result.latency.p50 }
}

/** The median of several requests one after another, in milliseconds with their fractions. */
const p50 = async (ask: () => Promise<unknown>, times: number): Promise<number> => {
  const taken: Array<number> = []
  for (let i = 0; i < times; i++) {
    const begun = performance.now()
    await ask()
    taken.push(performance.now() - begun)
  }
  return median(taken)
}

const renders = async (
  server: ChildProcess,
  url: string,
  token: string,
  call: Call,
  space: string,
  { worker, socket }: Awaited<ReturnType<typeof startWorker>>
) => {
  const path = "/v1/integrations/bench/render"
  const direct = await directBody(space)
  const ours = (duration: number): Promise<Sample> =>
    sampled("renders", {
      url: url + path,
      method: "POST",
      connections,
      duration,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(requestOf(space))
    })
  const theirs = (duration: number): Promise<Sample> =>
    sampled("the worker", {
      url: "http://integration/v1",
      socketPath: socket,
      method: "POST",
      connections,
      duration,
      headers: { "content-type": direct.type, "x-lectern-run": "none" },
      body: direct.body
    })
  const workers = [...workersOf(server), worker.pid!]
  const spent = () => ({
    server: cpuTime(server.pid!),
    worker: workers.reduce((sum, pid) => sum + cpuTime(pid), 0)
  })
  const counted = async (load: Promise<Sample>) => {
    const before = spent()
    const sample = await load
    const requests = sample.perSecond * seconds
    const after = spent()
    return {
      ...sample,
      server: (after.server - before.server) / requests,
      worker: (after.worker - before.worker) / requests
    }
  }
  await ours(untilCompiled)
  await theirs(warmUp)
  const samples: Array<readonly [Awaited<ReturnType<typeof counted>>, Awaited<ReturnType<typeof counted>>]> = []
  for (let round = 0; round < rounds; round++)
    samples.push([await counted(theirs(seconds)), await counted(ours(seconds))])
  const of = (figure: (pair: (typeof samples)[number]) => number) => median(samples.map(figure))
  return [
    {
      what: "A render of a kept worker, 1 connection",
      figure: `p50 ${(await p50(() => call("POST", path, requestOf(space)), 300)).toFixed(2)} ms`
    },
    {
      what: `Renders, ${connections} connections, beside the worker asked directly`,
      figure: `${of(([, ours]) => ours.perSecond).toFixed(0)} : ${of(([theirs]) => theirs.perSecond).toFixed(0)} a second`,
      ratio: of(([theirs, ours]) => ours.perSecond / theirs.perSecond).toFixed(2),
      "CPU µs": `server ${of(([, ours]) => ours.server).toFixed(0)}, worker ${of(([, ours]) => ours.worker).toFixed(0)} : ${of(([theirs]) => theirs.worker).toFixed(0)}`
    }
  ]
}

const cold = async (call: Call, organization: string, space: string) => {
  const taken: Array<number> = []
  for (let run = 0; run < coldRuns; run++) {
    await publish(call, organization, `cold-${run}`)
    await install(call, organization, `cold-${run}`)
    const begun = performance.now()
    await call("POST", `/v1/integrations/cold-${run}/render`, requestOf(space))
    taken.push(performance.now() - begun)
    await call("DELETE", `/v1/integrations/cold-${run}`)
  }
  return { what: "First event of a cold integration", figure: `${median(taken).toFixed(0)} ms` }
}

/** In a thread of their own: who makes the updates takes 0.8 ms for each, and would not read meanwhile. */
const reads = async (url: string, token: string, space: string, duration: number) =>
  (
    await sampled("reads", {
      url: `${url}/v1/spaces/${space}`,
      connections: 4,
      workers: 1,
      duration,
      headers: { authorization: `Bearer ${token}` }
    })
  ).perSecond

/** One round: reads, then reads while all updates are made and delivered, then reads again. */
const deliveriesOnce = async (
  server: ChildProcess,
  url: string,
  token: string,
  call: Call,
  organization: string,
  names: ReadonlyArray<string>,
  before: number
) => {
  // Each in a space of its own, so that an update is one request and waits for no other.
  const prepared: Array<{ readonly space: string; readonly changeRequest: string }> = []
  for (let i = 0; i < updates; i++) {
    const { id: space } = await call("POST", `/v1/orgs/${organization}/spaces`, { title: `Bench ${i}` })
    const { id } = await call("POST", `/v1/spaces/${space}/change-requests`, {})
    await call("POST", `/v1/spaces/${space}/change-requests/${id}/content`, {
      changes: [{ operation: "insert_page", title: `Page ${i}`, document: { markdown: "A page." } }]
    })
    prepared.push({ space, changeRequest: id })
  }
  const [{ space }] = prepared as [(typeof prepared)[number]]
  const delivered = async (name: string) => {
    let count = 0
    for (let page: string | undefined; ;) {
      const list = await call(
        "GET",
        `/v1/integrations/${name}/events?limit=1000${page === undefined ? "" : `&page=${page}`}`
      )
      count += list.items.filter(
        ({ payload, status }: any) => payload.type === "space_content_updated" && status === "success"
      ).length
      page = list.next?.page
      if (page === undefined) return count
    }
  }
  await reads(url, token, space, warmUp)
  const ahead = await reads(url, token, space, undisturbedSeconds)
  const lasts = updates / pace
  const begun = performance.now()
  const spentBefore = cpuTime(server.pid!)
  // They end with the updates: what is waited for here counts among the time of the deliveries.
  const loading = reads(url, token, space, Math.floor(lasts))
  const merging: Array<Promise<unknown>> = []
  for (const [i, { space, changeRequest }] of prepared.entries()) {
    const wait = begun + (i * 1000) / pace - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
    merging.push(call("POST", `/v1/spaces/${space}/change-requests/${changeRequest}/merge`))
  }
  await Promise.all(merging)
  const merged = (performance.now() - begun) / 1000
  const disturbed = await loading
  let count = 0
  for (;;) {
    count = -before
    for (const name of names) count += await delivered(name)
    if (count >= updates * receivers || performance.now() - begun > 120_000) break
  }
  const ended = (performance.now() - begun) / 1000
  const spent = cpuTime(server.pid!) - spentBefore
  const undisturbed = (ahead + (await reads(url, token, space, undisturbedSeconds))) / 2
  return { count, merged, ended, spent: spent / updates, disturbed, undisturbed }
}

const deliveries = async (server: ChildProcess, url: string, token: string, call: Call, organization: string) => {
  const names = Array.from({ length: receivers }, (_, i) => `receiver-${i}`)
  for (const name of names) {
    await publish(call, organization, name, ["space:content:read"])
    await install(call, organization, name)
  }
  const seen: Array<Awaited<ReturnType<typeof deliveriesOnce>>> = []
  for (let round = 0; round < rounds; round++)
    seen.push(await deliveriesOnce(server, url, token, call, organization, names, round * updates * receivers))
  const of = (figure: (round: (typeof seen)[number]) => number) => median(seen.map(figure))
  const count = seen.reduce((sum, round) => sum + round.count, 0)
  return [
    {
      what: `${rounds} times ${updates.toLocaleString("en")} content updates, ${receivers} receivers`,
      figure: `${count} of ${rounds * updates * receivers} delivered, ${of(({ count, ended }) => count / ended).toFixed(0)} a second; merged in ${of(({ merged }) => merged).toFixed(1)} s, all delivered after ${of(({ ended }) => ended).toFixed(1)} s`,
      "CPU µs": `server ${of(({ spent }) => spent).toFixed(0)} for each update, reads included`
    },
    {
      what: "GET /v1/spaces/{id}, 4 connections, meanwhile",
      figure: `${of(({ disturbed }) => disturbed).toFixed(0)} : ${of(({ undisturbed }) => undisturbed).toFixed(0)} a second`,
      ratio: `${of(({ disturbed, undisturbed }) => disturbed / undisturbed).toFixed(2)} (${seen.map(({ disturbed, undisturbed }) => (disturbed / undisturbed).toFixed(2)).join(", ")})`
    }
  ]
}

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  const token = randomBytes(32).toString("base64url")
  const port = await freePort()
  const server = spawn(
    process.execPath,
    [...(process.env["LECTERN_BENCH_NODE"]?.split(" ") ?? []), "apps/server/src/main.ts", "serve"],
    {
      env: {
        ...process.env,
        LECTERN_DATA: join(folder, "data"),
        LECTERN_PORT: String(port),
        LECTERN_INTEGRATIONS_PORT: "0",
        LECTERN_BOOTSTRAP_TOKEN: token,
        LECTERN_LOG_LEVEL: "Error"
      },
      stdio: "ignore"
    }
  )
  const url = `http://127.0.0.1:${port}`
  const alone = await startWorker(join(folder, "worker"))
  try {
    await ready(`${url}/readyz`)
    const call = caller(url, token)
    const [organization] = (await call("GET", "/v1/orgs")).items
    const [space] = (await call("GET", `/v1/orgs/${organization.id}/spaces`)).items
    await publish(call, organization.id, "bench")
    await install(call, organization.id, "bench")
    const idle = workersOf(server).length
    // The first render starts the process; deliveries of its set-up may have done so already.
    await call("POST", "/v1/integrations/bench/render", requestOf(space.id))
    const rows = [
      { what: "Processes before the first event", figure: String(idle) },
      ...(await renders(server, url, token, call, space.id, alone)),
      await cold(call, organization.id, space.id),
      ...(await deliveries(server, url, token, call, organization.id))
    ]
    return rows
  } finally {
    alone.worker.kill()
    if (server.exitCode === null) {
      server.kill()
      await once(server, "exit")
    }
    await rm(folder, { recursive: true, force: true })
  }
}
