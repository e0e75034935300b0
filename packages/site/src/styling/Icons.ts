/** Icons of the interface: line drawings in the color of the adjacent text. */
import { type Html, trusted } from "../html/Html.ts"

const icon = (lines: string): Html => trusted(`<svg class="ui" viewBox="0 0 24 24" aria-hidden="true">${lines}</svg>`)

const pathIcon = (d: string): Html => icon(`<path d="${d}"/>`)

export const search = icon(`<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>`)
export const menu = pathIcon("M4 7h16M4 12h16M4 17h16")
export const close = pathIcon("m6 6 12 12M18 6 6 18")
export const chevron = pathIcon("m9 5 7 7-7 7")
export const chevronDown = pathIcon("m6 9 6 6 6-6")
export const theme = icon(
  `<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5v17a8.5 8.5 0 0 0 0-17z" fill="currentColor"/>`
)
export const copy = pathIcon("M9 9h11v11H9zM15 9V4H4v11h5")
export const check = pathIcon("m5 12.5 4.5 4.5L19 7.5")
export const text = pathIcon("M5 6h14M5 10.5h14M5 15h9M5 19.5h6")
export const file = pathIcon("M6 3h8l4 4v14H6zM14 3v4h4")
export const eye = icon(`<path d="M2.500 12c5-8 14-8 19 0-5 8-14 8-19 0z"/><circle cx="12" cy="12" r="2.500"/>`)
export const edit = pathIcon("m4 20 1-5L16 4l4 4L9 19zM13.5 6.500l4 4")
export const external = pathIcon("M8 16 18 6M10 6h8v8")
export const sparkle = pathIcon("M12 4c.8 5 3 7.2 8 8-5 .8-7.2 3-8 8-.8-5-3-7.2-8-8 5-.8 7.2-3 8-8z")
export const plug = pathIcon("M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4")
export const previous = pathIcon("M19 12H5m6-6-6 6 6 6")
export const next = pathIcon("M5 12h14m-6-6 6 6-6 6")
export const language = icon(
  `<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.500c-5 5-5 12 0 17 5-5 5-12 0-17z"/>`
)

const faceIcon = (mouth: string): Html =>
  icon(`<circle cx="12" cy="12" r="8.5"/><path d="M9 9.500v.5M15 9.500v.5${mouth}"/>`)
export const bad = faceIcon("M8.5 16c1-1.6 2.1-2.3 3.5-2.300s2.5.7 3.5 2.3")
export const ok = faceIcon("M8.5 15h7")
export const good = faceIcon("M8.5 14c1 1.6 2.1 2.3 3.5 2.300s2.5-.7 3.5-2.3")
