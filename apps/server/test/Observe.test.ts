/** Signs of a running server that an operator sees: metrics, its access log, and what it sends to a collector. */
import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import parsePrometheus from "parse-prometheus-text-format"
import { begunServer, cleanUp, lectern, temporaryFolder } from "./LecternProcess.ts"

const root = join(import.meta.dirname, "../../..")

/** A collector that keeps what it is sent, by path. */
const collector = async () => {
  const received = new Map<string, Array<string>>()
  const asked = new Set<string | undefined>()
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk))
    request.on("end", () => {
      asked.add(request.headers.authorization)
      received.set(request.url!, [...(received.get(request.url!) ?? []), body])
      response.end("{}")
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return { url: `http://me:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}`, received, asked, server }
}

describe("Observation", () => {
  afterAll(cleanUp)

  it("tells of requests by their routes, and names no token, query or path", async () => {
    const file = join(temporaryFolder(), "access.log")
    const { url, received, asked, server: otlp } = await collector()
    const server = await begunServer({
      env: {
        LECTERN_METRICS_PORT: "0",
        LECTERN_ACCESS_LOG: file,
        LECTERN_ACCESS_LOG_ADDRESSES: "off",
        LECTERN_OTLP_URL: url
      }
    })
    const { space, user, metrics } = server.ready
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
    const answer = await fetch(`${server.url}/v1/spaces/${space.id}?secret=in-query`, {
      headers: { authorization: `Bearer ${server.token}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    })
    const bytes = (await answer.arrayBuffer()).byteLength
    await server.call("GET", "/v1/user", undefined, "wrong-token")
    await server.call("GET", "/secret-path")

    const endpoint = await fetch(`${server.ready.integrationsUrl}/v1/integrations/none/integration`)
    assert.strictEqual(endpoint.status, 404)
    const source = { url: `${server.url}/openapi.json` }
    const spec = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/openapi`, { slug: "s", source })
    assert.strictEqual(spec.status, 400)

    const text = await (await fetch(metrics)).text()
    const families = parsePrometheus(text)
    const family = (name: string) => families.find((one) => one.name === name)!
    assert.strictEqual(family("lectern_up").metrics[0]?.value, "1")
    assert.isAbove(Number(family("lectern_database_bytes").metrics[0]?.value), 10_000)
    assert.isAbove(Number(family("process_resident_memory_bytes").metrics[0]?.value), 10_000_000)
    assert.strictEqual(family("lectern_http_request_duration_seconds").type, "HISTOGRAM")
    for (const [route, status] of [
      ["/v1/spaces/:spaceId", "200"],
      ["/v1/user", "401"],
      ["", "404"],
      ["/v1/integrations/:integrationName", "404"]
    ]) {
      const labels = `{method="GET",route="${route}",status="${status}"}`
      assert.include(text, `lectern_http_request_duration_seconds_count${labels} 1\n`)
    }
    assert.include(text, 'lectern_fetches_total{kind="fetch",outcome="refused"} 1\n')
    assert.strictEqual((await fetch(new URL("/v1/user", metrics))).status, 404)

    const openMetrics = await fetch(metrics, {
      headers: { accept: "application/openmetrics-text;version=1.0.0,*/*;q=0.1" }
    })
    assert.match(openMetrics.headers.get("content-type") ?? "", /^application\/openmetrics-text; version=1\.0\.0/)
    const open = await openMetrics.text()
    assert.isTrue(open.endsWith("\n# EOF\n"))
    assert.include(open, "# TYPE lectern_fetches counter\n")
    assert.include(open, 'lectern_fetches_total{kind="fetch",outcome="refused"} 1\n')
    assert.include(open, 'status="401",le="1.0"} 1\n')
    assert.notMatch(open, /le="\d+"/)
    // A sample belongs to the family above it, and each family has a type.
    let current = ""
    for (const line of open.trim().split("\n").slice(0, -1)) {
      const [, kind, name = ""] = /^# (HELP|TYPE) (\S+) /.exec(line) ?? []
      if (kind !== undefined) current = name
      else assert.match(line, new RegExp(`^${current}(_total|_bucket|_sum|_count)?(\\{.*\\})? \\S+$`))
    }
    const names = (all: string) => parsePrometheus(all).map((one) => one.name.replace(/_total$/, ""))
    assert.includeMembers(names(open), names(text))
    // Nothing is kept where traces are sent, no program ran, and their own tests see that there are those of settings.
    const there = new Set([
      ...names(text),
      "lectern_kept_answers",
      "lectern_integration_run_duration_seconds",
      "lectern_backup_begun_time_seconds",
      "lectern_backup_interval_seconds",
      "lectern_backup_lost_blobs",
      "lectern_certificate_end_time_seconds"
    ])
    const namedIn = (file: string) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/\b(?:lectern|process|nodejs)_\w+/g)].map(([name]) =>
        name.replace(/_(?:bucket|count|total)$/, "")
      )
    const drawn = new Set(namedIn("deploy/grafana-dashboard.json"))
    assert.deepStrictEqual([...drawn].sort(), [...there].sort())
    const alerted = namedIn("deploy/prometheus-alerts.yml")
    assert.includeMembers([...there], alerted)
    const manual = readFileSync(join(root, "docs/self-hosting/alerts.md"), "utf8")
    const explained = [...manual.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    const alerts = readFileSync(join(root, "deploy/prometheus-alerts.yml"), "utf8")
    assert.deepStrictEqual(
      explained,
      [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    )

    await server.signal("SIGTERM")
    const log = readFileSync(file, "utf8")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const lines = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepInclude(lines[0], { method: "GET", route: "/v1/spaces/:spaceId", status: 200, bytes, actor: user.id })
    assert.strictEqual(lines[0].request, answer.headers.get("x-request-id"))
    assert.isAbove(lines[0].ms, 0)
    for (const line of lines) assert.notProperty(line, "address")
    assert.deepStrictEqual(
      lines.map(({ status }) => status),
      [200, 401, 404, 404, 400]
    )

    const sent = ["/v1/traces", "/v1/metrics", "/v1/logs"].map((path) => (received.get(path) ?? []).join("\n"))
    for (const body of sent) assert.notStrictEqual(body, "")
    const spans = received
      .get("/v1/traces")!
      .flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as ReadonlyArray<any>)
    const span = spans.find((one) => one.traceId === traceId && one.parentSpanId === "00f067aa0ba902b7")
    assert.deepInclude(span.attributes, { key: "http.route", value: { stringValue: "/v1/spaces/:spaceId" } })
    assert.deepStrictEqual(asked, new Set([`Basic ${Buffer.from("me:p@ss").toString("base64")}`]))
    assert.include(sent[1], "lectern_http_request_duration_seconds")
    for (const secret of [server.token, "wrong-token", "in-query", "secret-path", "p%40ss"]) {
      for (const said of [text, log, ...sent]) assert.notInclude(said, secret)
    }
    otlp.close()
    otlp.closeAllConnections()

    const { stdout } = await lectern(["settings"], { LECTERN_OTLP_URL: url })
    assert.include(stdout, url.replace("me:p%40ss", "…"))

    const refused = await lectern(["serve", "--port", "0"], { LECTERN_ACCESS_LOG: join(file, "below") })
    assert.match(
      refused.stderr,
      /The access log .* can't be written: a file has its name, or the name of a parent folder/
    )
  })
})
