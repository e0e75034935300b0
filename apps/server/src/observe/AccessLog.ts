/**
 * A line of JSON for each request, in a file or on standard output: when, what, how it ended, how long it took,
 * and who asked from where. No path, query, token or body stands in it.
 *
 * Lines are gathered for at most 200 ms or 64 KiB. A file that was moved away is begun anew on `SIGHUP`. On a disk that
 * is full, say, lines are lost; the log tells of it, once a minute at most, and later lines are written once they can be.
 * A disk that does not answer is waited for with at most 8 MiB of them.
 */
import { type WriteStream, createWriteStream } from "node:fs"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { addressOf } from "@lectern/core/fetch/Addresses"
import { Seldom } from "@lectern/core/moment/Seldom"
import type { Observer } from "@lectern/http/server/Observation"
import { Effect, FiberSet } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

const pause = 200
const most = 64 * 1024
/** Bytes that wait for the disk. */
const mostWaiting = 8 * 1024 * 1024

/** `-` is standard output. `addresses`: whether lines say where requests came from. */
export const make = Effect.fnUntraced(function* (path: string, addresses: boolean) {
  const isFile = path !== "-"
  const name = isFile ? `The access log ${path}` : "The access log on standard output"
  const run = yield* FiberSet.makeRuntime()
  const seldom = new Seldom("1 minute")
  let file: WriteStream | undefined
  let lines = ""
  let timer: NodeJS.Timeout | undefined

  const tell = (reason: string) => {
    if (!seldom.isDue(performance.now())) return
    run(Effect.logWarning(`${name} can't be written, and lacks lines: ${reason}`))
  }
  const onLoss = (error: Error) => {
    // The last line that was written may be half a one.
    lines = `\n${lines}`
    tell(fileErrorReason(error))
  }
  const open = (): WriteStream => createWriteStream(path, { flags: "a", mode: 0o600 })
  const use = (opened: WriteStream) => {
    file = opened
    opened.on("error", (error) => {
      // Node writes nothing more to it.
      if (file === opened) file = undefined
      onLoss(error)
    })
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const text = lines
    lines = ""
    if (text === "") return
    if (isFile && file === undefined) use(open())
    const to = isFile ? file! : process.stdout
    if (to.writableLength > mostWaiting) return tell("what was written before still waits for the disk")
    to.write(text)
  }
  const again = () => {
    flush()
    file?.end()
    use(open())
  }

  if (isFile) {
    const first = open()
    yield* Effect.callback<void, CommandFailed>((resume) => {
      first.once("open", () => resume(Effect.void))
      first.once("error", (error: NodeJS.ErrnoException) =>
        resume(Effect.fail(new CommandFailed({ message: `${name} can't be written: ${fileErrorReason(error)}` })))
      )
    })
    use(first)
    process.on("SIGHUP", again)
  } else process.stdout.on("error", onLoss)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      process.off("SIGHUP", again)
      flush()
      file?.end()
      process.stdout.off("error", onLoss)
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
