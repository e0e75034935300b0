/** `lectern health`: asks the server on this machine whether it is well, for those who have no `curl`. */
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

/** In milliseconds. */
const patience = 5_000

interface Answered {
  readonly status: number
  readonly text: string
}

type Asked = Parameters<typeof localAddress>[0]

const nameOf = (at: Asked): string => ("socket" in at ? at.socket : `${at.host}, port ${at.port}`)

const ask = (at: Asked, isSecure: boolean) =>
  Effect.tryPromise({
    try: () =>
      new Promise<Answered>((answer, fail) => {
        // It is this machine, by none of the names in the certificate.
        const options = { ...localAddress(at), path: "/readyz", timeout: patience, rejectUnauthorized: false }
        const request = (isSecure ? getSecurely : get)(options satisfies RequestOptions, (response) => {
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
        message: `The server at ${nameOf(at)} is not reached: ${cause instanceof Error ? cause.message : String(cause)}`
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
    // Any free port to a server; to whoever asks, the one of its protocol.
    if ("port" in at && at.port === 0) {
      return yield* new CommandFailed({ message: "Port 0 is any that is free: say by --port which one the server has" })
    }
    const { status, text } = yield* ask(at, values.tlsCertificate !== undefined)
    if (status !== 200) return yield* new CommandFailed({ message: `The server is not well: ${text.trim()}` })
    yield* print(given.json, { json: { status: "well" }, text: "The server is well." })
  })
).pipe(Command.withDescription("Ask the server whether it is well"))
