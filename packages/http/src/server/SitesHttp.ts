import { SiteSectionGroups } from "@lectern/core/site/SiteSectionGroups"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSorting } from "@lectern/core/site/SiteSorting"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Sites } from "@lectern/core/site/Sites"
import { Effect } from "effect"
import { group } from "./Group.ts"
import { resourceResponse } from "./Conditional.ts"

export const SitesHttp = group(
  "sites",
  Effect.fnUntraced(function* (handlers) {
    const sites = yield* Sites
    const sorting = yield* SiteSorting
    return handlers({
      list: ({ params, query }) => sites.list(params.organizationId, query),
      create: ({ params, payload }) => sites.create(params.organizationId, payload),
      get: ({ params }) => sites.get(params.organizationId, params.siteId),
      update: ({ params, payload }) => sites.update(params.organizationId, params.siteId, payload),
      remove: ({ params }) => sites.remove(params.organizationId, params.siteId),
      publish: ({ params }) => sites.publish(params.organizationId, params.siteId),
      unpublish: ({ params }) => sites.unpublish(params.organizationId, params.siteId),
      structure: ({ params, query }) =>
        Effect.map(sorting.get(params.organizationId, params.siteId, query), (structure) =>
          resourceResponse(structure)
        ),
      sort: ({ params, payload }) => sorting.sort(params.organizationId, params.siteId, payload)
    })
  })
)

export const SiteSectionsHttp = group(
  "siteSections",
  Effect.fnUntraced(function* (handlers) {
    const sections = yield* SiteSections
    const sorting = yield* SiteSorting
    return handlers({
      list: ({ params, query }) => sections.list(params.organizationId, params.siteId, query),
      create: ({ params, payload }) => sections.create(params.organizationId, params.siteId, payload),
      update: ({ params, payload }) =>
        sections.update(params.organizationId, params.siteId, params.siteSectionId, payload),
      remove: ({ params }) => sections.remove(params.organizationId, params.siteId, params.siteSectionId),
      move: ({ params, payload }) =>
        sorting.moveSection(params.organizationId, params.siteId, params.siteSectionId, payload)
    })
  })
)

export const SiteSectionGroupsHttp = group(
  "siteSectionGroups",
  Effect.fnUntraced(function* (handlers) {
    const groups = yield* SiteSectionGroups
    const sorting = yield* SiteSorting
    return handlers({
      list: ({ params, query }) => groups.list(params.organizationId, params.siteId, query),
      create: ({ params, payload }) => groups.create(params.organizationId, params.siteId, payload),
      update: ({ params, payload }) =>
        groups.update(params.organizationId, params.siteId, params.siteSectionGroupId, payload),
      remove: ({ params }) => groups.remove(params.organizationId, params.siteId, params.siteSectionGroupId),
      addSection: ({ params, payload }) =>
        groups.addSection(params.organizationId, params.siteId, params.siteSectionGroupId, payload),
      removeSection: ({ params }) =>
        groups.removeSection(params.organizationId, params.siteId, params.siteSectionGroupId, params.siteSectionId),
      move: ({ params, payload }) =>
        sorting.moveGroup(params.organizationId, params.siteId, params.siteSectionGroupId, payload)
    })
  })
)

export const SiteSpacesHttp = group(
  "siteSpaces",
  Effect.fnUntraced(function* (handlers) {
    const siteSpaces = yield* SiteSpaces
    const sorting = yield* SiteSorting
    return handlers({
      list: ({ params, query }) => siteSpaces.list(params.organizationId, params.siteId, query),
      add: ({ params, payload }) => siteSpaces.add(params.organizationId, params.siteId, payload),
      update: ({ params, payload }) =>
        siteSpaces.update(params.organizationId, params.siteId, params.siteSpaceId, payload),
      duplicate: ({ params, payload }) =>
        siteSpaces.duplicate(params.organizationId, params.siteId, params.siteSpaceId, payload),
      remove: ({ params }) => siteSpaces.remove(params.organizationId, params.siteId, params.siteSpaceId),
      move: ({ params, payload }) =>
        sorting.moveSiteSpace(params.organizationId, params.siteId, params.siteSpaceId, payload)
    })
  })
)
