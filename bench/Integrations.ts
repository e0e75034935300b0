/**
 * Measures integrations on the real server with a real `workerd`:
 *
 * - renders of a component through Lectern, compared to requests to the script's `workerd` process through its socket
 * - the first event of an integration without a process
 * - deliveries of content updates while a space is read
 * - reads with and without updates, in turns
 *
 * Each ratio is of one run.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { files, sockets } from "@lectern/integrations-workerd/WorkerdConfig"
import { binary } from "@lectern/integrations-workerd/WorkerdBinary"
import autocannon from "autocannon"
import { cpuTime, freePort, median, ready } from "./Http.ts"
import * as SteadyReads from "./SteadyReads.ts"

const seconds = 3
const rounds = 3
const warmUp = 2
/** Duration of the warm-up (s), after which V8 has compiled the code of a render: some 40,000 renders. */
const untilCompiled = 20
const connections = 16
const coldRuns = 7
const receivers = 3
const updates = 1_000
/** Content updates per second. Three receivers of each result in more than 200 deliveries per second. */
const pace = 70
/**
 * Number of comparisons of reads with and without updates, in turns, since the speed of a machine varies from second to
 * second.
 */
const slices = 40
/** Duration of the measured reads of a slice, and time until deliveries of updates have started or ended (ms). */
const [ofSlice, untilDelivered] = [1_500, 600]
const updatesOfSlice = Math.ceil(((ofSlice + untilDelivered) * pace) / 1000)

/** A component of typical size: a block with a title, a text and a button. */
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

/** Returns the process ids of a server's `workerd` processes. */
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
 * Starts a `workerd` process with the measured script, outside of the server. A process of the server is no baseline: the
 * server stops it if it writes output outside of an event.
 */
const startWorker = async (folder: string) => {
  await mkdir(folder)
  for (const [name, text] of Object.entries(files(script, "v2", folder, 96))) await writeFile(join(folder, name), text)
  const worker = spawn(binary()!, ["serve", "config.capnp", "--experimental"], { cwd: folder, stdio: "ignore" })
  const socket = join(folder, sockets.events)
  while (!existsSync(socket)) await setTimeout(20)
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

/** Returns the body of a render request to the worker, with an environment as long as the server's. */
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

/** Returns the median duration of sequential requests, in fractional milliseconds. */
const p50 = async (operation: () => Promise<unknown>, times: number): Promise<number> => {
  const durations: Array<number> = []
  for (let i = 0; i < times; i++) {
    const startedAt = performance.now()
    await operation()
    durations.push(performance.now() - startedAt)
  }
  return median(durations)
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
  const countedLoad = async (load: Promise<Sample>) => {
    const spentBefore = spent()
    const sample = await load
    const requests = sample.perSecond * seconds
    const after = spent()
    return {
      ...sample,
      server: (after.server - spentBefore.server) / requests,
      worker: (after.worker - spentBefore.worker) / requests
    }
  }
  await ours(untilCompiled)
  await theirs(untilCompiled)
  const samples: Array<readonly [Awaited<ReturnType<typeof countedLoad>>, Awaited<ReturnType<typeof countedLoad>>]> = []
  for (let round = 0; round < rounds; round++)
    samples.push([await countedLoad(theirs(seconds)), await countedLoad(ours(seconds))])
  const medianOf = (figure: (pair: (typeof samples)[number]) => number) => median(samples.map(figure))
  return [
    {
      what: "A render of a kept worker, 1 connection",
      figure: `p50 ${(await p50(() => call("POST", path, requestOf(space)), 300)).toFixed(2)} ms`
    },
    {
      what: `Renders, ${connections} connections, beside the worker asked directly`,
      figure: `${medianOf(([, ours]) => ours.perSecond).toFixed(0)} : ${medianOf(([theirs]) => theirs.perSecond).toFixed(0)} a second`,
      ratio: medianOf(([theirs, ours]) => ours.perSecond / theirs.perSecond).toFixed(2),
      "CPU µs": `server ${medianOf(([, ours]) => ours.server).toFixed(0)}, worker ${medianOf(([, ours]) => ours.worker).toFixed(0)} : ${medianOf(([theirs]) => theirs.worker).toFixed(0)}`
    }
  ]
}

const cold = async (call: Call, organization: string, space: string) => {
  const durations: Array<number> = []
  for (let run = 0; run < coldRuns; run++) {
    await publish(call, organization, `cold-${run}`)
    await install(call, organization, `cold-${run}`)
    const startedAt = performance.now()
    await call("POST", `/v1/integrations/cold-${run}/render`, requestOf(space))
    durations.push(performance.now() - startedAt)
    await call("DELETE", `/v1/integrations/cold-${run}`)
  }
  return { what: "First event of a cold integration", figure: `${median(durations).toFixed(0)} ms` }
}

interface Update {
  readonly space: string
  readonly changeRequest: string
}

/** Creates change requests that are ready to merge, each in its own space, so that none waits for another. */
const prepare = async (call: Call, organization: string, count: number): Promise<ReadonlyArray<Update>> => {
  const prepared: Array<Update> = []
  for (let i = 0; i < count; i++) {
    const { id: space } = await call("POST", `/v1/orgs/${organization}/spaces`, { title: `Bench ${i}` })
    const { id } = await call("POST", `/v1/spaces/${space}/change-requests`, {})
    await call("POST", `/v1/spaces/${space}/change-requests/${id}/content`, {
      changes: [{ operation: "insert_page", title: `Page ${i}`, document: { markdown: "A page." } }]
    })
    prepared.push({ space, changeRequest: id })
  }
  return prepared
}

/** Merges the updates at the given rate, and waits for all of them. */
const update = async (call: Call, prepared: ReadonlyArray<Update>) => {
  const startedAt = performance.now()
  const merging: Array<Promise<unknown>> = []
  for (const [i, { space, changeRequest }] of prepared.entries()) {
    const wait = startedAt + (i * 1000) / pace - performance.now()
    if (wait > 0) await setTimeout(wait)
    merging.push(call("POST", `/v1/spaces/${space}/change-requests/${changeRequest}/merge`))
  }
  await Promise.all(merging)
}

const delivered = async (call: Call, name: string) => {
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

const deliveries = async (server: ChildProcess, url: string, token: string, call: Call, organization: string) => {
  const names = Array.from({ length: receivers }, (_, i) => `receiver-${i}`)
  for (const name of names) {
    await publish(call, organization, name, ["space:content:read"])
    await install(call, organization, name)
  }
  const prepared = await prepare(call, organization, updates + slices * updatesOfSlice)
  const reads = await SteadyReads.start({
    url: `${url}/v1/spaces/${prepared[0]!.space}`,
    connections,
    headers: { authorization: `Bearer ${token}` }
  })
  await reads.during(warmUp * 1000)
  const startedAt = performance.now()
  const cpuBefore = cpuTime(server.pid!)
  await update(call, prepared.slice(0, updates))
  const mergeDuration = performance.now() - startedAt
  let count = 0
  for (;;) {
    count = 0
    for (const name of names) count += await delivered(call, name)
    if (count >= updates * receivers || performance.now() - startedAt > 120_000) break
  }
  const totalDuration = performance.now() - startedAt
  const spent = cpuTime(server.pid!) - cpuBefore
  const samples: Array<{ readonly disturbed: number; readonly undisturbed: number }> = []
  for (let slice = 0; slice < slices; slice++) {
    await setTimeout(untilDelivered)
    const undisturbed = await reads.during(ofSlice)
    const updating = update(call, prepared.slice(updates + slice * updatesOfSlice).slice(0, updatesOfSlice))
    await setTimeout(untilDelivered)
    samples.push({ undisturbed, disturbed: await reads.during(ofSlice) })
    await updating
  }
  await reads.stop()
  const medianOf = (figure: (sample: (typeof samples)[number]) => number) => median(samples.map(figure))
  const ratios = samples.map(({ disturbed, undisturbed }) => disturbed / undisturbed).toSorted((a, b) => a - b)
  return [
    {
      what: `${updates.toLocaleString("en")} content updates, ${receivers} receivers`,
      figure: `${count} of ${updates * receivers} delivered, ${(count / (totalDuration / 1000)).toFixed(0)} a second; merged in ${(mergeDuration / 1000).toFixed(1)} s, all delivered after ${(totalDuration / 1000).toFixed(1)} s`,
      "CPU µs": `server ${(spent / updates).toFixed(0)} for each update, reads included`
    },
    {
      what: `GET /v1/spaces/{id}, ${connections} connections, in ${slices} slices with updates and without`,
      figure: `${medianOf(({ disturbed }) => disturbed).toFixed(0)} : ${medianOf(({ undisturbed }) => undisturbed).toFixed(0)} a second`,
      ratio: `${median(ratios).toFixed(2)} (${ratios.at(Math.floor(slices / 4))!.toFixed(2)} to ${ratios.at(Math.floor((slices * 3) / 4))!.toFixed(2)})`
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
  const separateWorker = await startWorker(join(folder, "worker"))
  try {
    await ready(`${url}/readyz`)
    const call = caller(url, token)
    const [organization] = (await call("GET", "/v1/orgs")).items
    const [space] = (await call("GET", `/v1/orgs/${organization.id}/spaces`)).items
    await publish(call, organization.id, "bench")
    await install(call, organization.id, "bench")
    const idle = workersOf(server).length
    // The first render starts the process, unless a delivery of an installation event already has.
    await call("POST", "/v1/integrations/bench/render", requestOf(space.id))
    const rows = [
      { what: "Processes before the first event", figure: String(idle) },
      ...(await renders(server, url, token, call, space.id, separateWorker)),
      await cold(call, organization.id, space.id),
      ...(await deliveries(server, url, token, call, organization.id))
    ]
    return rows
  } finally {
    separateWorker.worker.kill()
    if (server.exitCode === null) {
      server.kill()
      await once(server, "exit")
    }
    await rm(folder, { recursive: true, force: true })
  }
}
