/** VitePress: groups of code between a line `::: code-group` and a line `:::`. Its hints are those of Docusaurus. */
import type { Dialect } from "./Dialect.ts"
import { elementForms } from "./ElementForms.ts"

export const vitePress: Dialect = {
  names: ["vitepress"],
  directives: elementForms({ codes: "code-group" })
}
