/** Accessibility of a page in a browser, by the rules of axe-core for WCAG 2.2 AA and by its best practices. */
import axe from "axe-core"
import type { Page } from "playwright-core"

/** A line for each fault, with the rule and the element; none where there is none. */
export const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { readonly axe: typeof axe }).axe.run({
      // It belongs to WCAG 2.2 AA, and is off unless it is asked for.
      rules: { "target-size": { enabled: true } }
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary ?? ""}`)
    )
  })
  return faults
}
