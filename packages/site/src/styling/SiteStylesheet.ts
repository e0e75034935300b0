/**
 * Style sheet of all sites, with the default values of the custom properties that a site sets (see
 * `CustomizationStyle`).
 */
import * as CustomizationStyle from "./CustomizationStyle.ts"
import * as Stylesheets from "./Stylesheets.ts"

export const css = `@layer base{:root{${CustomizationStyle.defaults}}}${Stylesheets.site}`
