/** How a PDF looks: sizes in points, colours, the edges of its paper (A4). */

export const paper = { width: 595.28, height: 841.89, left: 62, right: 62, top: 72, bottom: 66 } as const

export const contentWidth = paper.width - paper.left - paper.right
export const contentHeight = paper.height - paper.top - paper.bottom

export const colours = {
  text: "#1f2328",
  muted: "#59636e",
  faint: "#d1d9e0",
  link: "#0b57d0",
  panel: "#f6f8fa",
  mark: "#fff3bf"
} as const

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

/** Of headings by their level. */
export const headingSizes = [20, 16, 13.5, 11.5, 10.5, 10] as const

/** Of a line, in sizes of its text. */
export const leading = 1.5

/** What one level of a list, quote or panel moves its content in. */
export const inset = 16

/** Nothing is moved in further once it is so narrow. */
export const narrowest = 96

/** The tallest that an image in a cell may be, and in a text. */
export const smallImage = 120

/** A row of a table or of columns is cut, at lines, into parts of about this height. */
export const rowPart = 240
