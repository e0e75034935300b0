/**
 * Schedules the fibers of a process so that they share the event loop: tasks of all fibers wait in one queue, and a turn
 * of the loop runs them for 8 ms. The scheduler of Effect gives each fiber a timer of its own, and all timers that are due
 * run in the same turn: 200 fibers that rest after 4 ms each (see `Slice`) hold the loop for 800 ms.
 *
 * Default: Effect's own scheduler. A host provides `fairScheduler` as `Scheduler.Scheduler`, as `EmbeddedLectern` and the
 * server do.
 */
import { Clock, Context, Scheduler } from "effect"

/** Duration of a turn (ns): no further task starts after it. */
const turnNanos = 8_000_000n

interface Task {
  /** Undefined once it was cancelled. */
  run: (() => void) | undefined
}

const startTurn = new Scheduler.MixedScheduler().setImmediate
const clock = Context.get(Context.empty(), Clock.Clock)

let queue: Array<Task> = []
let isStarted = false

const turn = () => {
  isStarted = false
  const end = clock.monotonicTimeNanosUnsafe() + turnNanos
  const tasks = queue
  queue = []
  let done = 0
  try {
    while (done < tasks.length && (done === 0 || clock.monotonicTimeNanosUnsafe() < end)) tasks[done++]!.run?.()
  } finally {
    if (done < tasks.length) queue = [...tasks.slice(done), ...queue]
    if (queue.length > 0) start()
  }
}

const start = () => {
  if (isStarted) return
  isStarted = true
  startTurn(turn)
}

/** Queues a task for a turn of the loop, and returns how to cancel it. */
export const enqueue = (run: () => void): (() => void) => {
  const task: Task = { run }
  queue.push(task)
  start()
  return () => {
    task.run = undefined
  }
}

/** End of the turn in which tasks run at once (ns); undefined before the first of them. */
let end: bigint | undefined

/** Runs a task at once while this turn of the loop lasts, and queues it after that: for events, many of which may come in one turn. */
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
