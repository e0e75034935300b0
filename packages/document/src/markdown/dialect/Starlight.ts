/** Starlight: components, and the mapping for the navigation in front matter. */
import type { Dialect } from "./Dialect.ts"
import { elementForms } from "./ElementForms.ts"

export const starlight: Dialect = {
  names: ["starlight", "astro"],
  frontMatter: { mapping: "sidebar" },
  components: elementForms({
    hint: "Aside",
    tabs: "Tabs",
    tab: "TabItem",
    cards: "CardGrid",
    card: "Card LinkCard",
    code: "Code",
    image: "Image",
    link: "LinkButton",
    group: "Steps FileTree Badge",
    hidden: "Icon"
  })
}
