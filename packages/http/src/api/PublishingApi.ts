/** Whom sites are published to, how they look, and where their URLs lead. */
import { AdaptiveSchemaPut, SiteAdaptiveSchema } from "@lectern/core/adaptive/SiteAdaptiveSchema"
import { TemplateCondition } from "@lectern/core/adaptive/TemplateConditions"
import {
  Customization,
  CustomizationPatch,
  CustomizationPut,
  SiteSpaceCustomization
} from "@lectern/core/customization/Customization"
import { PreviewParams, PreviewUrl } from "@lectern/core/publishing/PreviewUrl"
import { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import { PublishedUrl, PublishedUrlParams, PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { PublishingAuth, PublishingAuthPatch } from "@lectern/core/publishing/PublishingAuth"
import { ShareLink, ShareLinkCreate, ShareLinkPatch } from "@lectern/core/publishing/ShareLink"
import { RedirectBatch, RedirectResults } from "@lectern/core/redirect/RedirectBatch"
import { Redirect, RedirectCreate, RedirectPatch, RedirectTarget } from "@lectern/core/redirect/Redirect"
import { CustomHostname } from "@lectern/core/site/CustomHostname"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures, OptionalAuthentication } from "./Middleware.ts"
import { ShareKeyQuery, siteParams, sitePath, siteSpaceParams } from "./SitesApi.ts"

const params = siteParams

export const ShareLinksApi = HttpApiGroup.make("shareLinks")
  .annotateMerge(OpenApi.annotations({ title: "Share links", description: "Secret URLs that open a site." }))
  .add(
    HttpApiEndpoint.get("list", `${sitePath}/share-links`, { params, query: PageQuery, success: listOf(ShareLink) }),
    HttpApiEndpoint.post("create", `${sitePath}/share-links`, {
      params,
      payload: ShareLinkCreate,
      success: ShareLink.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.patch("update", `${sitePath}/share-links/:shareLinkId`, {
      params: { ...params, shareLinkId: Schema.String },
      payload: ShareLinkPatch,
      success: ShareLink
    }),
    HttpApiEndpoint.delete("remove", `${sitePath}/share-links/:shareLinkId`, {
      params: { ...params, shareLinkId: Schema.String },
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const PublishingAuthApi = HttpApiGroup.make("publishingAuth")
  .annotateMerge(
    OpenApi.annotations({ title: "Visitor authentication", description: "How visitors of a site sign on." })
  )
  .add(
    HttpApiEndpoint.get("get", `${sitePath}/publishing/auth`, { params, success: PublishingAuth }),
    HttpApiEndpoint.patch("update", `${sitePath}/publishing/auth`, {
      params,
      payload: PublishingAuthPatch,
      success: PublishingAuth
    }),
    HttpApiEndpoint.post("regenerate", `${sitePath}/publishing/auth/regenerate`, { params, success: PublishingAuth })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const PreviewsApi = HttpApiGroup.make("previews")
  .annotateMerge(OpenApi.annotations({ title: "Previews", description: "Sites as their visitors would see them." }))
  .add(
    HttpApiEndpoint.get("url", `${sitePath}/publishing/preview`, {
      params,
      query: PreviewParams.fields,
      success: PreviewUrl
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const AdaptiveSchemaApi = HttpApiGroup.make("adaptiveSchema")
  .annotateMerge(
    OpenApi.annotations({ title: "Adaptive schema", description: "What a site expects to know of its visitors." })
  )
  .add(
    HttpApiEndpoint.get("get", `${sitePath}/adaptive-schema`, { params, success: SiteAdaptiveSchema }),
    HttpApiEndpoint.put("put", `${sitePath}/adaptive-schema`, {
      params,
      payload: AdaptiveSchemaPut,
      success: SiteAdaptiveSchema
    }),
    HttpApiEndpoint.get("templateConditions", `${sitePath}/adaptive-schema/template-conditions`, {
      params,
      success: Schema.Struct({ items: Schema.Array(TemplateCondition) })
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const CustomizationApi = HttpApiGroup.make("customization")
  .annotateMerge(OpenApi.annotations({ title: "Customization", description: "How a site looks." }))
  .add(
    HttpApiEndpoint.get("get", `${sitePath}/customization`, { params, success: Customization }),
    HttpApiEndpoint.put("put", `${sitePath}/customization`, {
      params,
      payload: CustomizationPut,
      success: Customization
    }),
    HttpApiEndpoint.get("getOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      params: siteSpaceParams,
      success: SiteSpaceCustomization
    }),
    HttpApiEndpoint.patch("patchOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      params: siteSpaceParams,
      payload: CustomizationPatch,
      success: SiteSpaceCustomization
    }),
    HttpApiEndpoint.delete("removeOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      params: siteSpaceParams,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const RedirectsApi = HttpApiGroup.make("redirects")
  .annotateMerge(OpenApi.annotations({ title: "Redirects", description: "Paths of a site that lead elsewhere on it." }))
  .add(
    HttpApiEndpoint.get("list", `${sitePath}/redirects`, {
      params,
      query: {
        ...PageQuery,
        search: Schema.optionalKey(Schema.String),
        draft: Schema.optionalKey(Schema.Boolean),
        orderBy: Schema.optionalKey(Schema.Literals(["createdAt", "updatedAt", "source"]))
      },
      success: listOf(Redirect)
    }),
    HttpApiEndpoint.post("create", `${sitePath}/redirects`, {
      params,
      payload: RedirectCreate,
      success: Redirect.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.put("writeAll", `${sitePath}/redirects`, {
      params,
      payload: RedirectBatch,
      success: RedirectResults
    }),
    HttpApiEndpoint.patch("update", `${sitePath}/redirects/:siteRedirectId`, {
      params: { ...params, siteRedirectId: Schema.String },
      payload: RedirectPatch,
      success: Redirect
    }),
    HttpApiEndpoint.delete("remove", `${sitePath}/redirects/:siteRedirectId`, {
      params: { ...params, siteRedirectId: Schema.String },
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const PublishedApi = HttpApiGroup.make("published")
  .annotateMerge(
    OpenApi.annotations({
      title: "Published sites",
      description: "What a renderer asks for: where a URL leads, and what the site there shows its visitor."
    })
  )
  .add(
    HttpApiEndpoint.get("site", `${sitePath}/published`, { params, query: ShareKeyQuery, success: PublishedSite }),
    HttpApiEndpoint.get("redirect", `${sitePath}/redirect`, {
      params,
      query: { ...ShareKeyQuery, source: Schema.String },
      success: RedirectTarget
    })
  )
  .middleware(Authentication)
  .add(
    // The visitor's credentials count, whoever asks for it.
    HttpApiEndpoint.post("url", "/urls/published", { payload: PublishedUrlQuery, success: PublishedUrl }).middleware(
      OptionalAuthentication
    ),
    HttpApiEndpoint.get("urlByQuery", "/urls/published", { query: PublishedUrlParams.fields, success: PublishedUrl })
      .annotateMerge(OpenApi.annotations({ deprecated: true }))
      .middleware(OptionalAuthentication)
  )
  .middleware(Failures)

export const CustomHostnamesApi = HttpApiGroup.make("customHostnames")
  .annotateMerge(
    OpenApi.annotations({ title: "Custom hostnames", description: "Hostnames that sites have of their own." })
  )
  .add(
    HttpApiEndpoint.get("get", "/custom-hostnames/:hostname", {
      params: { hostname: Schema.String },
      success: CustomHostname
    }),
    HttpApiEndpoint.patch("prove", "/custom-hostnames/:hostname", {
      params: { hostname: Schema.String },
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.delete("remove", "/custom-hostnames/:hostname", {
      params: { hostname: Schema.String },
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
