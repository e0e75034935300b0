/** Fern: components. */
import type { Dialect } from "./Dialect.ts"
import { elementForms } from "./ElementForms.ts"

export const fern: Dialect = {
  names: ["fern"],
  components: elementForms(
    {
      hint: "Callout",
      tabs: "Tabs",
      tab: "Tab",
      steps: "Steps",
      step: "Step",
      cards: "CardGroup",
      card: "Card",
      details: "Accordion",
      codes: "CodeBlocks CodeGroup",
      code: "CodeBlock",
      frame: "Frame",
      field: "ParamField",
      group: "AccordionGroup Tooltip Indent",
      link: "Button",
      hidden: "Icon Anchor"
    },
    {
      info: "Info Note Launch",
      success: "Success Check Tip",
      warning: "Warning",
      danger: "Error Danger"
    }
  )
}
