/** Accessibility of a page in a browser, by the rules of axe-core for WCAG 2.2 AA and by its best practices. */
import axe from "axe-core"
import type { Page } from "playwright-core"

/** Returns a line for each fault, with the rule and the element. */
export const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async () => {
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
