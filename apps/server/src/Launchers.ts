/**
 * Programs that started this process for somebody: `npx`, `pnpm` and the like, and the shells between them.
 * Some of them don't pass a signal on: they end, and what they started lives on without anybody who could
 * stop it. So a server that was started by a script of a package ends when one of them has ended.
 *
 * Whoever started the first of them, a shell or an init system, is none of them. They are looked at every half
 * second, which takes some 50 µs. On Windows, where nobody sends such signals, they are not.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { Effect, Schedule } from "effect"

const every = "500 millis"
/** How many ancestors are looked at. */
const maxAncestors = 16

interface Ancestor {
  readonly parent: number
  readonly command: ReadonlyArray<string>
}

const isRunner = /^(npm|npx|pnpm|pnpx|yarn|corepack)(-cli)?(\.[cm]?js|\.exe)?$/
const isShell = /^(ba|da|k|z)?sh$/

/** A runner calls itself by its name, by `node` and its file, or by a title of several words. */
const runs = ({ command }: Ancestor): boolean =>
  command.slice(0, 2).some((word) => isRunner.test(basename(word.split(" ")[0] ?? "")))

const runsLine = ({ command: [program = "", flag] }: Ancestor): boolean =>
  isShell.test(basename(program)) && flag === "-c"

const linux = {
  of: (pid: number): Ancestor => ({
    parent: linux.parentOf(pid),
    command: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
  }),
  /** The name of the program stands in parentheses, and may hold any character. */
  parentOf: (pid: number): number => Number(/^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1])
}

const elsewhere = {
  of: (pid: number): Ancestor => {
    const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" })
    const [parent, ...command] = line.trim().split(/\s+/)
    return { parent: Number(parent), command }
  }
}

const platform = process.platform === "linux" ? linux : elsewhere

const attempt = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Process ids from the parent of this process up to the first runner; none where no runner started it. */
export const launchers = (): ReadonlyArray<number> => {
  if (process.platform === "win32" || process.env["npm_lifecycle_event"] === undefined) return []
  const ids: Array<number> = []
  let upTo = 0
  for (let pid = process.ppid; pid > 1 && ids.length < maxAncestors;) {
    const ancestor = attempt(() => platform.of(pid))
    if (ancestor === undefined || !(runs(ancestor) || runsLine(ancestor))) break
    ids.push(pid)
    if (runs(ancestor)) upTo = ids.length
    pid = ancestor.parent
  }
  return ids.slice(0, upTo)
}

/** An ended process may linger until it is reaped; its child has another parent at once. */
const areThere = (ids: ReadonlyArray<number>): boolean =>
  process.ppid === ids[0] &&
  ids.every((id, i) => {
    const next = ids[i + 1]
    if (next === undefined) return true
    if (process.platform === "linux") return attempt(() => linux.parentOf(id)) === next
    return attempt(() => process.kill(next, 0)) === true
  })

/** Ends when one of them has ended; never where there are none. */
export const ended = (ids: ReadonlyArray<number>): Effect.Effect<void> =>
  ids.length === 0
    ? Effect.never
    : Effect.sync(() => areThere(ids)).pipe(
        Effect.repeat({ schedule: Schedule.spaced(every), while: (areThere) => areThere }),
        Effect.asVoid
      )
