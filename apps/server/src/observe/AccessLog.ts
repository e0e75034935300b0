/**
 * Access log: a line of JSON for each request, in a file or on standard output, with its time, method, route, status,
 * duration, size, actor and address. Requests to sites that do not get a page have the code of the reason. Paths, queries, tokens and bodies are not logged.
 *
 * Lines are buffered for up to 200 ms or 64 KiB. On `SIGHUP` the file is opened again, for log rotation. If writing fails,
 * for example on a full disk, lines are lost, a warning is logged at most once a minute, and later lines are written as
 * soon as possible. At most 8 MiB wait for a slow disk.
 */
import { type WriteStream, createWriteStream } from "node:fs"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { addressOf } from "@lectern/core/fetch/Addresses"
import { Throttle } from "@lectern/core/time/Throttle"
import type { Observer } from "@lectern/http/server/Observation"
import { Effect, FiberSet } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"

const flushDelay = 200
const maxBuffered = 64 * 1024
/** Maximum total size of log lines that wait for the disk, in bytes. Further lines are dropped. */
const maxWaiting = 8 * 1024 * 1024

/** Opens the log at a path, or on standard output if the path is `-`. `addresses`: true to log client addresses. */
export const make = Effect.fnUntraced(function* (path: string, addresses: boolean) {
  const isFile = path !== "-"
  const name = isFile ? `The access log ${path}` : "The access log on standard output"
  const run = yield* FiberSet.makeRuntime()
  const throttle = new Throttle("1 minute")
  let file: WriteStream | undefined
  let lines = ""
  let timer: NodeJS.Timeout | undefined

  const warn = (reason: string) => {
    if (!throttle.isDue(performance.now())) return
    run(Effect.logWarning(`${name} can't be written, and lines are lost: ${reason}`))
  }
  const onLoss = (error: Error) => {
    // The next text starts on a new line, since the last written line may be incomplete.
    lines = `\n${lines}`
    warn(fileErrorReason(error))
  }
  const open = (): WriteStream => createWriteStream(path, { flags: "a", mode: 0o600 })
  const use = (opened: WriteStream) => {
    file = opened
    opened.on("error", (error) => {
      // The file is opened again for the next lines, since Node does not write to a stream after an error.
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
    if (to.writableLength > maxWaiting) return warn("the disk is too slow")
    to.write(text)
  }
  const reopen = () => {
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
    process.on("SIGHUP", reopen)
  } else process.stdout.on("error", onLoss)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      process.off("SIGHUP", reopen)
      flush()
      file?.end()
      process.stdout.off("error", onLoss)
    })
  )
  const observe: Observer = ({ at, method, route, status, millis, bytes, requestId, actor, reason, address }) => {
    const line = {
      time: new Date(at).toISOString(),
      method,
      route,
      status,
      ms: Number(millis.toFixed(3)),
      bytes,
      request: requestId,
      actor,
      ...(status >= 300 && { reason }),
      ...(addresses && { address: address && (addressOf(address) ?? address) })
    }
    lines += `${JSON.stringify(line)}\n`
    if (lines.length > maxBuffered) flush()
    else timer ??= setTimeout(flush, flushDelay)
  }
  return observe
})
