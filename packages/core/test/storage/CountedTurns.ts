/** A scheduler that counts how often a computation yields on its own. */
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
