/**
 * A scheduler that makes no computation yield by itself. `count` is the number of scheduled tasks, and so of explicit
 * yields.
 */
import { Scheduler } from "effect"

export const countedTurns = () => {
  const scheduler = new Scheduler.MixedScheduler()
  const turns = {
    count: 0,
    executionMode: scheduler.executionMode,
    shouldYield: () => false,
    makeDispatcher: () => {
      const dispatcher = scheduler.makeDispatcher()
      return {
        scheduleTask: (task: () => void, priority: number) => {
          turns.count++
          dispatcher.scheduleTask(task, priority)
        },
        flush: () => dispatcher.flush()
      }
    }
  } satisfies Scheduler.Scheduler & { count: number }
  return turns
}
