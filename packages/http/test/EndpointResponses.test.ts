/** Responses of programs at their public endpoints. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { policyOf } from "../src/server/EndpointPolicy.ts"
import { onMemory } from "./Harness.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { outside } from "./Outside.ts"
import { ErrorBody } from "./Shapes.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

/** Returns the response of a program with this body. */
const answer = Effect.fnUntraced(function* (body: string, more: Record<string, unknown> = {}) {
  const { path } = yield* installed({ script: program(body), ...more })
  return yield* outside(`http://127.0.0.1:4001${path}/page`)
})

onMemory(
  "Responses of endpoints",
  (it) => {
    it.effect("combine their own policy with that of the manifest", () =>
      Effect.gen(function* () {
        const name = "content-security-policy"
        const { headers } = yield* answer(`return new Response("", { headers: { "${name}": "default-src 'none'" } })`, {
          contentSecurityPolicy: "img-src *"
        })
        assert.strictEqual(headers.get(name), `${policyOf("img-src *", [])}, default-src 'none'`)
      })
    )

    it.effect("contain no header that affects the whole origin or domain", () =>
      Effect.gen(function* () {
        const said = {
          "clear-site-data": `"*"`,
          "strict-transport-security": "max-age=1",
          "public-key-pins": "max-age=1",
          "expect-ct": "max-age=1",
          nel: "{}",
          "report-to": "{}",
          "reporting-endpoints": `a="https://evil.example/"`,
          "alt-svc": `h3="evil.example:443"`,
          "service-worker-allowed": "/",
          "set-login": "logged-out",
          "origin-agent-cluster": "?0",
          "accept-ch": "Sec-CH-UA-Model",
          "critical-ch": "Sec-CH-UA-Model",
          "use-as-dictionary": `match="/*"`,
          "activate-storage-access": "load",
          "secure-session-registration": `(ES256);path="x"`
        }
        const own = { "permissions-policy": "camera=()", "x-frame-options": "DENY", "www-authenticate": "Basic" }
        const { headers } = yield* answer(
          `return new Response("", { headers: ${JSON.stringify({ ...said, ...own })} })`
        )
        for (const name of Object.keys(said)) assert.isFalse(headers.has(name), name)
        for (const [name, value] of Object.entries(own)) assert.strictEqual(headers.get(name), value)
      })
    )

    it.effect("set cookies only for their own program", () =>
      Effect.gen(function* () {
        const { path } = yield* installed({
          script: program(
            `const all = JSON.parse(decodeURIComponent(JSON.parse(form.get("event")).request.url.split("?")[1]));
             const headers = new Headers(); for (const one of all) headers.append("set-cookie", one);
             return new Response("", { headers })`
          )
        })
        const own = path.split("/").slice(0, 4).join("/")
        const rows: ReadonlyArray<readonly [sent: string, kept: string]> = [
          ["a=1", "a=1"],
          ["b=2; Domain=example.com; HttpOnly", "b=2; HttpOnly"],
          ["c=3; dOmAiN = .example.com ;path=/; Secure", `c=3; Path=${own}; Secure`],
          [`d=4; Path=${path}`, `d=4; Path=${path}`],
          [`e=5; Path=${own}`, `e=5; Path=${own}`],
          [`f=6; Path=${own}-other`, `f=6; Path=${own}`],
          ["g=7; Path=/v1/integrations/another/integration", `g=7; Path=${own}`],
          [`h=8; Path=${own}/x; Path=/v1`, `h=8; Path=${own}`],
          ["i=9; Path=relative", `i=9; Path=${own}`]
        ]
        const sent = encodeURIComponent(JSON.stringify(rows.map(([one]) => one)))
        const { headers } = yield* outside(`http://127.0.0.1:4001${path}?${sent}`)
        assert.deepStrictEqual(
          headers.getSetCookie().map((one) => one.split("; ").sort()),
          rows.map(([, one]) => one.split("; ").sort())
        )
      })
    )

    it.effect("are an error body if the program throws, and unchanged if it returns 500", () =>
      Effect.gen(function* () {
        const thrown = yield* answer(
          `return new Response(null, { status: 500, headers: { "x-lectern-uncaught": "1" } })`
        )
        assert.strictEqual(thrown.status, 500)
        assert.strictEqual(thrown.headers.get("content-type"), "application/json")
        assert.isFalse(thrown.headers.has("x-lectern-uncaught"))
        const { error } = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(thrown.text))
        assert.deepInclude(error, { code: 500, message: "The integration failed: see its logs" })
        const said = yield* answer(`return new Response("mine", { status: 500 })`)
        assert.deepStrictEqual([said.status, said.text], [500, "mine"])
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
