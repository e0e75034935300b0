/** The texts that a language says. */
export interface Texts {
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
  /** Label of a link from a footnote back to its reference; `number` is `2`, or `2.1` if a footnote has several. */
  readonly backToText: (number: string) => string
  /** Of another website, by its name: nothing of it is loaded before. */
  readonly loadFrom: (name: string) => string
  /** A film or a sound. */
  readonly recording: string
  readonly hints: { readonly info: string; readonly warning: string; readonly danger: string; readonly success: string }
  readonly pages: string
  readonly sections: string
  /** Versions and languages of the same content. */
  readonly variants: string
  readonly onThisPage: string
  readonly breadcrumbs: string
  readonly previous: string
  readonly next: string
  readonly updated: (date: string) => string
  readonly menu: string
  /** A switch between light and dark. */
  readonly theme: string
  readonly updates: string
  /** In front of a link to the list of all pages for machines. */
  readonly forPrograms: string
  /** Message of a site without pages. */
  readonly noPages: string
  readonly notFound: string
  readonly notFoundText: string
  readonly signIn: string
  readonly signOff: string
  /** Whoever signs visitors on has sent one with a token that is no good. */
  readonly signOnFailed: string
  readonly signOnFailedText: string
  readonly tryAgain: string
  /** In front of pages that may be meant where there is none. */
  readonly suggestions: string
  /** Something does not work, and may again soon. */
  readonly failed: string
  readonly failedText: string
  readonly home: string
  readonly announcement: string
  readonly privacy: string
  readonly madeWith: (name: string) => string
  readonly copy: string
  readonly copied: string
  /** In front of what a picture shows. */
  readonly enlarge: string
  readonly diagram: string
  /** The text that a diagram is drawn from. */
  readonly diagramSource: string
  /** In place of what an integration should have drawn. */
  readonly notDrawn: string
  /** Below it, to whoever pressed more often than a minute allows. */
  readonly pressedOften: string
  readonly backToPage: string
  /** Question about programs of others that may set cookies. */
  readonly cookies: {
    readonly title: string
    readonly question: string
    readonly accept: string
    readonly reject: string
  }
  readonly search: string
  readonly searchIn: (site: string) => string
  readonly results: (count: number) => string
  readonly noResults: (query: string) => string
  readonly recent: string
  /** Scope of a search: all of the site, or what is read now. */
  readonly everywhere: string
  readonly here: string
  readonly actions: {
    readonly title: string
    readonly copyPage: string
    readonly viewMarkdown: string
    readonly pdf: string
    readonly openIn: (assistant: string) => string
    /** Is sent to an assistant. */
    readonly question: (url: string) => string
    readonly mcp: string
    readonly edit: (host: string) => string
    /** The PDF is being made. */
    readonly making: string
  }
  /** Of a PDF. */
  readonly paper: {
    readonly contents: string
    readonly untitled: string
    /** Stands for a picture that can't be shown; the next texts say why. */
    readonly picture: (said: string) => string
    readonly tooLarge: string
    readonly tooMany: string
    readonly unread: string
    readonly undrawn: string
    readonly othersUndrawn: string
    readonly unshown: (type: string) => string
    /** Of a part that some readers alone see, and of what the others see. */
    readonly condition: (expression: string) => string
    readonly otherwise: string
  }
  /** Of what is not published yet. */
  readonly preview: {
    readonly title: string
    readonly changeRequest: (number: number) => string
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
}
