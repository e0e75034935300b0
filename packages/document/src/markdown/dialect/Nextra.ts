/** Nextra: components. Titles of tabs are in a list of the group. */
import type { Dialect } from "./Dialect.ts"
import { elementForms } from "./ElementForms.ts"

export const nextra: Dialect = {
  names: ["nextra"],
  components: elementForms({
    hint: "Callout",
    tabs: "Tabs",
    tab: "Tab Tabs.Tab",
    cards: "Cards",
    card: "Cards.Card",
    image: "Image",
    group: "Steps FileTree",
    link: "Link"
  })
}
