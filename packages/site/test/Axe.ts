/** Accessibility of a page in a browser, by the rules of axe-core for WCAG 2.2 AA and by its best practices. */
import axe from "axe-core"
import type { Page } from "playwright-core"

/** Returns a line for each fault, with the rule and the element. Waits for animations: colors are faint meanwhile. */
export const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    // Transitions begin in the frame after an element is added.
    await frame()
    await frame()
    const ending = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity)
    // An animation whose element is removed is rejected.
    await Promise.allSettled(ending.map(({ finished }) => finished))
    const { violations } = await (globalThis as unknown as { readonly axe: typeof axe }).axe.run({
      // This rule belongs to WCAG 2.2 AA, but is off by default.
      rules: { "target-size": { enabled: true } }
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary ?? ""}`)
    )
  })
  return faults
}
