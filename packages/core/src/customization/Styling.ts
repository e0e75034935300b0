/**
 * Appearance of a site: theme, colors, fonts and styles of its parts.
 *
 * Limits: 100 faces of a font, 100 sources of a face, font family 50 characters, URLs 2,048 characters.
 */
import { Schema } from "effect"
import { HttpUrl } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { group, optional, setting } from "./SettingsTree.ts"

const Color = Schema.String.check(
  Schema.isPattern(/^#(?:[0-9a-fA-F]{3}){1,2}$/, { message: "Expected a colour such as #2f5bd7" })
)

/** Colors for the light and the dark mode. */
export const ThemedColor = Schema.Struct({ light: Color, dark: Color })

const themedColor = (light: string, dark: string) => group({ light: setting(Color, light), dark: setting(Color, dark) })

const Font = Schema.Literals([
  "ABCFavorit",
  "Inter",
  "Roboto",
  "RobotoSlab",
  "OpenSans",
  "SourceSansPro",
  "Lato",
  "Ubuntu",
  "Raleway",
  "Merriweather",
  "Overpass",
  "NotoSans",
  "IBMPlexSerif",
  "Poppins",
  "FiraSans"
])

const MonospaceFont = Schema.Literals([
  "FiraCode",
  "IBMPlexMono",
  "JetBrainsMono",
  "SourceCodePro",
  "RobotoMono",
  "SpaceMono",
  "DMMono",
  "Inconsolata"
])

/** Themes of highlighted code, by their names in highlighters. */
const CodeTheme = Schema.Literals([
  "default-light",
  "default-dark",
  "monochrome-light",
  "monochrome-dark",
  "andromeeda",
  "aurora-x",
  "ayu-dark",
  "catppuccin-frappe",
  "catppuccin-latte",
  "catppuccin-macchiato",
  "catppuccin-mocha",
  "dark-plus",
  "dracula",
  "dracula-soft",
  "everforest-dark",
  "everforest-light",
  "github-dark",
  "github-dark-default",
  "github-dark-dimmed",
  "github-dark-high-contrast",
  "github-light",
  "github-light-default",
  "github-light-high-contrast",
  "gruvbox-dark-hard",
  "gruvbox-dark-medium",
  "gruvbox-dark-soft",
  "gruvbox-light-hard",
  "gruvbox-light-medium",
  "gruvbox-light-soft",
  "houston",
  "kanagawa-dragon",
  "kanagawa-lotus",
  "kanagawa-wave",
  "laserwave",
  "light-plus",
  "material-theme",
  "material-theme-darker",
  "material-theme-lighter",
  "material-theme-ocean",
  "material-theme-palenight",
  "min-dark",
  "min-light",
  "monokai",
  "night-owl",
  "nord",
  "one-dark-pro",
  "one-light",
  "plastic",
  "poimandres",
  "red",
  "rose-pine",
  "rose-pine-dawn",
  "rose-pine-moon",
  "slack-dark",
  "slack-ochin",
  "snazzy-light",
  "solarized-dark",
  "solarized-light",
  "synthwave-84",
  "tokyo-night",
  "vesper",
  "vitesse-black",
  "vitesse-dark",
  "vitesse-light"
])

const codeTheme = group({
  light: setting(CodeTheme, "default-light"),
  dark: setting(CodeTheme, "default-dark")
})

const oneToHundred = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(100))

export const FontFamily = Text.between(1, 50)
export const FontWeight = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))

/** A font with the URLs of its files. */
const FontDefinition = Schema.Struct({
  id: Text.between(1, 256),
  custom: Schema.Boolean,
  fontFamily: FontFamily,
  fontFaces: oneToHundred(
    Schema.Struct({
      weight: FontWeight,
      sources: oneToHundred(
        Schema.Struct({ url: HttpUrl, format: Schema.optionalKey(Schema.Literals(["woff2", "woff"])) })
      )
    })
  )
})
export type FontDefinition = typeof FontDefinition.Type

export const styling = group({
  theme: setting(Schema.Literals(["clean", "muted", "bold", "gradient"]), "clean"),
  primaryColor: themedColor("#2f5bd7", "#8fb0ff"),
  tint: optional(Schema.Struct({ color: ThemedColor })),
  infoColor: themedColor("#1d6fb8", "#6db3f2"),
  successColor: themedColor("#2a7d46", "#63c788"),
  warningColor: themedColor("#9a6700", "#e0b04b"),
  dangerColor: themedColor("#b3261e", "#f2877f"),
  corners: setting(Schema.Literals(["straight", "rounded", "circular"]), "rounded"),
  depth: setting(Schema.Literals(["subtle", "flat"]), "subtle"),
  links: setting(Schema.Literals(["default", "accent"]), "default"),
  font: setting(Schema.Union([Font, FontDefinition]), "Inter"),
  monospaceFont: setting(Schema.Union([MonospaceFont, FontDefinition]), "FiraCode"),
  background: setting(Schema.Literals(["plain", "match"]), "plain"),
  icons: setting(Schema.Literals(["regular", "solid", "duotone", "light", "thin"]), "regular"),
  codeTheme: group({ default: codeTheme, openapi: codeTheme }),
  sidebar: group({
    background: setting(Schema.Literals(["default", "filled"]), "default"),
    list: setting(Schema.Literals(["default", "pill", "line"]), "default")
  }),
  search: setting(Schema.Literals(["prominent", "subtle"]), "prominent")
})
