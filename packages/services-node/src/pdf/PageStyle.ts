/** Styles of a PDF: sizes in points, colors, the margins of its paper (A4). */

export const paper = { width: 595.28, height: 841.89, left: 62, right: 62, top: 72, bottom: 66 } as const

export const contentWidth = paper.width - paper.left - paper.right
export const contentHeight = paper.height - paper.top - paper.bottom

export const colors = {
  text: "#1f2328",
  muted: "#59636e",
  faint: "#d1d9e0",
  link: "#0b57d0",
  panel: "#f6f8fa"
} as const

/** Text colors by name. */
export const inks: { readonly [name: string]: string } = {
  green: "#1a7f37",
  blue: "#0b57d0",
  red: "#c62828",
  orange: "#b54708",
  yellow: "#8a6700",
  purple: "#6f3fc4",
  pink: "#b02a7a",
  violet: "#5b3fc4",
  cyan: "#00707f",
  $primary: "#0b57d0",
  $info: "#346ddb",
  $success: "#008847",
  $warning: "#9a6200",
  $danger: "#cc2f2f",
  $tint: "#346ddb"
}

/** Background colors of text by name. */
export const backgrounds: { readonly [name: string]: string } = {
  green: "#d7f5de",
  blue: "#dbe8ff",
  red: "#ffdedb",
  orange: "#ffe6cf",
  yellow: "#fff3bf",
  purple: "#ebe0ff",
  pink: "#ffdff1",
  violet: "#e4e0ff",
  cyan: "#d3f3f7",
  $primary: "#dbe8ff",
  $info: "#dfe9fc",
  $success: "#d3f3e1",
  $warning: "#fdecc8",
  $danger: "#fbdcdc",
  $tint: "#dfe9fc"
}

/** Accent colors of hints by hint style, also used for steps. */
export const accents: { readonly [style: string]: string } = {
  info: "#346ddb",
  success: "#008847",
  warning: "#c27c00",
  danger: "#cc2f2f"
}

export const textSize = 10
export const codeSize = 8.5
export const smallSize = 8.5

/** Font sizes of headings by depth, in points. */
export const headingSizes = [20, 16, 13.5, 11.5, 10.5, 10] as const

/** Line height as a multiple of the font size. */
export const leading = 1.5

/** Indentation per level of lists, quotes and panels, in points. */
export const inset = 16

/** Least width of a frame, in points. Narrower content is not indented further. */
export const narrowest = 96

/** Maximum height of an image in a cell or in text, in points. */
export const smallImage = 120
