/**
 * What `workerd` is told: one worker, which is asked through a socket and reaches two things through
 * sockets of ours, its logs and the outside. There is no other network: its files lie in a folder that
 * only we can read.
 */
import { classicEntry, moduleEntry } from "./WorkerScripts.ts"

/** The day whose behaviour of the platform integrations are built for. */
const compatibilityDate = "2025-05-25"

export interface WorkerdFiles {
  readonly [name: string]: string
}

/** The files of a process, by their names in its folder. */
export const files = (script: string, runtime: "v1" | "v2", folder: string, heap: number): WorkerdFiles => ({
  "script.js": runtime === "v2" ? script : `${classicEntry}\n${script}`,
  ...(runtime === "v2" && { "entry.js": moduleEntry }),
  "config.capnp": config(runtime, folder, heap)
})

/** Half of the heap that new objects go to, in MiB: as large as it may be by itself, it fills before anything is collected. */
const young = 4

export const sockets = { events: "events.sock", host: "host.sock", outside: "outside.sock" } as const

const config = (runtime: "v1" | "v2", folder: string, heap: number) => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "integration", worker = .integration),
    (name = "host", external = (address = "unix:${folder}/${sockets.host}", http = (style = host))),
    (name = "internet", external = (address = "unix:${folder}/${sockets.outside}", http = (style = proxy)))
  ],
  sockets = [(name = "events", address = "unix:${folder}/${sockets.events}", http = (), service = "integration")],
  v8Flags = ["--max-old-space-size=${heap}", "--max-semi-space-size=${young}"]
);

const integration :Workerd.Worker = (
  ${
    runtime === "v2"
      ? `modules = [(name = "entry.js", esModule = embed "entry.js"), (name = "script.js", esModule = embed "script.js")]`
      : `serviceWorkerScript = embed "script.js"`
  },
  compatibilityDate = "${compatibilityDate}",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [(name = "host", service = "host")],
  globalOutbound = "internet"
);
`
