/**
 * Launchers of this process: `npx`, `pnpm` and similar programs, and the shells between them. Some launchers exit on a
 * signal without forwarding it, and leave a server without a terminal that could stop it. A server that was started by a
 * package script therefore stops when one of its launchers exits.
 *
 * The parent of the first launcher, such as a shell or an init system, does not count. Launchers are polled every half
 * second, which takes about 50 µs. Not used on Windows, which has no such signals.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { Effect, Schedule } from "effect"

const pollInterval = "500 millis"
/** Maximum number of ancestors that are inspected. */
const maxAncestors = 16

interface Ancestor {
  readonly parent: number
  readonly command: ReadonlyArray<string>
}

const isRunner = /^(npm|npx|pnpm|pnpx|yarn|corepack)(-cli)?(\.[cm]?js|\.exe)?$/
const isShell = /^(ba|da|k|z)?sh$/

/** True for a runner, whose command line is its name, `node` and its file, or a title of several words. */
const runs = ({ command }: Ancestor): boolean =>
  command.slice(0, 2).some((word) => isRunner.test(basename(word.split(" ")[0] ?? "")))

const runsLine = ({ command: [program = "", flag] }: Ancestor): boolean =>
  isShell.test(basename(program)) && flag === "-c"

const linux = {
  of: (pid: number): Ancestor => ({
    parent: linux.parentOf(pid),
    command: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
  }),
  /** The name of the program is in parentheses in `stat` and may contain any character. */
  parentOf: (pid: number): number => Number(/^.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1])
}

const otherSystems = {
  of: (pid: number): Ancestor => {
    const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" })
    const [parent, ...command] = line.trim().split(/\s+/)
    return { parent: Number(parent), command }
  }
}

const platform = process.platform === "linux" ? linux : otherSystems

const attempt = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Returns the process ids from the parent of this process up to the first runner. Empty without a runner. */
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

/** True while all launchers run. A process that exited may remain as a zombie, but its child has another parent at once. */
const areRunning = (ids: ReadonlyArray<number>): boolean =>
  process.ppid === ids[0] &&
  ids.every((id, i) => {
    const next = ids[i + 1]
    if (next === undefined) return true
    if (process.platform === "linux") return attempt(() => linux.parentOf(id)) === next
    return attempt(() => process.kill(next, 0)) === true
  })

/** Completes when one of the launchers exits. Never completes without launchers. */
export const exited = (ids: ReadonlyArray<number>): Effect.Effect<void> =>
  ids.length === 0
    ? Effect.never
    : Effect.sync(() => areRunning(ids)).pipe(
        Effect.repeat({ schedule: Schedule.spaced(pollInterval), while: (areRunning) => areRunning }),
        Effect.asVoid
      )
