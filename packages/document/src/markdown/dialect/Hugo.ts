/** Hugo: order and titles of pages in the navigation. */
import type { Dialect } from "./Dialect.ts"

export const hugo: Dialect = { names: ["hugo"], frontMatter: { weight: "weight", label: "linkTitle" } }
