/** Documents from Markdown, and default parts to render them. */
import type { Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { html } from "../src/html/Html.ts"
import type { RenderDependencies, LinkTarget } from "../src/document/BlockRenderer.ts"
import * as LocalizedMessages from "../src/page/LocalizedMessages.ts"

export const parts: RenderDependencies = {
  targetOf: (ref) => (ref.kind === "url" ? { url: ref.url, title: ref.url } : undefined),
  messages: LocalizedMessages.messagesFor("en"),
  highlight: () => undefined,
  formula: () => undefined,
  icon: () => undefined,
  integration: () => undefined,
  api: () => undefined,
  opensNewWindows: false,
  theme: {}
}

export const documentOf = (markdown: string): Document => {
  let last = 0
  return Markdown.parse(markdown, { nextKey: () => `k${++last}` }).document
}

const picture = (name: string, width: number, height: number): LinkTarget => ({
  url: `http://files.test/${name}.svg`,
  title: `${name}.svg`,
  file: { contentType: "image/svg+xml", size: 1_200, dimensions: { width, height } }
})

/** Files and pages to which the page with every block refers. */
const targets: Readonly<Record<string, LinkTarget>> = {
  wide: picture("wide", 960, 480),
  light: picture("light", 640, 320),
  dark: picture("dark", 640, 320),
  small: picture("small", 24, 24),
  "sketch.excalidraw.svg": picture("sketch", 640, 320),
  list: {
    url: "http://files.test/list.pdf",
    title: "price-list.pdf",
    file: { contentType: "application/pdf", size: 482_113 }
  },
  guide: { title: "Ada Lovelace" },
  start: { url: "/start", title: "Quick start", icon: "rocket", description: "From nothing to a page in a minute" }
}

/** Parts that render the page with every block. */
export const everyPart: RenderDependencies = {
  ...parts,
  targetOf: (ref) =>
    ref.kind === "file" ? targets[ref.file] : ref.kind === "page" ? targets[ref.page] : parts.targetOf(ref),
  icon: (name) =>
    name === ""
      ? undefined
      : html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1l2 5h5l-4 3 2 6-5-4-5 4 2-6-4-3h5z" /></svg>`
}
