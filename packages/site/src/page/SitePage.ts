/**
 * Everything that one page of a site shows one reader: the page and what stands around it, as plain values. `Layout`
 * makes HTML of it and of nothing else, so a host can draw a page of its own making.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import type { Document } from "@lectern/document/Document"
import type { Effect } from "effect"
import type { Parts } from "../document/Rendering.ts"
import type { SiteScripts } from "./SiteScripts.ts"

export interface Link {
  readonly title: string
  readonly url: string
  /** Of what it leads to, and so of its title. Default: as that of the page, or not known. */
  readonly language?: string | undefined
  readonly isCurrent?: boolean
}

/** An entry of the tree of pages; without a URL a group. */
export interface NavEntry {
  readonly id: string
  readonly title: string
  readonly url?: string
  readonly emoji?: string
  readonly icon?: string
  /** The page that is shown. */
  readonly isCurrent: boolean
  /** It, or something below it, is shown. */
  readonly isOpen: boolean
  readonly children: ReadonlyArray<NavEntry>
}

export interface NavSection extends Link {
  readonly icon?: string
  readonly description?: string
}
/** Sections that stand together under a title. */
export interface NavSectionGroup {
  readonly title: string
  readonly icon?: string
  readonly sections: ReadonlyArray<NavSection>
}

export interface OutlineEntry {
  readonly id: string
  readonly title: string
  /** From 1. */
  readonly level: number
}

export interface Alternates {
  /** The list of all pages of the site for machines. */
  readonly index: string
  readonly markdown?: string
  /** Atom of the updates on the page. */
  readonly feed?: string
  /** The page in each language of the site, its own among them; empty where there is one language alone. */
  readonly languages: ReadonlyArray<{
    /** BCP 47, or `x-default`. */
    readonly language: string
    readonly url: string
  }>
}

/** Box with a link to a page. */
export interface Card extends Link {
  readonly description?: string
  readonly emoji?: string
  readonly icon?: string
}

/** Everything around whatever a site shows. */
export interface Around {
  readonly site: {
    readonly id: string
    readonly title: string
    /** Path of its front page. */
    readonly home: string
    /** True where search engines may list it. */
    readonly isListed: boolean
  }
  /** Path that the pages of the space stand behind; ends with a slash. */
  readonly base: string
  readonly customization: Customization
  readonly sections: ReadonlyArray<NavSection | NavSectionGroup>
  /** Versions or languages of the same content. */
  readonly variants: ReadonlyArray<Link>
  /** Of integrations. Default: none. */
  readonly scripts?: SiteScripts
  readonly parts: Parts
  /** URL at which a reader signs on to whom the site would show more then. */
  readonly signIn?: string
  /** Path at which a reader who has signed on signs off. */
  readonly signOff?: string
  /** Set in a preview, which few may see. */
  readonly preview?: {
    readonly changeRequest?: { readonly number: number; readonly subject: string }
    /** URL of the published site. */
    readonly published?: string
  }
}

export interface SitePage extends Around {
  readonly tree: ReadonlyArray<NavEntry>
  readonly page: {
    readonly id: string
    readonly title: string
    /** Anchor of a heading that repeats the title. The title has it in place of that heading. */
    readonly titleId?: string
    readonly description?: string
    readonly emoji?: string
    readonly icon?: string
    readonly updatedAt: string
    readonly isListed: boolean
    /** Language that it is written in, where that is known. */
    readonly language?: string
    /** The file in a Git repository that it is kept in. */
    readonly edit?: { readonly host: string; readonly url: string }
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
  readonly below?: ReadonlyArray<Card>
  readonly previous?: Link
  readonly next?: Link
  /** Address that stands for all spellings of this page's. */
  readonly canonicalUrl: string
  /** Other addresses of the same content. */
  readonly alternates: Alternates
  /** Picture that stands for the page where a link to it is shown. */
  readonly picture?: string
  /**
   * Asked when it is drawn: false where something in it was not there yet, such as code to be highlighted. Default:
   * true.
   */
  readonly isWhole?: () => boolean
  /**
   * Waits for what a drawing of it missed and is being made; it is to be drawn once more then. Undefined, as is the
   * answer, where nothing will come.
   */
  readonly arriving?: () => Effect.Effect<void> | undefined
  /** Asked when it is drawn: origins that the reader may call from it. Default: none. */
  readonly calls?: () => ReadonlyArray<string>
}
