/** Audience, look and URLs of sites. */
import { AdaptiveSchemaPut, SiteAdaptiveSchema } from "@lectern/core/adaptive/SiteAdaptiveSchema"
import { TemplateCondition } from "@lectern/core/adaptive/TemplateConditions"
import {
  Customization,
  CustomizationPatch,
  CustomizationPut,
  SiteSpaceCustomization
} from "@lectern/core/customization/Customization"
import { Explanation, ExplanationParams } from "@lectern/core/publishing/explanation/Explanation"
import { PreviewParams, PreviewUrl } from "@lectern/core/publishing/PreviewUrl"
import { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import { PublishedUrl, PublishedUrlParams, PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { PublishingAuth, PublishingAuthPatch } from "@lectern/core/publishing/PublishingAuth"
import { ShareLink, ShareLinkCreate, ShareLinkPatch } from "@lectern/core/publishing/ShareLink"
import { RedirectBatch, RedirectResults } from "@lectern/core/redirect/RedirectBatch"
import { Redirect, RedirectCreate, RedirectPatch, RedirectTarget } from "@lectern/core/redirect/Redirect"
import { CustomHostname } from "@lectern/core/site/CustomHostname"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures, OptionalAuthentication } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, ShareKeyQuery } from "./Parameters.ts"
import { siteParams, sitePath, siteSpaceParams } from "./SitesApi.ts"

const params = siteParams
const link = { ...params, shareLinkId: Schema.String.annotateKey({ description: "The id of the share link." }) }
const redirect = { ...params, siteRedirectId: Schema.String.annotateKey({ description: "The id of the redirect." }) }
const hostname = { hostname: Schema.String.annotateKey({ description: "The hostname, such as `docs.example.com`." }) }

/** Reading links requires the scope to publish, since a link grants access to the site. */
export const ShareLinksApi = HttpApiGroup.make("shareLinks")
  .annotateMerge(OpenApi.annotations({ title: "Share links", description: "Secret URLs that grant access to a site." }))
  .add(
    Operation.get("list", `${sitePath}/share-links`, {
      description: "Lists the share links of a site.",
      scopes: ["site:publish"],
      params,
      query: PageQuery,
      success: listOf(ShareLink)
    }),
    Operation.post("create", `${sitePath}/share-links`, {
      description: "Creates a share link.",
      scopes: ["site:publish"],
      params,
      payload: ShareLinkCreate,
      success: ShareLink.pipe(HttpApiSchema.status(201))
    }),
    Operation.patch("update", `${sitePath}/share-links/:shareLinkId`, {
      description: "Renames a share link, or deactivates it.",
      scopes: ["site:publish"],
      params: link,
      payload: ShareLinkPatch,
      success: ShareLink
    }),
    Operation.delete("remove", `${sitePath}/share-links/:shareLinkId`, {
      description: "Deletes a share link. It grants no access any more.",
      scopes: ["site:publish"],
      params: link,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Reading the key requires the scope to publish, since the key grants access to the site. */
export const PublishingAuthApi = HttpApiGroup.make("publishingAuth")
  .annotateMerge(
    OpenApi.annotations({
      title: "Visitor authentication",
      description: "Settings for the authentication of visitors."
    })
  )
  .add(
    Operation.get("get", `${sitePath}/publishing/auth`, {
      description: "Returns the settings for visitor authentication of a site.",
      scopes: ["site:publish"],
      params,
      success: PublishingAuth
    }),
    Operation.patch("update", `${sitePath}/publishing/auth`, {
      description: "Changes the settings for visitor authentication of a site.",
      scopes: ["site:publish"],
      params,
      payload: PublishingAuthPatch,
      success: PublishingAuth
    }),
    Operation.post("regenerate", `${sitePath}/publishing/auth/regenerate`, {
      description: "Replaces the key for signing visitor tokens.",
      scopes: ["site:publish"],
      params,
      success: PublishingAuth
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Creating a preview requires a content scope, since the preview discloses unpublished content. */
export const PreviewsApi = HttpApiGroup.make("previews")
  .annotateMerge(OpenApi.annotations({ title: "Previews", description: "Sites as a visitor would see them." }))
  .add(
    Operation.get("url", `${sitePath}/publishing/preview`, {
      description: "Returns the URL of a site preview, valid for one hour. The site may be unpublished.",
      scopes: ["space:content:read"],
      params,
      query: PreviewParams.fields,
      success: PreviewUrl
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Explaining requires the scope to publish, since an explanation discloses settings of the audience. */
export const ExplanationsApi = HttpApiGroup.make("explanations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Explanations",
      description: "Why a visitor sees a page, or not. For administrators."
    })
  )
  .add(
    Operation.get("explain", "/orgs/:organizationId/explain", {
      description: "Explains which rule decides what a visitor gets at a URL of a site.",
      scopes: ["site:publish"],
      params: { organizationId },
      query: ExplanationParams.fields,
      success: Explanation
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const AdaptiveSchemaApi = HttpApiGroup.make("adaptiveSchema")
  .annotateMerge(
    OpenApi.annotations({
      title: "Adaptive schema",
      description: "JSON schema of the visitor claims that a site uses."
    })
  )
  .add(
    Operation.get("get", `${sitePath}/adaptive-schema`, {
      description: "Returns the JSON schema of the visitor claims that a site uses.",
      scopes: ["site:adaptive:read"],
      params,
      success: SiteAdaptiveSchema
    }),
    Operation.put("put", `${sitePath}/adaptive-schema`, {
      description: "Replaces the JSON schema of the visitor claims that a site uses.",
      scopes: ["site:adaptive:write"],
      params,
      payload: AdaptiveSchemaPut,
      success: SiteAdaptiveSchema
    }),
    Operation.get("templateConditions", `${sitePath}/adaptive-schema/template-conditions`, {
      description: "Lists example conditions for the schema.",
      scopes: ["site:adaptive:read"],
      params,
      success: Schema.Struct({ items: Schema.Array(TemplateCondition) })
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const CustomizationApi = HttpApiGroup.make("customization")
  .annotateMerge(
    OpenApi.annotations({ title: "Customization", description: "The look of a site: colors, fonts, header and more." })
  )
  .add(
    Operation.get("get", `${sitePath}/customization`, {
      description: "Returns the customization of a site.",
      scopes: ["site:metadata:read"],
      params,
      success: Customization
    }),
    Operation.put("put", `${sitePath}/customization`, {
      description: "Replaces the customization of a site.",
      scopes: ["site:metadata:write"],
      params,
      payload: CustomizationPut,
      success: Customization
    }),
    Operation.get("getOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      description: "Returns the customization of one site space, including inherited values.",
      scopes: ["site:metadata:read"],
      params: siteSpaceParams,
      success: SiteSpaceCustomization
    }),
    Operation.patch("patchOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      description: "Changes the customization of one site space.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      payload: CustomizationPatch,
      success: SiteSpaceCustomization
    }),
    Operation.delete("removeOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      description: "Deletes the customization of one site space, which then inherits that of the site.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const RedirectsApi = HttpApiGroup.make("redirects")
  .annotateMerge(
    OpenApi.annotations({ title: "Redirects", description: "Redirects from paths of a site to other targets." })
  )
  .add(
    Operation.get("list", `${sitePath}/redirects`, {
      description: "Lists the redirects of a site.",
      scopes: ["site:metadata:read"],
      params,
      query: {
        ...PageQuery,
        search: Schema.optionalKey(Schema.String).annotateKey({
          description: "Only redirects that contain these words."
        }),
        draft: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`true`: only drafts. `false`: only active redirects."
        }),
        orderBy: Schema.optionalKey(Schema.Literals(["createdAt", "updatedAt", "source"])).annotateKey({
          description: "The field to sort by."
        })
      },
      success: listOf(Redirect)
    }),
    Operation.post("create", `${sitePath}/redirects`, {
      description: "Creates a redirect.",
      scopes: ["site:metadata:write"],
      params,
      payload: RedirectCreate,
      success: Redirect.pipe(HttpApiSchema.status(201))
    }),
    Operation.put("writeAll", `${sitePath}/redirects`, {
      description:
        "Creates, changes, deletes and publishes many redirects of a site. Each succeeds or fails on its own.",
      scopes: ["site:metadata:write"],
      params,
      payload: RedirectBatch,
      success: RedirectResults
    }),
    Operation.patch("update", `${sitePath}/redirects/:siteRedirectId`, {
      description: "Changes a redirect.",
      scopes: ["site:metadata:write"],
      params: redirect,
      payload: RedirectPatch,
      success: Redirect
    }),
    Operation.delete("remove", `${sitePath}/redirects/:siteRedirectId`, {
      description: "Deletes a redirect.",
      scopes: ["site:metadata:write"],
      params: redirect,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const PublishedApi = HttpApiGroup.make("published")
  .annotateMerge(
    OpenApi.annotations({
      title: "Published sites",
      description: "Data for renderers: the resolution of URLs and the content of published sites."
    })
  )
  .add(
    Operation.get("site", `${sitePath}/published`, {
      description: "Returns a published site for a renderer: structure, customization and scripts.",
      scopes: ["site:metadata:read"],
      params,
      query: ShareKeyQuery,
      success: PublishedSite
    }),
    Operation.get("redirect", `${sitePath}/redirect`, {
      description: "Returns the target of a redirect of a site.",
      scopes: ["site:metadata:read"],
      params,
      query: {
        ...ShareKeyQuery,
        source: Schema.String.annotateKey({ description: "The path to redirect from." })
      },
      success: RedirectTarget
    })
  )
  .middleware(Authentication)
  .add(
    // Access depends on the credentials of the visitor, not of the sender.
    Operation.post("url", "/urls/published", {
      description: "Resolves a URL to a site, space and page, with a token for reading them as the visitor.",
      scopes: ["site:metadata:read"],
      payload: PublishedUrlQuery,
      success: PublishedUrl
    }).middleware(OptionalAuthentication),
    Operation.get("urlByQuery", "/urls/published", {
      description: "Resolves a URL to a site, space and page, requested by query parameters.",
      scopes: ["site:metadata:read"],
      deprecated: true,
      query: PublishedUrlParams.fields,
      success: PublishedUrl
    }).middleware(OptionalAuthentication)
  )
  .middleware(Failures)

export const CustomHostnamesApi = HttpApiGroup.make("customHostnames")
  .annotateMerge(OpenApi.annotations({ title: "Custom hostnames", description: "Custom hostnames of sites." }))
  .add(
    Operation.get("get", "/custom-hostnames/:hostname", {
      description: "Returns a custom hostname, with its verification status.",
      scopes: ["site:metadata:read"],
      params: hostname,
      success: CustomHostname
    }),
    Operation.patch("prove", "/custom-hostnames/:hostname", {
      description: "Verifies a custom hostname now.",
      scopes: ["site:metadata:write"],
      params: hostname,
      success: HttpApiSchema.NoContent
    }),
    Operation.delete("remove", "/custom-hostnames/:hostname", {
      description: "Removes a custom hostname from its site.",
      scopes: ["site:metadata:write"],
      params: hostname,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
