/** Simulated websites of a test: the response of each URL, and a log of requests. */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { type HeadResponse, checking, FetchFailed, GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { Clock, Context, Duration, Effect, Layer } from "effect"

type Reaction = number | HeadResponse | FetchFailed["reason"]

export interface Request {
  readonly method: "HEAD" | "GET"
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export class Web extends Context.Service<
  Web,
  {
    /** Responses by URL or host. Default: status 200. `GET <url>` sets another response for GET than for HEAD. */
    readonly reactions: Map<string, Reaction>
    readonly requests: Array<Request>
    /** Maximum number of concurrent requests: in total, and to one host. */
    readonly most: { all: number; ofHost: number }
  }
>()("@lectern/core/test/link-check/Web") {
  static readonly layer = Layer.sync(Web, () =>
    Web.of({ reactions: new Map(), requests: [], most: { all: 0, ofHost: 0 } })
  )
}

/** Response time. */
export const latency = Duration.millis(100)

export const fetching = Layer.effect(
  GuardedFetch,
  Effect.map(Web, ({ reactions, requests, most }) => {
    const open = new Map<string, number>()
    const count = (host: string, change: number) => {
      open.set(host, (open.get(host) ?? 0) + change)
      const counts = [...open.values()]
      most.all = Math.max(
        most.all,
        counts.reduce((sum, n) => sum + n, 0)
      )
      most.ofHost = Math.max(most.ofHost, ...counts)
    }
    return GuardedFetch.of({
      check: checking(new AllowedHosts()),
      fetch: () => Effect.die("Links are asked for, not fetched"),
      stream: () => Effect.die("Links are asked for, not fetched"),
      post: () => Effect.die("Nothing is sent to links"),
      requestHead: Effect.fnUntraced(function* (url, { method, userAgent }) {
        if (userAgent !== "Lectern (link check)") return yield* Effect.die("Nobody knows who asks")
        const { hostname } = new URL(url)
        requests.push({ method, url, at: yield* Clock.currentTimeMillis })
        count(hostname, 1)
        yield* Effect.sleep(latency)
        count(hostname, -1)
        const reaction = reactions.get(`${method} ${url}`) ?? reactions.get(url) ?? reactions.get(hostname) ?? 200
        if (typeof reaction === "number") return { status: reaction }
        return typeof reaction === "string"
          ? yield* new FetchFailed({ reason: reaction, message: "Nothing came of it" })
          : reaction
      })
    })
  })
)
