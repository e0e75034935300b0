/**
 * Names under which a renderer may keep an answer, so that it can let go of it when what stands behind
 * changes: the header `x-gitbook-cache-tag`, as the hosted service's renderer reads it. Computed pages
 * change without a new revision, so content names the specs that it is computed of.
 */
import type { Located } from "@lectern/core/content/reading/Located"

const header = "x-gitbook-cache-tag"

export const ofSpace = (space: string) => ({ [header]: `space:${space}` })

export const ofSite = (site: string) => ({ [header]: `site:${site}` })

export const ofContent = ({ space, revision, sources }: Pick<Located, "space" | "revision" | "sources">) => {
  const tags = new Set([`space:${space.id}`])
  for (const { spec } of revision.content.computed ?? []) {
    // A private spec is named to those who see it alone.
    if (spec === undefined || sources?.of(spec).state === "missing") continue
    tags.add(`organization:${space.organization}:openapi:${spec}`)
  }
  return { [header]: [...tags].join(",") }
}
