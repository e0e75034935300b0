/** Lists the built-in templates. */
import { apiReference } from "./ApiReference.ts"
import { changelog } from "./Changelog.ts"
import { handbook } from "./Handbook.ts"
import { productDocs } from "./ProductDocs.ts"
import type { Template } from "./Template.ts"

export const builtIn: ReadonlyArray<Template> = [productDocs, apiReference, handbook, changelog]
