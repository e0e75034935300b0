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

const clean = {
  light: { ground: 1, panel: 0.974, raised: 1, line: 0.922, edge: 0.85, muted: 0.48, ink: 0.235 },
  dark: { ground: 0.178, panel: 0.214, raised: 0.228, line: 0.285, edge: 0.38, muted: 0.735, ink: 0.93 }
} satisfies Record<Mode, Neutrals>

const neutrals: Readonly<Record<Styling["theme"], Record<Mode, Neutrals>>> = {
  clean,
  gradient: clean,
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
const greyOf = ({ tint, primaryColor, background }: Styling, mode: Mode) => {
  const colour = tint?.color[mode] ?? (background === "match" ? primaryColor[mode] : undefined)
  if (colour === undefined) return { c: 0.006, h: 265 }
  const { c, h } = Colors.lchOf(colour)
  return { c: Math.min(c, 0.16) * (background === "match" ? 0.16 : 0.09), h }
}

const signs = ["info", "success", "warning", "danger"] as const

export const of = ({ styling, header }: Customization, mode: Mode): Palette => {
  const shades = neutrals[styling.theme][mode]
  const { c, h } = greyOf(styling, mode)
  const grey = (l: number, strength = 1) => Colors.hex({ l, c: c * strength, h })
  // White stays white, unless the background has the tint too.
  const ground = shades.ground === 1 && styling.background === "match" ? grey(0.985) : grey(shades.ground)
  const panel = grey(shades.panel)
  const raised = grey(shades.raised)
  const grounds = [ground, panel, raised]
  const ink = Colors.readable(grey(shades.ink), grounds)
  const fill = styling.primaryColor[mode]
  const soft = Colors.mix(fill, ground, mode === "light" ? 0.09 : 0.16)
  const bar = barOf({ styling, header }, mode, { ground, ink, fill })
  return {
    ground,
    panel,
    raised,
    line: grey(shades.line, 1.2),
    edge: grey(shades.edge, 1.4),
    muted: Colors.readable(grey(shades.muted, 1.6), grounds),
    ink,
    primary: Colors.readable(fill, [...grounds, soft]),
    "primary-fill": fill,
    "on-primary": Colors.upon(fill),
    "primary-soft": soft,
    ...Object.fromEntries(
      signs.flatMap((name) => {
        const colour = styling[`${name}Color`][mode]
        const under = Colors.mix(colour, ground, mode === "light" ? 0.08 : 0.14)
        return [
          [name, Colors.readable(colour, [...grounds, under])],
          [`${name}-soft`, under]
        ]
      })
    ),
    ...bar
  }
}

/** Returns the colors of the bar at the top and of its content. */
const barOf = (
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
  const text = isPlain ? ink : Colors.upon(bar)
  const link = preset === "custom" && linkColor !== undefined ? Colors.readable(linkColor[mode], [bar]) : text
  const field = isPlain ? Colors.mix(text, bar, 0.045) : Colors.mix(Colors.upon(text), bar, 0.16)
  return {
    bar,
    "on-bar": link,
    "bar-muted": Colors.readable(Colors.mix(link, bar, 0.72), [bar]),
    "bar-line": Colors.mix(text, bar, isPlain ? 0.1 : 0.2),
    "bar-field": field,
    "bar-field-ink": Colors.readable(Colors.mix(link, bar, 0.75), [field])
  }
}
