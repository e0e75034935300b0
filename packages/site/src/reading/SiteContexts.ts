/**
 * Reads the data that surrounds the content of a site: customization, navigation, messages, and details of a preview.
 */
import type { Previews } from "@lectern/core/publishing/Previews"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import type { Customization } from "@lectern/core/customization/Customization"
import { signOnPath } from "@lectern/core/integration/IntegrationEndpoints"
import type { SiteMount } from "@lectern/core/site/SiteAddress"
import { Effect } from "effect"
import type { RenderDependencies } from "../document/BlockRenderer.ts"
import type { SiteContext, NavSection } from "../page/SitePage.ts"
import { signOffPath } from "../page/Footer.ts"
import * as LocalizedMessages from "../page/LocalizedMessages.ts"
import * as LinkTargets from "./LinkTargets.ts"

/** Returns the customization of a site space. Previews have no feedback form, since their content is not published. */
export const customizationOf = (
  { customizations }: PublishedSite,
  { siteSpace, preview }: PublishedContent
): Customization => {
  const own = customizations.siteSpaces[siteSpace] ?? customizations.site
  return preview === true ? { ...own, feedback: { ...own.feedback, enabled: false } } : own
}

/** Returns the preview that the reader sees; undefined if the content is published. */
export const previewOf = Effect.fnUntraced(function* (previews: Previews["Service"], { preview }: PublishedContent) {
  const currentPreview = preview === true ? yield* previews.current() : undefined
  if (currentPreview === undefined) return undefined
  const { changeRequest, published } = currentPreview
  return {
    ...(changeRequest && { changeRequest: { number: changeRequest.number, subject: changeRequest.subject } }),
    ...(published !== undefined && { published })
  } satisfies SiteContext["preview"]
})

export interface SiteContextInput {
  readonly customization: Customization
  /** Language of the content, if set. */
  readonly language: string | undefined
  readonly targetOf: RenderDependencies["targetOf"]
  readonly snippets: Pick<RenderDependencies, "highlight" | "formula" | "icon">
  readonly api: RenderDependencies["api"]
  readonly integration: RenderDependencies["integration"]
  readonly preview: SiteContext["preview"]
  /** Set if the site is written to files. */
  readonly staticSite?: SiteMount["staticSite"] | undefined
  /** URLs of the same page in variants, by the id of the site space. Default: front pages of the variants. */
  readonly variantUrls?: ReadonlyMap<string, string>
}

export const siteContextOf = (
  published: PublishedContent,
  site: PublishedSite,
  { customization, language, targetOf, snippets, api, integration, preview, staticSite, variantUrls }: SiteContextInput
): SiteContext => ({
  site: {
    id: published.site,
    title: site.site.title,
    home: published.siteBasePath,
    isListed: site.site.visibility === "public" && preview === undefined,
    ...(staticSite && { staticSite })
  },
  base: published.basePath,
  customization,
  sections: sectionsOf(site, published),
  variants: variantsOf(site, published, variantUrls),
  dependencies: {
    targetOf,
    messages: LocalizedMessages.messagesFor(customization.internationalization.locale, language),
    ...snippets,
    integration,
    api,
    opensNewWindows: customization.externalLinks.target === "blank",
    theme: {}
  },
  ...(preview ? { preview } : signInLinks(published, site))
})

/**
 * Returns a link to sign out if the reader is signed in. Returns a link to sign in if the site is open to everyone and
 * adapts its content to visitors.
 */
const signInLinks = (published: PublishedContent, { site }: PublishedSite): Pick<SiteContext, "signIn" | "signOff"> => {
  const { session, siteBasePath, canonicalUrl } = published
  if (session !== undefined) return { signOff: siteBasePath + signOffPath }
  const { visibility, adaptiveContent, urls } = site
  const isOpen = visibility === "public" || visibility === "unlisted"
  const signIn = isOpen && adaptiveContent.enabled ? URL.parse(urls.login ?? "") : null
  if (signIn === null) return {}
  const path = new URL(canonicalUrl).pathname
  const home = urls.published === undefined ? undefined : new URL(urls.published).pathname
  // Integrations expect a location below the URL of the site, and applications expect a whole path.
  const isBelow = signIn.pathname.endsWith(signOnPath) && home !== undefined && path.startsWith(home)
  signIn.searchParams.set("location", isBelow ? path.slice(home.length) : path)
  return { signIn: signIn.href }
}

const sectionsOf = ({ structure }: PublishedSite, { siteSection }: PublishedContent): SiteContext["sections"] => {
  if (structure.type !== "sections") return []
  type Section = Extract<(typeof structure.structure)[number], { readonly object: "site-section" }>
  const navSection = (section: Section): NavSection => ({
    title: section.title,
    url: section.urls.published ?? "",
    isCurrent: section.id === siteSection,
    ...(section.icon !== undefined && { icon: section.icon }),
    ...(section.description !== undefined && { description: section.description })
  })
  return structure.structure.map((entry) =>
    entry.object === "site-section"
      ? navSection(entry)
      : {
          title: entry.title,
          ...(entry.icon !== undefined && { icon: entry.icon }),
          sections: entry.sections.map(navSection)
        }
  )
}

/** Returns the variants of the displayed section, including the displayed site space. */
const variantsOf = (
  site: PublishedSite,
  { siteSection, siteSpace }: PublishedContent,
  variantUrls: SiteContextInput["variantUrls"]
): SiteContext["variants"] =>
  LinkTargets.siteSpacesOf(site)
    .filter(({ section }) => section === siteSection)
    .map(({ id, title, urls, space }) => ({
      title,
      url: variantUrls?.get(id) ?? urls.published ?? "",
      language: space.language,
      isCurrent: id === siteSpace
    }))
