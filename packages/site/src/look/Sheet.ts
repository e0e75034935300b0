/** Style sheet of all sites, with the default values of the custom properties that a site sets (see `Style`). */
import * as Style from "./Style.ts"
import * as Stylesheets from "./Stylesheets.ts"

export const css = `@layer base{:root{${Style.defaults}}}${Stylesheets.site}`
