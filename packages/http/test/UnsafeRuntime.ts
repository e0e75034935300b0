/**
 * Runs integrations in this very process, without any bounds: for tests of what is around them, whose
 * scripts are their own. Never for anybody else's.
 */
import { bytesOf, IntegrationRuntime, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { Effect, Layer, Stream } from "effect"
import type { RunLog } from "@lectern/core/integration/RunLog"

interface Module {
  readonly default: {
    readonly fetch: (request: Request, env: object, context: object) => Promise<Response>
  }
}

const failed = (reason: RunFailed["reason"], message: string) => new RunFailed({ reason, message, logs: [] })

const layer = Layer.succeed(
  IntegrationRuntime,
  IntegrationRuntime.of({
    isAvailable: true,
    stop: () => Effect.void,
    run: Effect.fnUntraced(function* ({ script }, { event, environment, body }) {
      const text = yield* script
      const form = new FormData()
      form.append("event", event)
      form.append("environment", environment)
      if (body !== undefined) form.append("fetch-body", new Blob([body as Uint8Array<ArrayBuffer>]))
      const logs: Array<RunLog> = []
      const log = (message: string) => logs.push({ level: "info", message, timestamp: new Date(0).toISOString() })
      const response = yield* Effect.tryPromise({
        try: async () => {
          const source = `data:text/javascript,${encodeURIComponent(text)}`
          const module = (await import(source)) as Module
          const request = new Request("http://integration/v1", { method: "POST", body: form })
          return await module.default.fetch(request, {}, { waitUntil: () => {}, log })
        },
        catch: (error) => failed(String(error).includes("unreachable") ? "unreachable" : "crashed", String(error))
      })
      const answer = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
      return {
        status: response.status,
        headers: [...response.headers],
        body: Stream.make(answer),
        bytes: (maxBytes) => bytesOf(Stream.make(answer), maxBytes),
        isDone: true,
        trace: Effect.succeed({ logs, exceededLimit: false })
      }
    })
  })
)

export const UnsafeRuntime = { layer }
