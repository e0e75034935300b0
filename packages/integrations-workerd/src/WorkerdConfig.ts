/**
 * Configuration of `workerd`: one worker, which receives events through a Unix socket and sends requests through
 * another. It has no other network access. Its files are in a private folder.
 *
 * The cache API (`caches`) is an empty cache that stores nothing, so that programs that use the API work.
 */
import { entry } from "./WorkerScripts.ts"

/** Compatibility date of the platform for which integrations are built. */
const compatibilityDate = "2025-05-25"

/** Script of the cache service: every read misses, and writes and deletions have no effect. */
const emptyCache = `export default {
  async fetch(request) {
    if (request.method === "PUT") {
      await request.body?.pipeTo(new WritableStream())
      return new Response(null, { status: 204 })
    }
    if (request.method === "PURGE") return new Response(null, { status: 404 })
    return new Response(null, { status: 504, headers: { "cf-cache-status": "MISS" } })
  }
}
`

export interface WorkerdFiles {
  readonly [name: string]: string
}

/** Returns the files of a process, by name in its folder. */
export const files = (script: string, runtime: "v1" | "v2", folder: string, heap: number): WorkerdFiles => ({
  "entry.js": entry(runtime),
  "script.js": script,
  "cache.js": emptyCache,
  "config.capnp": config(runtime, folder, heap)
})

/**
 * Size of a semi-space of V8's young generation (MiB). With V8's default, memory would run out before the first
 * collection.
 */
const semiSpaceMegabytes = 4

export const sockets = { events: "events.sock", outside: "outside.sock" } as const

const config = (runtime: "v1" | "v2", folder: string, heap: number) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "integration", worker = .integration),
    (name = "cache", worker = .cache),
    (name = "internet", external = (address = "unix:${folder}/${sockets.outside}", http = (style = proxy)))
  ],
  sockets = [(name = "events", address = "unix:${folder}/${sockets.events}", http = (), service = "integration")],
  v8Flags = ["--max-old-space-size=${heap}", "--max-semi-space-size=${semiSpaceMegabytes}"]
);

const integration :Workerd.Worker = (
  modules = [
    (name = "entry.js", esModule = embed "entry.js"),
    (name = "script.js", ${runtime === "v2" ? "esModule" : "commonJsModule"} = embed "script.js")
  ],
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "internet",
  cacheApiOutbound = "cache"
);

const cache :Workerd.Worker = (
  modules = [(name = "cache.js", esModule = embed "cache.js")],
  compatibilityDate = "${compatibilityDate}"
);
`
