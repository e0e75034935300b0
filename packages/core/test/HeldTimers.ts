/** Observes timers of at least a second that keep the process from ending. Shorter timers belong to pending work. */
import { vi } from "vitest"

/** Returns functions to count such timers, after pending work without timers is done, and to stop observing. */
export const heldTimers = () => {
  const held = new Set<NodeJS.Timeout>()
  const { clearTimeout: clear, setTimeout: set } = globalThis
  const setting = vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: () => void, after?: number) => {
    const timer = set(() => {
      held.delete(timer)
      act()
    }, after)
    if (after !== undefined && after >= 1_000) held.add(timer)
    return timer
  }) as typeof setTimeout)
  const clearing = vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    held.delete(timer as NodeJS.Timeout)
    clear(timer)
  })
  return {
    count: async (): Promise<number> => {
      for (let i = 0; i < 20; i++) await new Promise(setImmediate)
      return [...held].filter((timer) => timer.hasRef()).length
    },
    restore: (): void => [setting, clearing].forEach((spy) => spy.mockRestore())
  }
}
