/** `lectern health`: checks the health of the server on this machine, for images without `curl`. */
import { get, type RequestOptions } from "node:http"
import { get as getSecurely } from "node:https"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { localAddress } from "../LocalHost.ts"
import { print } from "@lectern/cli/Output"
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

const nameOf = (address: ServerAddress): string =>
  "socket" in address ? address.socket : `${address.host}, port ${address.port}`

const request = (address: ServerAddress, isSecure: boolean) =>
  Effect.tryPromise({
    try: () =>
      new Promise<HealthResponse>((resolve, reject) => {
        // The certificate has no name for this machine, so it is not verified.
        const options = { ...localAddress(address), path: "/readyz", timeout, rejectUnauthorized: false }
        const clientRequest = (isSecure ? getSecurely : get)(options satisfies RequestOptions, (response) => {
          let text = ""
          response.setEncoding("utf8")
          response.on("data", (chunk: string) => (text += chunk))
          response.on("end", () => resolve({ status: response.statusCode ?? 0, text }))
        })
        clientRequest.on("timeout", () => clientRequest.destroy(new Error("no response within 5 seconds")))
        clientRequest.on("error", reject)
      }),
    catch: (cause) =>
      new CommandFailed({
        message: `The server at ${nameOf(address)} can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

const { host, port, socket, tlsCertificate } = serverTable
const { config, json } = serverFlags

export const Health = Command.make(
  "health",
  { ...flagsOf({ host, port, socket, tlsCertificate }), config, json },
  Effect.fnUntraced(function* (flags) {
    const { values } = yield* resolve({ host, port, socket, tlsCertificate }, flags, flags.config, serverTable)
    const address = values.socket === undefined ? values : { socket: values.socket }
    // A server with port 0 listens on any free port. A client can't connect to port 0.
    if ("port" in address && address.port === 0) {
      return yield* new CommandFailed({
        message: "Port 0 stands for any free port: set --port to the port of the server"
      })
    }
    const { status, text } = yield* request(address, values.tlsCertificate !== undefined)
    if (status !== 200) return yield* new CommandFailed({ message: `The server is unhealthy: ${text.trim()}` })
    yield* print(flags.json, { json: { status: "well" }, text: "The server is healthy." })
  })
).pipe(Command.withDescription("Check the health of the server"))
