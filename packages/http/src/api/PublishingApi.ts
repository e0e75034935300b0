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
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures, OptionalAuthentication } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { ShareKeyQuery } from "./Parameters.ts"
import { siteParams, sitePath, siteSpaceParams } from "./SitesApi.ts"

const params = siteParams
const link = { ...params, shareLinkId: Schema.String.annotateKey({ description: "The id of the share link." }) }
const redirect = { ...params, siteRedirectId: Schema.String.annotateKey({ description: "The id of the redirect." }) }
const hostname = { hostname: Schema.String.annotateKey({ description: "The hostname, such as `docs.example.com`." }) }

/** Seeing links takes the scope to publish: whoever sees one may let in whom it wants. */
export const ShareLinksApi = HttpApiGroup.make("shareLinks")
  .annotateMerge(OpenApi.annotations({ title: "Share links", description: "Secret URLs that open a site." }))
  .add(
    Operation.get("list", `${sitePath}/share-links`, {
      description: "Lists the share links of a site.",
      scopes: ["site:publish"],
      params,
      query: PageQuery,
      success: listOf(ShareLink)
    }),
    Operation.post("create", `${sitePath}/share-links`, {
      description: "Makes a share link.",
      scopes: ["site:publish"],
      params,
      payload: ShareLinkCreate,
      success: ShareLink.pipe(HttpApiSchema.status(201))
    }),
    Operation.patch("update", `${sitePath}/share-links/:shareLinkId`, {
      description: "Renames a share link, or closes it.",
      scopes: ["site:publish"],
      params: link,
      payload: ShareLinkPatch,
      success: ShareLink
    }),
    Operation.delete("remove", `${sitePath}/share-links/:shareLinkId`, {
      description: "Deletes a share link, which lets nobody in from then on.",
      scopes: ["site:publish"],
      params: link,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Seeing the key takes the scope to publish: whoever has it may let in whom it wants. */
export const PublishingAuthApi = HttpApiGroup.make("publishingAuth")
  .annotateMerge(
    OpenApi.annotations({ title: "Visitor authentication", description: "How visitors of a site sign on." })
  )
  .add(
    Operation.get("get", `${sitePath}/publishing/auth`, {
      description: "Shows how visitors of a site sign on.",
      scopes: ["site:publish"],
      params,
      success: PublishingAuth
    }),
    Operation.patch("update", `${sitePath}/publishing/auth`, {
      description: "Changes how visitors of a site sign on.",
      scopes: ["site:publish"],
      params,
      payload: PublishingAuthPatch,
      success: PublishingAuth
    }),
    Operation.post("regenerate", `${sitePath}/publishing/auth/regenerate`, {
      description: "Makes a new key to sign tokens of visitors with, in place of the one before.",
      scopes: ["site:publish"],
      params,
      success: PublishingAuth
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Making one takes a scope of contents: whoever opens it reads what is not published. */
export const PreviewsApi = HttpApiGroup.make("previews")
  .annotateMerge(OpenApi.annotations({ title: "Previews", description: "Sites as their visitors would see them." }))
  .add(
    Operation.get("url", `${sitePath}/publishing/preview`, {
      description: "Makes a URL that opens a preview of a site for one hour, whether it is published or not.",
      scopes: ["space:content:read"],
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
    Operation.get("get", `${sitePath}/adaptive-schema`, {
      description: "Shows the JSON schema of what a site expects to know of its visitors.",
      scopes: ["site:adaptive:read"],
      params,
      success: SiteAdaptiveSchema
    }),
    Operation.put("put", `${sitePath}/adaptive-schema`, {
      description: "Replaces the JSON schema of what a site expects to know of its visitors.",
      scopes: ["site:adaptive:write"],
      params,
      payload: AdaptiveSchemaPut,
      success: SiteAdaptiveSchema
    }),
    Operation.get("templateConditions", `${sitePath}/adaptive-schema/template-conditions`, {
      description: "Lists conditions that the schema makes it possible to write.",
      scopes: ["site:adaptive:read"],
      params,
      success: Schema.Struct({ items: Schema.Array(TemplateCondition) })
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const CustomizationApi = HttpApiGroup.make("customization")
  .annotateMerge(OpenApi.annotations({ title: "Customization", description: "How a site looks." }))
  .add(
    Operation.get("get", `${sitePath}/customization`, {
      description: "Shows the looks of a site.",
      scopes: ["site:metadata:read"],
      params,
      success: Customization
    }),
    Operation.put("put", `${sitePath}/customization`, {
      description: "Replaces the looks of a site.",
      scopes: ["site:metadata:write"],
      params,
      payload: CustomizationPut,
      success: Customization
    }),
    Operation.get("getOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      description: "Shows the looks of one space of a site, with those that it takes from the site.",
      scopes: ["site:metadata:read"],
      params: siteSpaceParams,
      success: SiteSpaceCustomization
    }),
    Operation.patch("patchOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      description: "Changes the looks of one space of a site.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      payload: CustomizationPatch,
      success: SiteSpaceCustomization
    }),
    Operation.delete("removeOfSiteSpace", `${sitePath}/site-spaces/:siteSpaceId/customization`, {
      description: "Takes a space's own looks away, so that it has those of the site.",
      scopes: ["site:metadata:write"],
      params: siteSpaceParams,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const RedirectsApi = HttpApiGroup.make("redirects")
  .annotateMerge(OpenApi.annotations({ title: "Redirects", description: "Paths of a site that lead elsewhere on it." }))
  .add(
    Operation.get("list", `${sitePath}/redirects`, {
      description: "Lists the redirects of a site.",
      scopes: ["site:metadata:read"],
      params,
      query: {
        ...PageQuery,
        search: Schema.optionalKey(Schema.String).annotateKey({
          description: "Words: those that have them in their names."
        }),
        draft: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`true`: drafts alone, `false`: those that are in force."
        }),
        orderBy: Schema.optionalKey(Schema.Literals(["createdAt", "updatedAt", "source"])).annotateKey({
          description: "The field to put the items in order by."
        })
      },
      success: listOf(Redirect)
    }),
    Operation.post("create", `${sitePath}/redirects`, {
      description: "Makes a redirect from a path of a site.",
      scopes: ["site:metadata:write"],
      params,
      payload: RedirectCreate,
      success: Redirect.pipe(HttpApiSchema.status(201))
    }),
    Operation.put("writeAll", `${sitePath}/redirects`, {
      description: "Makes, changes, deletes and publishes many redirects of a site, each by itself.",
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
      description: "What a renderer asks for: where a URL leads, and what the site there shows its visitor."
    })
  )
  .add(
    Operation.get("site", `${sitePath}/published`, {
      description: "Shows all that a renderer needs of a published site: structure, looks and scripts.",
      scopes: ["site:metadata:read"],
      params,
      query: ShareKeyQuery,
      success: PublishedSite
    }),
    Operation.get("redirect", `${sitePath}/redirect`, {
      description: "Finds the redirect of a site that a path leads to.",
      scopes: ["site:metadata:read"],
      params,
      query: {
        ...ShareKeyQuery,
        source: Schema.String.annotateKey({ description: "The path that the redirect leads away from." })
      },
      success: RedirectTarget
    })
  )
  .middleware(Authentication)
  .add(
    // The visitor's credentials count, whoever asks for it.
    Operation.post("url", "/urls/published", {
      description: "Finds the site, space and page that a URL leads to, with a token that reads them for the visitor.",
      scopes: ["site:metadata:read"],
      payload: PublishedUrlQuery,
      success: PublishedUrl
    }).middleware(OptionalAuthentication),
    Operation.get("urlByQuery", "/urls/published", {
      description: "Finds the site, space and page that a URL leads to, asked by query parameters.",
      scopes: ["site:metadata:read"],
      deprecated: true,
      query: PublishedUrlParams.fields,
      success: PublishedUrl
    }).middleware(OptionalAuthentication)
  )
  .middleware(Failures)

export const CustomHostnamesApi = HttpApiGroup.make("customHostnames")
  .annotateMerge(
    OpenApi.annotations({ title: "Custom hostnames", description: "Hostnames that sites have of their own." })
  )
  .add(
    Operation.get("get", "/custom-hostnames/:hostname", {
      description: "Shows a hostname of a site, and whether it is proved.",
      scopes: ["site:metadata:read"],
      params: hostname,
      success: CustomHostname
    }),
    Operation.patch("prove", "/custom-hostnames/:hostname", {
      description: "Looks again whether a hostname is proved to be the organization's.",
      scopes: ["site:metadata:write"],
      params: hostname,
      success: HttpApiSchema.NoContent
    }),
    Operation.delete("remove", "/custom-hostnames/:hostname", {
      description: "Takes a hostname away from its site.",
      scopes: ["site:metadata:write"],
      params: hostname,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
