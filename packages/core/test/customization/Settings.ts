/** Settings with every field of the description in them. */
import type { Customization } from "@lectern/core/customization/Customization"

const light = "#FFF"
const dark = "#0a0B0c"
const colour = { light, dark }
const picture = { light: "https://files.example.com/light.png", dark: "http://files.example.com/dark.png?a=1#b" }
const url = "https://example.com/privacy"

const font = (id: string) => ({
  id,
  custom: true,
  fontFamily: "Own Sans",
  fontFaces: [
    { weight: 400, sources: [{ url: "https://files.example.com/own.woff2", format: "woff2" as const }] },
    { weight: 1000, sources: [{ url: "https://files.example.com/own" }] }
  ]
})

export const full: Customization = {
  title: "The manual",
  styling: {
    theme: "gradient",
    primaryColor: colour,
    tint: { color: colour },
    infoColor: colour,
    successColor: colour,
    warningColor: colour,
    dangerColor: colour,
    corners: "circular",
    depth: "flat",
    links: "accent",
    font: font("sans"),
    monospaceFont: font("mono"),
    codeTheme: { default: { light: "min-light", dark: "nord" }, openapi: { light: "one-light", dark: "dracula" } },
    background: "match",
    icons: "duotone",
    sidebar: { background: "filled", list: "pill" },
    search: "subtle"
  },
  internationalization: { locale: "pt-br" },
  favicon: { emoji: "🧭" },
  header: {
    preset: "bold",
    logo: picture,
    backgroundColor: colour,
    linkColor: colour,
    links: [
      {
        title: "More",
        style: "button-primary",
        to: null,
        links: [
          { title: "Home", to: { kind: "url", url: "https://example.com" } },
          { title: "Guide", to: { kind: "page", page: "guide", space: "docs" } },
          { title: "Write", to: { kind: "url", url: "mailto:docs@example.com" } },
          { title: "Start", to: { kind: "url", url: "/start" } }
        ],
        condition: "visitor.claims.beta"
      },
      { title: "Docs", to: { kind: "space", space: "docs" }, links: [] }
    ]
  },
  footer: {
    logo: picture,
    groups: [{ title: "Company", links: [{ title: "About", to: { kind: "url", url: "https://example.com/about" } }] }],
    copyright: "© Acme"
  },
  announcement: {
    enabled: true,
    message: "A new release",
    link: { title: "Read", to: { kind: "anchor", anchor: "new", page: "changes" } },
    style: "success"
  },
  themes: { default: "dark", toggeable: false },
  pdf: { enabled: false },
  feedback: { enabled: true },
  ai: { mode: "assistant" },
  advancedCustomization: { enabled: true },
  git: { showEditLink: true },
  pageActions: { externalAI: true, markdown: false, mcp: true, items: ["mcp", "assistant"] },
  socialAccounts: [{ platform: "github", handle: "acme", display: { footer: true, header: false } }],
  externalLinks: { target: "blank" },
  pagination: { enabled: false },
  trademark: { enabled: true },
  privacyPolicy: { url },
  socialPreview: { url },
  insights: { trackingCookie: false }
}
