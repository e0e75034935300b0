/** `lectern health`: checks the health of the server on this machine, for images without `curl`. */
import { get, type RequestOptions } from "node:http"
import { get as getSecurely } from "node:https"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { localAddress } from "../LocalHost.ts"
import { print } from "../Output.ts"
import { serverFlags } from "../settings/Settings.ts"
import { flagsOf } from "../settings/Setting.ts"
import { resolve } from "../settings/SettingSources.ts"
import { serverTable } from "../settings/SettingTable.ts"

/** Timeout of the request, in ms. */
const timeout = 5_000

interface HealthResponse {
  readonly status: number
  readonly text: string
}

type ServerAddress = Parameters<typeof localAddress>[0]

const nameOf = (at: ServerAddress): string => ("socket" in at ? at.socket : `${at.host}, port ${at.port}`)

const request = (at: ServerAddress, isSecure: boolean) =>
  Effect.tryPromise({
    try: () =>
      new Promise<HealthResponse>((resolve, reject) => {
        // The certificate has no name for this machine, so it is not verified.
        const options = { ...localAddress(at), path: "/readyz", timeout, rejectUnauthorized: false }
        const sent = (isSecure ? getSecurely : get)(options satisfies RequestOptions, (response) => {
          let text = ""
          response.setEncoding("utf8")
          response.on("data", (chunk: string) => (text += chunk))
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text }))
        })
        sent.on("timeout", () => sent.destroy(new Error("no response within 5 seconds")))
        sent.on("error", reject)
      }),
    catch: (cause) =>
      new CommandFailed({
        message: `The server at ${nameOf(at)} can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

const { host, port, socket, tlsCertificate } = serverTable
const { config, json } = serverFlags

export const Health = Command.make(
  "health",
  { ...flagsOf({ host, port, socket, tlsCertificate }), config, json },
  Effect.fnUntraced(function* (given) {
    const { values } = yield* resolve({ host, port, socket, tlsCertificate }, given, given.config, serverTable)
    const at = values.socket === undefined ? values : { socket: values.socket }
    // A server with port 0 listens on any free port. A client can't connect to port 0.
    if ("port" in at && at.port === 0) {
      return yield* new CommandFailed({
        message: "Port 0 stands for any free port: set --port to the port of the server"
      })
    }
    const { status, text } = yield* request(at, values.tlsCertificate !== undefined)
    if (status !== 200) return yield* new CommandFailed({ message: `The server is unhealthy: ${text.trim()}` })
    yield* print(given.json, { json: { status: "well" }, text: "The server is healthy." })
  })
).pipe(Command.withDescription("Check the health of the server"))
