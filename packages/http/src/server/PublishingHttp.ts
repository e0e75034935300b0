import { AdaptiveSchemas } from "@lectern/core/adaptive/AdaptiveSchemas"
import { Customizations } from "@lectern/core/customization/Customizations"
import { type PublishedUrlQuery, queryOf } from "@lectern/core/publishing/PublishedUrl"
import { Explanations } from "@lectern/core/publishing/explanation/Explanations"
import { Previews } from "@lectern/core/publishing/Previews"
import { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { PublishingAuths } from "@lectern/core/publishing/PublishingAuths"
import { ShareLinks } from "@lectern/core/publishing/ShareLinks"
import { Redirects } from "@lectern/core/redirect/Redirects"
import { CustomHostnames } from "@lectern/core/site/CustomHostnames"
import { Effect } from "effect"
import { Sender } from "../api/Middleware.ts"
import { group } from "./Group.ts"
import * as CacheTags from "./CacheTags.ts"
import { resourceResponse } from "./Conditional.ts"

export const ShareLinksHttp = group(
  "shareLinks",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* ShareLinks
    return handlers({
      list: ({ params, query }) => links.list(params.organizationId, params.siteId, query),
      create: ({ params, payload }) => links.create(params.organizationId, params.siteId, payload),
      update: ({ params, payload }) => links.update(params.organizationId, params.siteId, params.shareLinkId, payload),
      remove: ({ params }) => links.remove(params.organizationId, params.siteId, params.shareLinkId)
    })
  })
)

export const PublishingAuthHttp = group(
  "publishingAuth",
  Effect.fnUntraced(function* (handlers) {
    const auths = yield* PublishingAuths
    return handlers({
      get: ({ params }) => auths.get(params.organizationId, params.siteId),
      update: ({ params, payload }) => auths.update(params.organizationId, params.siteId, payload),
      regenerate: ({ params }) => auths.regenerate(params.organizationId, params.siteId)
    })
  })
)

export const PreviewsHttp = group(
  "previews",
  Effect.fnUntraced(function* (handlers) {
    const previews = yield* Previews
    return handlers({
      url: ({ params, query }) => previews.url(params.organizationId, params.siteId, query)
    })
  })
)

export const ExplanationsHttp = group(
  "explanations",
  Effect.fnUntraced(function* (handlers) {
    const explanations = yield* Explanations
    return handlers({
      explain: ({ params, query }) => explanations.explain(params.organizationId, query)
    })
  })
)

export const AdaptiveSchemaHttp = group(
  "adaptiveSchema",
  Effect.fnUntraced(function* (handlers) {
    const schemas = yield* AdaptiveSchemas
    return handlers({
      get: ({ params }) => schemas.get(params.organizationId, params.siteId),
      put: ({ params, payload }) => schemas.put(params.organizationId, params.siteId, payload),
      templateConditions: ({ params }) => schemas.templateConditions(params.organizationId, params.siteId)
    })
  })
)

export const CustomizationHttp = group(
  "customization",
  Effect.fnUntraced(function* (handlers) {
    const customizations = yield* Customizations
    return handlers({
      get: ({ params }) => customizations.get(params.organizationId, params.siteId),
      put: ({ params, payload }) => customizations.put(params.organizationId, params.siteId, payload),
      getOfSiteSpace: ({ params }) =>
        customizations.getOfSiteSpace(params.organizationId, params.siteId, params.siteSpaceId),
      patchOfSiteSpace: ({ params, payload }) =>
        customizations.patchOfSiteSpace(params.organizationId, params.siteId, params.siteSpaceId, payload),
      removeOfSiteSpace: ({ params }) =>
        customizations.removeOfSiteSpace(params.organizationId, params.siteId, params.siteSpaceId)
    })
  })
)

export const RedirectsHttp = group(
  "redirects",
  Effect.fnUntraced(function* (handlers) {
    const redirects = yield* Redirects
    return handlers({
      list: ({ params, query }) => redirects.list(params.organizationId, params.siteId, query),
      writeAll: ({ params, payload }) => redirects.writeAll(params.organizationId, params.siteId, payload),
      create: ({ params, payload }) => redirects.create(params.organizationId, params.siteId, payload),
      update: ({ params, payload }) =>
        redirects.update(params.organizationId, params.siteId, params.siteRedirectId, payload),
      remove: ({ params }) => redirects.remove(params.organizationId, params.siteId, params.siteRedirectId)
    })
  })
)

export const PublishedHttp = group(
  "published",
  Effect.fnUntraced(function* (handlers) {
    const sites = yield* PublishedSites
    const urls = yield* PublishedUrls
    const resolve = (query: PublishedUrlQuery) =>
      Effect.flatMap(Sender, ({ actor }) => Effect.map(urls.resolve(query, actor), (url) => resourceResponse(url)))
    return handlers({
      site: ({ params, query }) =>
        Effect.map(sites.get(params.organizationId, params.siteId, query), (site) =>
          resourceResponse(site, CacheTags.ofSite(params.siteId))
        ),
      redirect: ({ params, query }) => sites.redirect(params.organizationId, params.siteId, query),
      url: ({ payload }) => resolve(payload),
      urlByQuery: ({ query }) => resolve(queryOf(query))
    })
  })
)

export const CustomHostnamesHttp = group(
  "customHostnames",
  Effect.fnUntraced(function* (handlers) {
    const hostnames = yield* CustomHostnames
    return handlers({
      get: ({ params }) => hostnames.get(params.hostname),
      prove: ({ params }) => hostnames.prove(params.hostname),
      remove: ({ params }) => hostnames.remove(params.hostname)
    })
  })
)
