/** Parses the header of an HTML table: the types of its columns, its appearance, and its settings for cards. */
import type { Data } from "../Document.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as Length from "./Length.ts"

export interface Column {
  readonly id: string
  readonly definition: Data & { readonly type: string }
  readonly title: ReadonlyArray<HtmlTree.Node>
  readonly width: number | undefined
  readonly isHidden: boolean
  /** Use of the column on a card. */
  readonly role: "target" | "cover" | "cover-dark" | undefined
}

export interface Look {
  readonly isCards: boolean
  readonly view: Data
  readonly data: Data
}

const types = new Set(["number", "checkbox", "files", "users", "rating", "content-ref", "image"])

const columnAttributes = [
  "width",
  "align",
  "style",
  "valign",
  "data-type",
  "data-max",
  "data-multiple",
  "data-hidden",
  "data-card-target",
  "data-card-cover",
  "data-card-cover-dark"
] as const

export const read = (cell: HtmlTree.Element, id: string): Column | undefined => {
  const said = cell.name === "th" ? HtmlTree.only(cell, columnAttributes) : undefined
  if (said === undefined) return undefined
  const last = cell.children.at(-1)
  const select = last?.kind === "element" && last.name === "select" ? last : undefined
  const definition = select === undefined ? definitionOf(said) : optionsOf(select, said)
  const width = said.width === undefined ? undefined : Length.read(said.width)
  if (definition === undefined || (said.width !== undefined && typeof width !== "number")) return undefined
  const roles = (["target", "cover", "cover-dark"] as const).filter((role) => said[`data-card-${role}`] !== undefined)
  if (roles.length > 1) return undefined
  return {
    id,
    definition,
    title: select === undefined ? cell.children : cell.children.slice(0, -1),
    width: typeof width === "number" ? width : undefined,
    isHidden: said["data-hidden"] !== undefined,
    role: roles[0]
  }
}

type Said = { readonly [_ in (typeof columnAttributes)[number]]?: string }

const alignments = new Set(["left", "center", "right"])

/** Returns the alignment of a cell from its attribute, or from the style in older exports; null if it is invalid. */
export const alignOf = ({
  align,
  style
}: {
  readonly align?: string
  readonly style?: string
}): string | null | undefined => {
  const given =
    style === undefined ? align : align === undefined ? /^text-align:\s*([a-z]+);?$/.exec(style)?.[1] : undefined
  if (given === undefined) return style === undefined ? undefined : null
  return alignments.has(given) ? given : null
}

const definitionOf = (said: Said): Column["definition"] | undefined => {
  const { valign, "data-type": type, "data-max": max, "data-multiple": multiple } = said
  const align = alignOf(said)
  if (align === null) return undefined
  if (type === undefined) {
    if (max !== undefined || multiple !== undefined) return undefined
    if (valign !== undefined && !["top", "middle", "bottom"].includes(valign)) return undefined
    return {
      type: "text",
      ...(align === undefined ? {} : { textAlignment: align }),
      ...(valign === undefined ? {} : { verticalAlignment: valign })
    }
  }
  if (!types.has(type) || align !== undefined || valign !== undefined) return undefined
  if ((max !== undefined) !== (type === "rating") || (multiple !== undefined && type !== "users")) return undefined
  if (type === "rating") return /^[1-9]\d{0,2}$/.test(max!) ? { type, max: Number(max) } : undefined
  return type === "users" ? { type, multiple: multiple !== undefined } : { type }
}

const optionsOf = (select: HtmlTree.Element, said: Said): Column["definition"] | undefined => {
  const isPlain = [
    said.align,
    said.style,
    said.valign,
    said["data-type"],
    said["data-max"],
    said["data-multiple"]
  ].every((one) => one === undefined)
  const multiple = HtmlTree.only(select, ["multiple"])
  const options = HtmlTree.elements(select.children)?.map((option) =>
    option.name === "option" && option.children.length === 0
      ? HtmlTree.only(option, ["value", "label", "color"])
      : undefined
  )
  if (!isPlain || multiple === undefined || !options?.every((one) => one?.value !== undefined)) return undefined
  return {
    type: "select",
    multiple: multiple.multiple !== undefined,
    options: options.map((one) => ({ value: one!.value!, label: one!.label ?? "", color: one!.color ?? "" }))
  }
}

const tableAttributes = [
  "data-view",
  "data-full-width",
  "data-search",
  "data-header-hidden",
  "data-card-size",
  "data-card-wrap",
  "data-column-title-hidden",
  "data-sticky-header",
  "data-sticky-first-column"
] as const

/**
 * Returns the appearance of a table from the attributes of its element; undefined if there are unknown attributes or
 * values.
 */
export const lookOf = (table: HtmlTree.Element): Look | undefined => {
  const said = HtmlTree.only(table, tableAttributes)
  if (said === undefined) return undefined
  const { "data-view": view, "data-card-size": size } = said
  if (view !== undefined && view !== "cards") return undefined
  const isCards = view === "cards"
  const flags = ["data-full-width", "data-search", "data-card-wrap"] as const
  if (flags.some((name) => ![undefined, "true", "false"].includes(said[name]))) return undefined
  const ofGrid = [said["data-header-hidden"], said["data-sticky-header"], said["data-sticky-first-column"]]
  const ofCards = [size, said["data-card-wrap"], said["data-column-title-hidden"]]
  if ((isCards ? ofGrid : ofCards).some((one) => one !== undefined)) return undefined
  if (![...ofGrid, said["data-column-title-hidden"]].every((one) => one === undefined || one === "")) return undefined
  if (size !== undefined && size !== "large" && size !== "medium") return undefined
  return {
    isCards,
    view: isCards
      ? {
          cardSize: size ?? "medium",
          ...(said["data-column-title-hidden"] === undefined ? {} : { hideColumnTitle: true }),
          ...(said["data-card-wrap"] === undefined ? {} : { wrap: said["data-card-wrap"] === "true" })
        }
      : {
          hideHeader: said["data-header-hidden"] !== undefined,
          ...(said["data-sticky-header"] === undefined ? {} : { stickyHeader: true }),
          ...(said["data-sticky-first-column"] === undefined ? {} : { stickyFirstColumn: true })
        },
    data: {
      ...(said["data-full-width"] === undefined ? {} : { fullWidth: said["data-full-width"] === "true" }),
      ...(said["data-search"] === undefined ? {} : { search: said["data-search"] === "true" })
    }
  }
}

const roleFields = { target: "targetDefinition", cover: "coverDefinition", "cover-dark": "coverDefinitionDark" }

/** Returns the view of a table; undefined if the view and the columns are inconsistent. */
export const viewOf = ({ isCards, view }: Look, columns: ReadonlyArray<Column>): Data | undefined => {
  const shown = columns.filter(({ isHidden }) => !isHidden).map(({ id }) => id)
  const ofRole = columns.filter(({ role }) => role !== undefined)
  const widths = columns.filter(({ width }) => width !== undefined)
  if (isCards ? widths.length > 0 : ofRole.length > 0) return undefined
  if (new Set(ofRole.map(({ role }) => role)).size < ofRole.length) return undefined
  return {
    type: isCards ? "cards" : "grid",
    columns: shown,
    ...(widths.length === 0 ? {} : { columnWidths: Object.fromEntries(widths.map(({ id, width }) => [id, width])) }),
    ...view,
    ...Object.fromEntries(ofRole.map(({ id, role }) => [roleFields[role!], id]))
  }
}
