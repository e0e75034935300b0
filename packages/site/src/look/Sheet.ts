/** The style sheet of all sites. Each site sets its properties (see `Style`). Later layers win over earlier ones. */
import * as ApiCss from "./ApiCss.ts"
import { barCss } from "./BarCss.ts"
import { baseCss } from "./BaseCss.ts"
import * as BlocksCss from "./BlocksCss.ts"
import * as ContentCss from "./ContentCss.ts"
import { layoutCss } from "./LayoutCss.ts"
import { partsCss } from "./PartsCss.ts"

/** Without comments and without the spaces that say nothing; strings stay as they are. */
const short = (rules: string): string =>
  rules
    .replace(/\/\*[^]*?\*\//g, "")
    .split(/("[^"]*")/)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part
            .replace(/\s+/g, " ")
            .replace(/ ?([{};,]) ?/g, "$1")
            .replaceAll(": ", ":")
    )
    .join("")
    .replaceAll(";}", "}")
    .trim()

const layer = (name: string, rules: string): string => `@layer ${name}{${rules}}`

export const css = [
  "@layer base,layout,content,parts,look;",
  layer("base", baseCss),
  layer("layout", layoutCss + barCss),
  ContentCss.css,
  ApiCss.css,
  layer("parts", partsCss)
]
  .map(short)
  .join("\n")

/** Loaded by pages with blocks of integrations. */
export const blocksCss = short(BlocksCss.css)
