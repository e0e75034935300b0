/** Colors in the perceptual color space Oklch, and contrast of colors. */

/** `l`: lightness, 0 to 1. `c`: chroma, 0 to about 0.4. `h`: hue in degrees. */
export interface Lch {
  readonly l: number
  readonly c: number
  readonly h: number
}

type RgbTriple = readonly [number, number, number]

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const gamma = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

/** Returns the components of `#abc` or `#aabbcc`, each from 0 to 1. */
const partsOf = (hex: string): RgbTriple => {
  const digits = hex.length === 4 ? hex.slice(1).replace(/./g, "$&$&") : hex.slice(1)
  const componentAt = (i: number) => Number.parseInt(digits.slice(i, i + 2), 16) / 255
  return [componentAt(0), componentAt(2), componentAt(4)]
}

const hexOf = (parts: RgbTriple): string =>
  `#${parts
    .map((part) =>
      Math.round(Math.min(1, Math.max(0, part)) * 255)
        .toString(16)
        .padStart(2, "0")
    )
    .join("")}`

/** Converts a color to Oklch, the polar form of Oklab (https://bottosson.github.io/posts/oklab). */
export const lchOf = (hex: string): Lch => {
  const [r, g, b] = partsOf(hex).map(linear) as unknown as RgbTriple
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const labB = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, labB),
    h: ((Math.atan2(labB, a) * 180) / Math.PI + 360) % 360
  }
}

const rgbOf = ({ l: lightness, c, h }: Lch): RgbTriple => {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  ]
}

const isDisplayable = (parts: RgbTriple): boolean => parts.every((part) => part >= -0.0005 && part <= 1.0005)

/** Converts a color to `#aabbcc`. Reduces the chroma of a color outside of sRGB until a screen can display it. */
export const toHex = (target: Lch): string => {
  let { c } = target
  while (c > 0 && !isDisplayable(rgbOf({ ...target, c }))) c = Math.max(0, c - 0.004)
  return hexOf(rgbOf({ ...target, c }).map((part) => gamma(Math.max(0, part))) as unknown as RgbTriple)
}

/** Blends a color over another one with an opacity of `part`, as browsers do. */
export const mix = (foreground: string, background: string, part: number): string => {
  const [a, b] = [partsOf(foreground), partsOf(background)]
  return hexOf(a.map((value, i) => value * part + b[i]! * (1 - part)) as unknown as RgbTriple)
}

const luminance = (hex: string): number => {
  const [r, g, b] = partsOf(hex).map(linear) as unknown as RgbTriple
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the WCAG 2 contrast ratio of two colors, from 1 to 21. */
export const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Contrast for text of any size (4.5 by WCAG 2.2 AA), plus a margin for rounding. */
const minContrast = 4.6

/** Returns black or white, whichever has the higher contrast. The contrast is at least 4.58. */
export const contrastingText = (background: string): string =>
  contrast("#ffffff", background) >= contrast("#000000", background) ? "#ffffff" : "#000000"

/**
 * Returns the color, made lighter or darker until it is readable on all backgrounds. All backgrounds must be light, or
 * all dark.
 */
export const makeReadable = (color: string, backgrounds: ReadonlyArray<string>): string => {
  const isReadable = (candidate: string) =>
    backgrounds.every((background) => contrast(candidate, background) >= minContrast)
  if (isReadable(color)) return color
  const extremeColor = contrastingText(backgrounds[0]!)
  const { l, c, h } = lchOf(color)
  const step = extremeColor === "#ffffff" ? 0.01 : -0.01
  for (let at = l + step; at > 0 && at < 1; at += step) {
    const adjustedColor = toHex({ l: at, c, h })
    if (isReadable(adjustedColor)) return adjustedColor
  }
  return extremeColor
}
