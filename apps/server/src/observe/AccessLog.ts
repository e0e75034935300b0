/**
 * A line of JSON for each request, in a file or on standard output: when, what, how it ended, how long it took,
 * and who asked from where. No path, query, token or body stands in it.
 *
 * Lines are gathered for at most 200 ms or 64 KiB. A file that was moved away is begun anew on `SIGHUP`.
 */
import { type WriteStream, createWriteStream } from "node:fs"
import { fileReason } from "@lectern/core/storage/FileReason"
import { addressOf } from "@lectern/core/fetch/Addresses"
import type { Observer } from "@lectern/http/server/Observation"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

const pause = 200
const most = 64 * 1024

/** `-` is standard output. `addresses`: whether lines say where requests came from. */
export const make = Effect.fnUntraced(function* (path: string, addresses: boolean) {
  const open = (): WriteStream => createWriteStream(path, { flags: "a", mode: 0o600 })
  let file = path === "-" ? undefined : open()
  if (file !== undefined) {
    const first = file
    yield* Effect.callback<void, CommandFailed>((resume) => {
      first.once("open", () => resume(Effect.void))
      first.once("error", (error: NodeJS.ErrnoException) =>
        resume(
          Effect.fail(new CommandFailed({ message: `The access log ${path} can't be written: ${fileReason(error)}` }))
        )
      )
    })
  }
  let lines = ""
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = lines
    lines = ""
    if (text !== "") (file ?? process.stdout).write(text)
  }
  const again = () => {
    flush()
    file?.end()
    file = open()
    file.on("error", () => {})
  }
  file?.on("error", () => {})
  if (file !== undefined) process.on("SIGHUP", again)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      process.off("SIGHUP", again)
      flush()
      file?.end()
    })
  )
  const observe: Observer = ({ at, method, route, status, millis, bytes, requestId, actor, address }) => {
    const line = {
      time: new Date(at).toISOString(),
      method,
      route,
      status,
      ms: Number(millis.toFixed(3)),
      bytes,
      request: requestId,
      actor,
      ...(addresses && { address: address && (addressOf(address) ?? address) })
    }
    lines += `${JSON.stringify(line)}\n`
    if (lines.length > most) flush()
    else timer ??= setTimeout(flush, pause)
  }
  return observe
})
