/**
 * Colors of a site in one mode, derived from the colors in its settings. Text is readable on all of its backgrounds
 * (WCAG 2.2 AA): a color with too little contrast is made lighter or darker.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import * as Colors from "./Colors.ts"

export type Mode = "light" | "dark"

/** Colors by the name of their custom property. */
export type Palette = Readonly<Record<string, string>>

/** Lightness of the neutral colors, 0 to 1. */
interface Neutrals {
  readonly ground: number
  readonly panel: number
  readonly raised: number
  readonly line: number
  readonly edge: number
  readonly muted: number
  readonly ink: number
}

type Styling = Customization["styling"]

const cleanNeutrals = {
  light: { ground: 1, panel: 0.974, raised: 1, line: 0.922, edge: 0.85, muted: 0.48, ink: 0.235 },
  dark: { ground: 0.178, panel: 0.214, raised: 0.228, line: 0.285, edge: 0.38, muted: 0.735, ink: 0.93 }
} satisfies Record<Mode, Neutrals>

const neutrals: Readonly<Record<Styling["theme"], Record<Mode, Neutrals>>> = {
  clean: cleanNeutrals,
  gradient: cleanNeutrals,
  muted: {
    light: { ground: 0.972, panel: 0.945, raised: 0.992, line: 0.89, edge: 0.82, muted: 0.47, ink: 0.3 },
    dark: { ground: 0.232, panel: 0.266, raised: 0.28, line: 0.335, edge: 0.43, muted: 0.75, ink: 0.9 }
  },
  bold: {
    light: { ground: 1, panel: 0.962, raised: 1, line: 0.88, edge: 0.76, muted: 0.43, ink: 0.16 },
    dark: { ground: 0.14, panel: 0.185, raised: 0.2, line: 0.3, edge: 0.44, muted: 0.77, ink: 0.975 }
  }
}

/** Returns chroma and hue of gray. Without a tint, gray is slightly blue. */
const tintOf = ({ tint, primaryColor, background }: Styling, mode: Mode) => {
  const color = tint?.color[mode] ?? (background === "match" ? primaryColor[mode] : undefined)
  if (color === undefined) return { c: 0.006, h: 265 }
  const { c, h } = Colors.lchOf(color)
  return { c: Math.min(c, 0.16) * (background === "match" ? 0.16 : 0.09), h }
}

const statusColors = ["info", "success", "warning", "danger"] as const

export const paletteOf = ({ styling, header }: Customization, mode: Mode): Palette => {
  const shades = neutrals[styling.theme][mode]
  const { c, h } = tintOf(styling, mode)
  const gray = (l: number, strength = 1) => Colors.toHex({ l, c: c * strength, h })
  // A white background stays white, unless the settings also tint the background.
  const ground = shades.ground === 1 && styling.background === "match" ? gray(0.985) : gray(shades.ground)
  const panel = gray(shades.panel)
  const raised = gray(shades.raised)
  const grounds = [ground, panel, raised]
  const ink = Colors.makeReadable(gray(shades.ink), grounds)
  const fill = styling.primaryColor[mode]
  const softFill = Colors.mix(fill, ground, mode === "light" ? 0.09 : 0.16)
  const bar = headerColors({ styling, header }, mode, { ground, ink, fill })
  return {
    ground,
    panel,
    raised,
    line: gray(shades.line, 1.2),
    edge: gray(shades.edge, 1.4),
    muted: Colors.makeReadable(gray(shades.muted, 1.6), grounds),
    ink,
    primary: Colors.makeReadable(fill, [...grounds, softFill]),
    "primary-fill": fill,
    "on-primary": Colors.contrastingText(fill),
    "primary-soft": softFill,
    ...Object.fromEntries(
      statusColors.flatMap((name) => {
        const color = styling[`${name}Color`][mode]
        const background = Colors.mix(color, ground, mode === "light" ? 0.08 : 0.14)
        return [
          [name, Colors.makeReadable(color, [...grounds, background])],
          [`${name}-soft`, background]
        ]
      })
    ),
    ...bar
  }
}

/** Returns the colors of the bar at the top and of its content. */
const headerColors = (
  { styling, header }: Pick<Customization, "styling" | "header">,
  mode: Mode,
  { ground, ink, fill }: Readonly<Record<"ground" | "ink" | "fill", string>>
): Palette => {
  const { preset, backgroundColor, linkColor } = header
  const isFilled = preset === "bold" || (preset === "default" && styling.theme === "bold")
  const bar = isFilled
    ? fill
    : preset === "contrast"
      ? ink
      : preset === "custom"
        ? (backgroundColor?.[mode] ?? ground)
        : ground
  const isPlain = bar === ground
  const text = isPlain ? ink : Colors.contrastingText(bar)
  const link = preset === "custom" && linkColor !== undefined ? Colors.makeReadable(linkColor[mode], [bar]) : text
  const field = isPlain ? Colors.mix(text, bar, 0.045) : Colors.mix(Colors.contrastingText(text), bar, 0.16)
  return {
    bar,
    "on-bar": link,
    "bar-muted": Colors.makeReadable(Colors.mix(link, bar, 0.72), [bar]),
    "bar-line": Colors.mix(text, bar, isPlain ? 0.1 : 0.2),
    "bar-field": field,
    "bar-field-ink": Colors.makeReadable(Colors.mix(link, bar, 0.75), [field])
  }
}
