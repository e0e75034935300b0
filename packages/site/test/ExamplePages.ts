/** Pages of sites as plain values, with everything that can surround a page. */
import {
  type Customization,
  type CustomizationPut,
  defaultCustomization,
  merged
} from "@lectern/core/customization/Customization"
import * as DocumentAnchors from "@lectern/document/DocumentAnchors"
import type { RenderDependencies } from "../src/document/BlockRenderer.ts"
import type { SitePage } from "../src/page/SitePage.ts"
import * as LocalizedMessages from "../src/page/LocalizedMessages.ts"
import { documentOf, everyPart } from "./Drawing.ts"

const entry = (title: string, more: Partial<SitePage["tree"][number]> = {}): SitePage["tree"][number] => ({
  id: title,
  title,
  url: `/docs/${title}`,
  isCurrent: false,
  isOpen: false,
  children: [],
  ...more
})

const url = (to: string) => ({ kind: "url", url: `https://acme.test/${to}` }) as const

/** Settings that show everything that can surround a page. */
export const everySetting: CustomizationPut = {
  themes: { default: "system" },
  feedback: { enabled: true },
  favicon: { emoji: "📗" },
  header: {
    links: [
      { title: "Shop", to: url("shop"), links: [] },
      { title: "More", to: null, links: [{ title: "Blog", to: url("blog") }] },
      { title: "Sign in", style: "button-primary", to: url("in"), links: [] }
    ]
  },
  footer: { copyright: "© Acme", groups: [{ title: "Company", links: [{ title: "About", to: url("about") }] }] },
  announcement: {
    enabled: true,
    message: "Version 2 is here.",
    style: "info",
    link: { title: "What is new", to: url("new") }
  },
  pageActions: { items: ["markdown", "pdf", "external-ai", "mcp", "git"] },
  git: { showEditLink: true },
  privacyPolicy: { url: "https://acme.test/privacy" },
  trademark: { enabled: true },
  socialAccounts: [{ platform: "github", handle: "acme", display: { footer: true, header: true } }]
}

export const customized = (settings: CustomizationPut): Customization => merged(defaultCustomization, settings)

export const examplePage = ({
  markdown,
  language = "en",
  settings = {},
  parts = everyPart,
  icon
}: {
  readonly markdown: string
  readonly language?: string
  readonly settings?: CustomizationPut
  readonly parts?: RenderDependencies
  readonly icon?: string
}): SitePage => {
  const document = DocumentAnchors.withAnchors(documentOf(markdown))
  const sections = ["Guides", "Reference"].map((title, i) => ({ title, url: `/docs/${title}`, isCurrent: i === 0 }))
  return {
    site: { id: "site", title: "Acme", home: "/docs/", isListed: true },
    base: "/docs/",
    customization: customized(settings),
    sections: [...sections, { title: "Others", sections: [{ title: "Labs", url: "/docs/labs", description: "New" }] }],
    variants: [
      { title: "2.0", url: "/docs/", isCurrent: true },
      { title: "1.0", url: "/docs/v1/" }
    ],
    tree: [
      entry("start"),
      {
        id: "group",
        title: "First steps",
        isCurrent: false,
        isOpen: true,
        children: [
          entry("install", { isCurrent: true, isOpen: true, children: [entry("linux"), entry("macos")] }),
          entry("closed", { emoji: "📦", children: [entry("within")] })
        ]
      },
      ...Array.from({ length: 24 }, (_, i) => entry(`page-${i}`))
    ],
    page: {
      id: "install",
      title: "Install",
      ...(icon !== undefined && { icon }),
      description: "From nothing to a page in a minute.",
      updatedAt: "2026-03-01T10:00:00.000Z",
      isListed: true,
      edit: { host: "GitHub", url: "https://github.com/acme/docs/edit/main/install.md" },
      layout: {
        width: "default",
        title: true,
        description: true,
        tableOfContents: true,
        outline: true,
        pagination: true,
        metadata: true,
        actions: true
      },
      document,
      outline: document.nodes.flatMap((block) =>
        block.type === "heading-1" && block.meta?.id !== undefined
          ? [{ id: block.meta.id, level: 1, title: block.meta.id }]
          : []
      )
    },
    breadcrumbs: [{ title: "First steps" }],
    previous: { title: "Start", url: "/docs/" },
    next: { title: "Linux", url: "/docs/linux" },
    canonicalUrl: "http://site.test/docs/install",
    alternates: { index: "/docs/llms.txt", markdown: "http://site.test/docs/install.md", languages: [] },
    dependencies: { ...parts, messages: LocalizedMessages.messagesFor(language) }
  }
}
