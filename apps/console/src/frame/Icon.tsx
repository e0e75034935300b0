/** Icons of the console, as lines in a square of 24. They have no name of their own: the control around has one. */
const shapes = {
  add: "M12 5v14M5 12h14",
  back: "m14 6-6 6 6 6",
  bell: "M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500a2.200 2.200 0 0 0 4 0",
  check: "m5 12.500 4.500 4.500L19 7.500",
  chevron: "m9 6 6 6-6 6",
  close: "M6 6l12 12M18 6 6 18",
  comment: "M4 5.500h16v11h-8.500L7 20v-3.500H4z",
  conflict: "M12 4 2.500 20h19zM12 10v4.500M12 17.200v.300",
  document: "M6 3.500h8l4 4v13H6zM14 3.500v4h4",
  down: "m6 9 6 6 6-6",
  drag: "M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01",
  edit: "M4 20h4L19.500 8.500l-4-4L4 16zM13.500 6.500l4 4",
  folder: "M3.500 6h6l2 2.500h9V19h-17z",
  hidden:
    "M4 4l16 16M9.500 5.500c5.500-1 9.500 3 11.500 6.500a14 14 0 0 1-2.500 3.300M6 7.500A14 14 0 0 0 3 12c3 5.500 8.500 8 13 5.500M10 10a3 3 0 0 0 4 4",
  globe: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM3.500 12h17M12 3.500c5 5 5 12 0 17-5-5-5-12 0-17z",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700l-1.500 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M6 12v.01M12 12v.01M18 12v.01",
  search: "M10.500 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5",
  settings: "M4 7h9M18 7h2M4 17h3M12 17h8M13 4.500v5M7 14.500v5",
  smile:
    "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM8.500 14c1 1.500 2 2 3.500 2s2.500-.5 3.500-2M9 9.500v.5M15 9.500v.5",
  space: "M4 5.500c3-1.500 6-1 8 .5 2-1.500 5-2 8-.5v13c-3-1.500-6-1-8 .5-2-1.500-5-2-8-.5zM12 6v13",
  trash: "M4.500 7h15M9.500 7V4.500h5V7M6.500 7l1 13h9l1-13M10 11v5.500M14 11v5.500",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20c1-4 4-5.500 7.500-5.500s6.500 1.500 7.500 5.500"
} as const

export type IconName = keyof typeof shapes

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="glyph" viewBox="0 0 24 24" aria-hidden="true" data-icon={name}>
    <path d={shapes[name]} />
  </svg>
)
