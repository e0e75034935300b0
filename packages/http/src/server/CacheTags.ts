/**
 * Cache tags of responses, in the header `x-gitbook-cache-tag`, as the renderer of the hosted service reads it. A
 * renderer that caches a response purges it by tag when the tagged resource changes. Computed pages change without a
 * new revision, so content is also tagged with the specs that it is computed from.
 */
import type { LocatedRevision } from "@lectern/core/content/reading/LocatedRevision"

const header = "x-gitbook-cache-tag"

export const ofSpace = (space: string) => ({ [header]: `space:${space}` })

export const ofSite = (site: string) => ({ [header]: `site:${site}` })

export const ofContent = ({ space, revision, sources }: Pick<LocatedRevision, "space" | "revision" | "sources">) => {
  const tags = new Set([`space:${space.id}`])
  for (const { spec } of revision.content.computed ?? []) {
    // Names of private specs are not disclosed to readers without access.
    if (spec === undefined || sources?.stateOf(spec).state === "missing") continue
    tags.add(`organization:${space.organization}:openapi:${spec}`)
  }
  return { [header]: [...tags].join(",") }
}
