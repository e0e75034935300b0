/**
 * Pairs the planned children of a page with its children in the tree. Children with an entry in the table of contents
 * are paired in order. Children without an entry are hidden and have no order: pages are paired by file path, groups by
 * slug.
 */
import { slugOf } from "../import/KeyedPages.ts"
import type { PlannedGroup, PlannedPage } from "../import/PlannedPage.ts"
import { isUnlinked } from "@lectern/core/content/pages/Page"
import type { PageNode } from "@lectern/core/content/pages/PageTree"
import type { ExportPaths } from "./ExportPaths.ts"

export type SiblingPair = readonly [plan: PlannedPage, node: PageNode]

/** Returns the pairs in the order of the plan; undefined if a planned page has no counterpart. */
export const pairSiblings = (
  plans: ReadonlyArray<PlannedPage>,
  nodes: ReadonlyArray<PageNode>,
  paths: Pick<ExportPaths, "pages">
): ReadonlyArray<SiblingPair> | undefined => {
  if (plans.length !== nodes.length) return undefined
  const unlisted = new UnlistedNodes(nodes, paths)
  const unlistedNodes = plans.map((plan) => (isUnlisted(plan) ? unlisted.take(plan) : undefined))
  const listedNodes = nodes.filter((node) => !unlisted.matched.has(node)).values()
  const all: Array<SiblingPair> = []
  for (const [i, plan] of plans.entries()) {
    const node = isUnlisted(plan) ? unlistedNodes[i] : listedNodes.next().value
    if (node === undefined) return undefined
    all.push([plan, node])
  }
  return all
}

const isUnlisted = (plan: PlannedPage): plan is Exclude<PlannedPage, { readonly type: "link" }> =>
  plan.type !== "link" && plan.line === undefined && plan.hidden === true

class UnlistedNodes {
  readonly matched = new Set<PageNode>()
  readonly #byPath = new Map<string, PageNode>()
  readonly #groups = new Map<string, PageNode>()
  /** Groups by slug without a trailing number, in reverse order. */
  readonly #numbered = new Map<string, Array<PageNode>>()

  constructor(nodes: ReadonlyArray<PageNode>, { pages }: Pick<ExportPaths, "pages">) {
    for (const node of nodes.toReversed()) {
      const { page } = node
      const path = pages.get(page.id)
      if (path !== undefined) this.#byPath.set(path, node)
      else if (page.hidden === true && (page.type === "group" || isUnlinked(page))) {
        this.#groups.set(page.slug, node)
        const slug = page.slug.replace(/-\d+$/, "")
        const numberedGroups = this.#numbered.get(slug)
        if (numberedGroups === undefined) this.#numbered.set(slug, [node])
        else numberedGroups.push(node)
      }
    }
  }

  take(plan: Exclude<PlannedPage, { readonly type: "link" }>): PageNode | undefined {
    const node = plan.type === "document" ? this.#byPath.get(plan.file.path) : this.#groupOf(plan)
    if (node !== undefined) this.matched.add(node)
    return node
  }

  /**
   * Returns the group with the slug, or else a group with the slug and a number. Such a number is appended if a sibling
   * has the slug.
   */
  #groupOf(plan: PlannedGroup): PageNode | undefined {
    const slug = slugOf(plan, "")
    const group = this.#groups.get(slug)
    if (group !== undefined && !this.matched.has(group)) return group
    const numberedGroups = this.#numbered.get(slug) ?? []
    for (let next = numberedGroups.pop(); next !== undefined; next = numberedGroups.pop())
      if (!this.matched.has(next)) return next
    return undefined
  }
}
