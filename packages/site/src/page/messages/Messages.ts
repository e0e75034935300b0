/**
 * Messages of one language: the shape of the JSON files in this folder. A name in braces is a placeholder, such as
 * `{date}`. Each message with a placeholder names it here.
 */
import type { Plural } from "@lectern/core/schema/InterfaceLanguage"

export interface Messages {
  readonly skipToContent: string
  readonly linkToHeading: string
  readonly done: string
  readonly open: string
  readonly close: string
  readonly showAll: string
  readonly prompt: string
  readonly missing: string
  readonly table: string
  readonly code: string
  readonly footnotes: string
  /** Label of a link from a footnote back to its reference. `{number}` is `2`, or `2.1` if a footnote has several. */
  readonly backToText: string
  /** Button that loads content of another website. `{name}` is the name of the website. */
  readonly loadFrom: string
  /** Label of a video or an audio file. */
  readonly recording: string
  readonly hints: { readonly info: string; readonly warning: string; readonly danger: string; readonly success: string }
  readonly pages: string
  readonly sections: string
  /** Label of the menu of versions and languages. */
  readonly variants: string
  readonly onThisPage: string
  readonly breadcrumbs: string
  readonly previous: string
  readonly next: string
  /** Date of the last change to the page, with `{date}`. */
  readonly updated: string
  readonly menu: string
  /** Label of the button that switches between light and dark mode. */
  readonly theme: string
  readonly updates: string
  /** Precedes a link to the list of all pages for machines. */
  readonly forPrograms: string
  /** Message of a site without pages. */
  readonly noPages: string
  readonly noPagesText: string
  /** Shown in previews. */
  readonly noPagesForMembers: string
  readonly notFound: string
  readonly notFoundText: string
  readonly signIn: string
  readonly signOff: string
  /** Message if the sign-in provider sent the visitor with an invalid token. */
  readonly signOnFailed: string
  readonly signOnFailedText: string
  readonly tryAgain: string
  /** Precedes suggested pages if a page does not exist. */
  readonly suggestions: string
  /** Message for a temporary failure. */
  readonly failed: string
  readonly failedText: string
  readonly home: string
  readonly announcement: string
  readonly privacy: string
  /** Credit for the software, with `{name}`. */
  readonly madeWith: string
  readonly copy: string
  readonly copied: string
  /** Precedes the description of an image. */
  readonly enlarge: string
  readonly diagram: string
  /** Label of the source text of a diagram. */
  readonly diagramSource: string
  /** Replaces a block that an integration failed to render. */
  readonly notDrawn: string
  /** Message if a reader used the actions of a block more often than its limit for a minute. */
  readonly pressedOften: string
  readonly backToPage: string
  /** Question about third-party scripts that may set cookies. */
  readonly cookies: {
    readonly title: string
    readonly question: string
    readonly accept: string
    readonly reject: string
  }
  readonly search: string
  /** Label of the search field, with `{site}`. */
  readonly searchIn: string
  /** Message of the page of results of a static site for readers without scripts. */
  readonly searchNeedsScript: string
  /** Number of results, with `{count}`. */
  readonly results: Plural
  /** Message if no page matches, with `{query}`. */
  readonly noResults: string
  readonly recent: string
  readonly suggested: string
  /** Scope of a search: the whole site, or the current section. */
  readonly everywhere: string
  readonly here: string
  readonly actions: {
    readonly title: string
    readonly copyPage: string
    readonly viewMarkdown: string
    readonly pdf: string
    /** Label of a link that opens the page in an assistant, with `{assistant}`. */
    readonly openIn: string
    /** Prompt for an assistant. With `{url}`. */
    readonly question: string
    readonly mcp: string
    /** Label of a link to the page's file in a repository, with `{host}`. */
    readonly edit: string
    /** Label of a link that opens the page in the app for writing. */
    readonly editPage: string
    /** Message while the PDF is being prepared. */
    readonly making: string
  }
  /** Messages in PDFs. */
  readonly paper: {
    readonly contents: string
    readonly untitled: string
    /** Replaces an image that cannot be displayed. `{said}` is the reason: one of the next messages. */
    readonly picture: string
    readonly tooLarge: string
    readonly tooMany: string
    readonly unread: string
    readonly undrawn: string
    readonly othersUndrawn: string
    /** Replaces a block that a PDF cannot contain, with `{type}`, the type of the block. */
    readonly unshown: string
    /** Heading of a part for some readers, with `{expression}`, and of the part for the other readers. */
    readonly condition: string
    readonly otherwise: string
  }
  /** Messages in previews of unpublished content. */
  readonly preview: {
    readonly title: string
    /** Title of the preview of a change request, with `{number}`. */
    readonly changeRequest: string
    readonly back: string
  }
  readonly feedback: {
    readonly question: string
    readonly bad: string
    readonly ok: string
    readonly good: string
    readonly comment: string
    readonly send: string
    readonly thanks: string
  }
  readonly api: ApiMessages
}

/** Messages of the API reference. */
export interface ApiMessages {
  readonly authorization: string
  readonly servers: string
  readonly parameters: Readonly<Record<"path" | "query" | "header" | "cookie", string>>
  readonly body: string
  readonly responses: string
  readonly headers: string
  readonly required: string
  readonly deprecated: string
  readonly readOnly: string
  readonly writeOnly: string
  readonly oneOf: string
  readonly anyOf: string
  readonly properties: string
  readonly anyProperty: string
  readonly values: string
  readonly default: string
  readonly example: string
  readonly asAbove: string
  readonly more: string
  readonly either: string
  readonly optional: string
  readonly characters: string
  readonly items: string
  readonly schema: SchemaMessages
  readonly try: TryMessages
}

/** Messages that describe the constraints of a schema in the API reference. */
export interface SchemaMessages {
  /** Unit after a number of properties. */
  readonly propertyCount: string
  readonly unique: string
  readonly closed: string
  readonly requires: string
  readonly names: string
  readonly contains: string
  readonly not: string
  readonly condition: Readonly<Record<"test" | "met" | "unmet", string>>
  readonly callbacks: string
  readonly links: string
}

/** Messages of the form that tries an operation. */
export interface TryMessages {
  readonly tryIt: string
  readonly send: string
  readonly sending: string
  readonly answer: string
  /** Failure of a request that the browser sent. */
  readonly failed: string
  /** Failure of a request that the server of the site sent. */
  readonly failedProxy: string
  readonly cut: string
  readonly nothing: string
  /** Follows the number of bytes of a response that is not text. */
  readonly bytes: string
  readonly proxied: string
  readonly direct: string
  readonly cookies: string
  readonly user: string
  readonly password: string
  readonly token: string
  readonly commas: string
  readonly server: string
  readonly scheme: string
  readonly none: string
}
