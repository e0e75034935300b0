/** Mintlify: components. */
import type { Dialect } from "./Dialect.ts"
import { elementForms } from "./ElementForms.ts"

export const mintlify: Dialect = {
  names: ["mintlify"],
  frontMatter: { label: "sidebarTitle" },
  components: elementForms(
    {
      hint: "Callout Banner",
      tabs: "Tabs",
      tab: "Tab",
      steps: "Steps",
      step: "Step",
      columns: "Columns",
      column: "Column",
      details: "Accordion Expandable",
      cards: "CardGroup",
      card: "Card Tile",
      codes: "CodeGroup RequestExample ResponseExample",
      frame: "Frame",
      field: "ParamField ResponseField Property",
      update: "Update",
      group: "AccordionGroup Tooltip Panel View Latex",
      hidden: "Icon"
    },
    { info: "Note Info", success: "Tip Check", warning: "Warning", danger: "Danger" }
  )
}
