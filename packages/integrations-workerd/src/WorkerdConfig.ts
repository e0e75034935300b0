/**
 * Configuration of `workerd`: one worker, which is asked through a socket and reaches the outside through
 * another of ours. There is no other network: its files lie in a folder that only we can read.
 */
import { entry } from "./WorkerScripts.ts"

/** The day whose behaviour of the platform integrations are built for. */
const compatibilityDate = "2025-05-25"

export interface WorkerdFiles {
  readonly [name: string]: string
}

/** The files of a process, by their names in its folder. */
export const files = (script: string, runtime: "v1" | "v2", folder: string, heap: number): WorkerdFiles => ({
  "entry.js": entry(runtime),
  "script.js": script,
  "config.capnp": config(runtime, folder, heap)
})

/** Half of the heap that new objects go to, in MiB: as large as it may be by itself, it fills before anything is collected. */
const young = 4

export const sockets = { events: "events.sock", outside: "outside.sock" } as const

const config = (runtime: "v1" | "v2", folder: string, heap: number) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "integration", worker = .integration),
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
  globalOutbound = "internet"
);
`
