/**
 * Configuration of `workerd`: one worker, which is asked through a socket and reaches the outside through
 * another of ours. There is no other network: its files lie in a folder that only we can read.
 *
 * Where the interface's own workers have a cache (`caches`), there is one that keeps nothing: a program has to do
 * without what it has put there anyway, and one that asks is answered, as it is on its developer's machine.
 */
import { entry } from "./WorkerScripts.ts"

/** The day whose behaviour of the platform integrations are built for. */
const compatibilityDate = "2025-05-25"

/** Service that a worker asks of its cache: it has nothing, takes whatever is put there, and has nothing to remove. */
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

/** The files of a process, by their names in its folder. */
export const files = (script: string, runtime: "v1" | "v2", folder: string, heap: number): WorkerdFiles => ({
  "entry.js": entry(runtime),
  "script.js": script,
  "cache.js": emptyCache,
  "config.capnp": config(runtime, folder, heap)
})

/** Half of the heap that new objects go to, in MiB: as large as it may be by itself, it fills before anything is collected. */
const young = 4

export const sockets = { events: "events.sock", outside: "outside.sock" } as const

const config = (runtime: "v1" | "v2", folder: string, heap: number) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "integration", worker = .integration),
    (name = "cache", worker = .cache),
    (name = "internet", external = (address = "unix:${folder}/${sockets.outside}", http = (style = proxy)))
  ],
  sockets = [(name = "events", address = "unix:${folder}/${sockets.events}", http = (), service = "integration")],
  v8Flags = ["--max-old-space-size=${heap}", "--max-semi-space-size=${young}"]
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
