/**
 * Styles of a site's settings, as custom properties for the style sheet and as classes of the root element. Colors of
 * settings are converted (see `Palette`), and font names and URLs are escaped (see `Fonts`).
 */
import { type Customization, defaultCustomization } from "@lectern/core/customization/Customization"
import { type Html, trusted } from "../html/Html.ts"
import * as CodeColors from "./CodeColors.ts"
import * as Fonts from "./Fonts.ts"
import * as Palette from "./Palette.ts"

const radius = { straight: "0px", rounded: "8px", circular: "16px" } as const

/** Returns custom properties and their values. */
const properties = (customization: Customization): ReadonlyArray<readonly [string, string]> => {
  const lightPalette = Palette.paletteOf(customization, "light")
  const darkPalette = Palette.paletteOf(customization, "dark")
  return [
    ...Object.keys(lightPalette).map(
      (name) => [name, `light-dark(${lightPalette[name]},${darkPalette[name]})`] as const
    ),
    ...CodeColors.properties(customization),
    ["radius", radius[customization.styling.corners]],
    ["font", Fonts.fontFamily(customization.styling.font, "text")],
    ["mono", Fonts.fontFamily(customization.styling.monospaceFont, "code")]
  ]
}

const declarations = (entries: ReadonlyArray<readonly [string, string]>): string =>
  entries.map(([name, value]) => `--${name}:${value}`).join(";")

const defaultProperties = properties(defaultCustomization)

/** CSS declarations of the default customization. The style sheet of all sites contains these declarations. */
export const defaults: string = declarations(defaultProperties)

/** Returns the rule for code in API references, if its theme differs from that of pages. */
const apiRules = (customization: Customization): string => {
  const { default: pageTheme, openapi } = customization.styling.codeTheme
  return openapi.light === pageTheme.light && openapi.dark === pageTheme.dark
    ? ""
    : `.api{${declarations(CodeColors.properties(customization, "openapi"))}}`
}

const rulesCache = new WeakMap<Customization, string>()

/** Returns the rules that differ from the style sheet's defaults; empty if nothing differs. */
export const styleOf = (customization: Customization, fonts?: Fonts.LoadedFonts): Html => {
  let rules = rulesCache.get(customization)
  if (rules === undefined) {
    const changedProperties = properties(customization).filter(([, value], i) => value !== defaultProperties[i]![1])
    rules = `${changedProperties.length === 0 ? "" : `:root{${declarations(changedProperties)}}`}${apiRules(customization)}`
    rulesCache.set(customization, rules)
  }
  const { font, monospaceFont } = customization.styling
  return trusted(`${Fonts.fontFaceRules(font, fonts)}${Fonts.fontFaceRules(monospaceFont, fonts)}${rules}`)
}

/** Returns the classes of the root element, for settings other than colors. */
export const classes = ({ styling, header }: Customization): string | undefined => {
  const classNames = [
    styling.theme !== "clean" && `theme-${styling.theme}`,
    styling.depth === "flat" && "flat",
    styling.corners === "circular" && "circular",
    styling.links === "accent" && "links-accent",
    styling.sidebar.background === "filled" && "sidebar-filled",
    styling.sidebar.list !== "default" && `list-${styling.sidebar.list}`,
    styling.search === "subtle" && "search-subtle",
    header.preset !== "default" && `header-${header.preset}`
  ].filter((name) => name !== false)
  return classNames.length === 0 ? undefined : classNames.join(" ")
}
