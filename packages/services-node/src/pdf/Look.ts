/** How a PDF looks: sizes in points, colours, the edges of its paper (A4). */

export const paper = { width: 595.28, height: 841.89, left: 62, right: 62, top: 72, bottom: 66 } as const

export const contentWidth = paper.width - paper.left - paper.right
export const contentHeight = paper.height - paper.top - paper.bottom

export const colours = {
  text: "#1f2328",
  muted: "#59636e",
  faint: "#d1d9e0",
  link: "#0b57d0",
  panel: "#f6f8fa"
} as const

/** Of marked text, by the name of its colour. */
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

/** Behind marked text, by the name of the colour. */
export const grounds: { readonly [name: string]: string } = {
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

/** Of hints by their style, and of what looks like one. */
export const accents: { readonly [style: string]: string } = {
  info: "#346ddb",
  success: "#008847",
  warning: "#c27c00",
  danger: "#cc2f2f"
}

export const textSize = 10
export const codeSize = 8.5
export const smallSize = 8.5

/** Of headings by their depth. */
export const headingSizes = [20, 16, 13.5, 11.5, 10.5, 10] as const

/** Of a line, in sizes of its text. */
export const leading = 1.5

/** Points that one level of a list, quote or panel moves its content in. */
export const inset = 16

/** Nothing is moved in further once it is so narrow. */
export const narrowest = 96

/** The tallest that an image in a cell may be, and in a text. */
export const smallImage = 120
