/**
 * Schedules the fibers of a process so that they share the event loop. Tasks of all fibers wait in one queue, and each
 * turn of the loop runs tasks for 8 ms. With Effect's scheduler, each fiber has a timer of its own, and all due timers
 * run in one turn. There, 200 fibers that yield after 4 ms each (see `Slice`) block the loop for 800 ms.
 *
 * Default: Effect's own scheduler. A host provides `fairScheduler` as `Scheduler.Scheduler`, like `EmbeddedLectern` and
 * the server.
 */
import { Clock, Context, Scheduler } from "effect"

/** Duration of a turn (ns): no further task starts after it. */
const turnNanos = 8_000_000n

interface Task {
  /** Undefined if the task was canceled. */
  run: (() => void) | undefined
}

/** Undefined in browsers. Read when the module loads, since fake timers (`vi.useFakeTimers`) replace it in tests. */
const { setImmediate: runtimeImmediate } = globalThis as { readonly setImmediate?: (run: () => void) => unknown }

const startTurn: (run: () => void) => unknown = runtimeImmediate ?? new Scheduler.MixedScheduler().setImmediate
const clock = Context.get(Context.empty(), Clock.Clock)

let queue: Array<Task> = []
let isStarted = false

const runTask = () => {
  isStarted = false
  const end = clock.monotonicTimeNanosUnsafe() + turnNanos
  const tasks = queue
  queue = []
  let doneCount = 0
  try {
    while (doneCount < tasks.length && (doneCount === 0 || clock.monotonicTimeNanosUnsafe() < end))
      tasks[doneCount++]!.run?.()
  } finally {
    if (doneCount < tasks.length) queue = [...tasks.slice(doneCount), ...queue]
    if (queue.length > 0) start()
  }
}

const start = () => {
  if (isStarted) return
  isStarted = true
  startTurn(runTask)
}

/** Queues a task for a turn of the loop, and returns a function that cancels the task. */
export const enqueue = (run: () => void): (() => void) => {
  const task: Task = { run }
  queue.push(task)
  start()
  return () => {
    task.run = undefined
  }
}

/** End of the time in which tasks of this turn run immediately (ns); undefined before the turn's first task. */
let end: bigint | undefined

/**
 * Runs a task immediately for the first 8 ms of a turn of the loop, and queues it afterwards. Intended for events that
 * may arrive in large numbers in one turn.
 */
export const runSoon = (run: () => void): void => {
  if (end === undefined) {
    end = clock.monotonicTimeNanosUnsafe() + turnNanos
    startTurn(() => {
      end = undefined
    })
  }
  if (queue.length === 0 && clock.monotonicTimeNanosUnsafe() < end) run()
  else enqueue(run)
}

export const fairScheduler: Scheduler.Scheduler = new Scheduler.MixedScheduler("async", enqueue)
