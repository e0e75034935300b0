/** `lectern health`: asks the server on this machine whether it is well, for those who have no `curl`. */
import { get } from "node:http"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { localHost } from "../LocalHost.ts"
import { print } from "../Output.ts"
import { serverFlags } from "../settings/Settings.ts"
import { resolve } from "../settings/SettingSources.ts"
import { serverTable } from "../settings/SettingTable.ts"

/** In milliseconds. */
const patience = 5_000

interface Answered {
  readonly status: number
  readonly text: string
}

const ask = (url: string) =>
  Effect.tryPromise({
    try: () =>
      new Promise<Answered>((answer, fail) => {
        const request = get(url, { timeout: patience }, (response) => {
          let text = ""
          response.setEncoding("utf8")
          response.on("data", (chunk: string) => (text += chunk))
          response.on("end", () => answer({ status: response.statusCode ?? 0, text }))
        })
        request.on("timeout", () => request.destroy(new Error("it does not answer in time")))
        request.on("error", fail)
      }),
    catch: (cause) =>
      new CommandFailed({
        message: `The server at ${url} is not reached: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

export const Health = Command.make(
  "health",
  { host: serverFlags.host, port: serverFlags.port, config: serverFlags.config, json: serverFlags.json },
  Effect.fnUntraced(function* ({ config, json, ...given }) {
    const { host, port } = (yield* resolve(
      { host: serverTable.host, port: serverTable.port },
      given,
      config,
      serverTable
    )).values
    const url = `http://${localHost(host)}:${port}/readyz`
    const { status, text } = yield* ask(url)
    if (status !== 200) return yield* new CommandFailed({ message: `The server is not well: ${text.trim()}` })
    yield* print(json, { json: { status: "well" }, text: "The server is well." })
  })
).pipe(Command.withDescription("Ask the server whether it is well"))
