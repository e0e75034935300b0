/**
 * Colors of code, from the code themes in a site's settings. A color with too little contrast to its background is made
 * lighter or darker until the contrast suffices (WCAG 2.2 AA).
 */
import type { Customization } from "@lectern/core/customization/Customization"
import { kinds, themes } from "./CodeThemes.ts"
import * as Colors from "./Colors.ts"

/** Themes in addition to `CodeThemes`: background, text, then one color for each of `kinds`. */
const builtInThemes: Readonly<Record<string, string>> = {
  "default-light": "f7f7f9 23262d 5a6270 0d6638 85480a 97430c 7c2ba8 515a68 1b50b8 0c6274 9c2430 704511 125f2b a3231b",
  "default-dark": "17191e e6e8ed a3abba 93d9a6 f2b884 f5b08a cfadf8 b7bfcd 94beff 88dae7 ffa6a6 ebcf96 93d9a6 ffa6a6",
  "monochrome-light": `f6f6f7 26282c 5c6068${" 26282c".repeat(kinds.length - 1)}`,
  "monochrome-dark": `1b1c1f e6e7ea a0a4ad${" e6e7ea".repeat(kinds.length - 1)}`
}

const propertyNames = ["code-ground", "code", ...kinds.map((kind) => `code-${kind}`)]

/**
 * Returns the background and the text colors of a theme. Text is readable also on the backgrounds of highlighted and
 * changed lines.
 */
const colorsOf = (theme: string, styling: Customization["styling"], mode: "light" | "dark"): ReadonlyArray<string> => {
  const [background, ...foregrounds] = (builtInThemes[theme] ?? themes[theme] ?? builtInThemes["default-light"]!)
    .split(" ")
    .map((hex) => `#${hex}`)
  const highlightBackgrounds = [styling.primaryColor, styling.successColor, styling.dangerColor].map((color) =>
    Colors.mix(color[mode], background!, 0.13)
  )
  return [
    background!,
    ...foregrounds.map((foreground) => Colors.makeReadable(foreground, [background!, ...highlightBackgrounds]))
  ]
}

/** Returns custom properties and their values. `use`: code of pages, or of API references. */
export const properties = (
  { styling }: Customization,
  use: keyof Customization["styling"]["codeTheme"] = "default"
): ReadonlyArray<readonly [string, string]> => {
  const { light, dark } = styling.codeTheme[use]
  const [lightColors, darkColors] = [colorsOf(light, styling, "light"), colorsOf(dark, styling, "dark")]
  return propertyNames.map((name, i) => [name, `light-dark(${lightColors[i]},${darkColors[i]})`] as const)
}
