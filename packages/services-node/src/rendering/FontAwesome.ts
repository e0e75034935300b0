/**
 * Renders icons of Font Awesome Free by their current or earlier names. The npm packages of Iconify contain the icons. A
 * paid style is replaced by the nearest free style. An unknown name has no icon. All icons have the same width, so that
 * texts next to them are aligned.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

const { resolve } = createRequire(import.meta.url)

/** A set of icons on a square canvas. Few icons extend into the upper and lower tenth of the canvas. */
interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>
  readonly width: number
  readonly height: number
}

type FreeStyle = "solid" | "regular" | "brands"

const iconSets = new Map<FreeStyle, Promise<IconSet>>()

const readIconSet = async (style: FreeStyle): Promise<IconSet> =>
  JSON.parse(await readFile(resolve(`@iconify-json/fa7-${style}/icons.json`), "utf8")) as IconSet

const iconSetOf = (style: FreeStyle): Promise<IconSet> => {
  const iconSet = iconSets.get(style) ?? readIconSet(style)
  iconSets.set(style, iconSet)
  return iconSet
}

/** Returns the free styles to search for an icon, in order. The first one with the icon wins. */
const freeStylesOf = (style: string): ReadonlyArray<FreeStyle> =>
  style === "solid" || style === "duotone" ? ["solid", "regular", "brands"] : ["regular", "solid", "brands"]

export const render = async (requestedName: string, style: string): Promise<ReadonlyArray<string> | undefined> => {
  const name = requestedName.toLowerCase().replace(/^fa-/, "")
  for (const freeStyle of freeStylesOf(style)) {
    const { icons, width, height } = await iconSetOf(freeStyle)
    if (!Object.hasOwn(icons, name)) continue
    const paths = Array.from(icons[name]!.body.matchAll(/ d="([\w\s.,-]+)"/g), ([, d]) => `<path d="${d}"/>`)
    const margin = height / 10
    const viewBox = `0 ${margin} ${width} ${height - 2 * margin}`
    return [`<svg class="icon" viewBox="${viewBox}" aria-hidden="true">${paths.join("")}</svg>`]
  }
  return undefined
}
