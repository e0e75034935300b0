/**
 * Content of one page of a site for one reader, as plain values: the page, its navigation and the site's settings.
 * `Layout` renders HTML from these values only, so hosts can render pages that they create.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import type { Document } from "@lectern/document/Document"
import type { Effect } from "effect"
import type { RenderDependencies } from "../document/BlockRenderer.ts"
import type { SiteScripts } from "./SiteScripts.ts"

export interface Link {
  readonly title: string
  readonly url: string
  /** Language of the target, and so of the title. Default: the page's language, or unknown. */
  readonly language?: string | undefined
  readonly isCurrent?: boolean
}

/** Entry of the tree of pages. An entry without a URL is a group. */
export interface NavEntry {
  readonly id: string
  readonly title: string
  readonly url?: string
  readonly emoji?: string
  readonly icon?: string
  /** HTTP method in lower case, or `hook`, of an entry for an operation of an API. */
  readonly method?: string
  /** True if the entry is the displayed page. */
  readonly isCurrent: boolean
  /** True if the entry is the displayed page or one of its ancestors. */
  readonly isOpen: boolean
  readonly children: ReadonlyArray<NavEntry>
}

export interface NavSection extends Link {
  readonly icon?: string
  readonly description?: string
}
/** Sections grouped under a title. */
export interface NavSectionGroup {
  readonly title: string
  readonly icon?: string
  readonly sections: ReadonlyArray<NavSection>
}

export interface OutlineEntry {
  readonly id: string
  readonly title: string
  /** Level of the heading, starting at 1. */
  readonly level: number
}

export interface Alternates {
  /** URL of the list of all pages of the site for machines. */
  readonly index: string
  readonly markdown?: string
  /** URL of the Atom feed of the page's updates. */
  readonly feed?: string
  /**
   * URLs of the page in each language of the site, including the language of this page; empty if the site has one
   * language.
   */
  readonly languages: ReadonlyArray<{
    /** BCP 47 tag, or `x-default`. */
    readonly language: string
    readonly url: string
  }>
}

/** Box with a link to a page. */
export interface PageCard extends Link {
  readonly description?: string
  readonly emoji?: string
  readonly icon?: string
}

/** Settings, navigation and messages that surround the content of a site. */
export interface SiteContext {
  readonly site: {
    readonly id: string
    readonly title: string
    /** Path of the front page. */
    readonly home: string
    /** True if search engines may list the site. */
    readonly isListed: boolean
    /** Set if the site is written to files (see `SiteMount`). */
    readonly staticSite?: { readonly hasPublicUrl: boolean; readonly hasPictures: boolean }
  }
  /** Base path of the space's pages, with a trailing slash. */
  readonly base: string
  readonly customization: Customization
  readonly sections: ReadonlyArray<NavSection | NavSectionGroup>
  /** Versions or languages of the same content. */
  readonly variants: ReadonlyArray<Link>
  /** Scripts of integrations. Default: no scripts. */
  readonly scripts?: SiteScripts
  readonly dependencies: RenderDependencies
  /** URL to sign in. Set if signed-in readers may see more content. */
  readonly signIn?: string
  /** Path to sign out. Set if the reader is signed in. */
  readonly signOff?: string
  /** Details of a preview. Set only in previews. */
  readonly preview?: {
    readonly changeRequest?: { readonly number: number; readonly subject: string }
    /** URL of the published site. */
    readonly published?: string
  }
}

export interface SitePage extends SiteContext {
  readonly tree: ReadonlyArray<NavEntry>
  readonly page: {
    readonly id: string
    readonly title: string
    /** Anchor of an omitted heading that repeats the title. The title gets this anchor. */
    readonly titleId?: string
    readonly description?: string
    readonly emoji?: string
    readonly icon?: string
    /** Time of the last change. Default: not shown. */
    readonly updatedAt?: string
    readonly isListed: boolean
    /** Language of the page's content, if known. */
    readonly language?: string
    /** Link to where the page is edited: its file in a Git repository of `host`, or the app. Default: no link. */
    readonly edit?: { readonly host?: string; readonly url: string }
    readonly layout: {
      readonly width: "default" | "wide"
      readonly title: boolean
      readonly description: boolean
      readonly tableOfContents: boolean
      readonly outline: boolean
      readonly pagination: boolean
      readonly metadata: boolean
      readonly actions: boolean
    }
    readonly cover?: { readonly url: string; readonly dark?: string; readonly isFull: boolean }
    readonly document: Document
    readonly outline: ReadonlyArray<OutlineEntry>
  }
  readonly breadcrumbs: ReadonlyArray<{ readonly title: string; readonly url?: string }>
  /** Child pages of a page without text, displayed instead of text. Default: none. */
  readonly cards?: ReadonlyArray<PageCard>
  readonly previous?: Link
  readonly next?: Link
  /** Canonical URL of the page. */
  readonly canonicalUrl: string
  /** Other URLs of the same content. */
  readonly alternates: Alternates
  /** URL of the picture in link previews of the page. */
  readonly socialImage?: string
  /**
   * Returns false if the rendered page lacks a part that was not ready, such as highlighted code. Called after
   * rendering. Default: true.
   */
  readonly isComplete?: () => boolean
  /**
   * Waits for parts that are being prepared and that the rendered page lacks. The page is rendered again afterwards. If
   * undefined, or if the result is undefined, no parts will follow.
   */
  readonly pending?: () => Effect.Effect<void> | undefined
  /**
   * Returns the origins that the reader's browser may call from the page. Called after rendering. Default: no origins.
   */
  readonly callableOrigins?: () => ReadonlyArray<string>
}
