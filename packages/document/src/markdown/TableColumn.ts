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

export interface TableAppearance {
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
  const attributes = cell.name === "th" ? HtmlTree.knownAttributes(cell, columnAttributes) : undefined
  if (attributes === undefined) return undefined
  const lastChild = cell.children.at(-1)
  const select = lastChild?.kind === "element" && lastChild.name === "select" ? lastChild : undefined
  const definition = select === undefined ? columnDefinition(attributes) : selectDefinition(select, attributes)
  const width = attributes.width === undefined ? undefined : Length.read(attributes.width)
  if (definition === undefined || (attributes.width !== undefined && typeof width !== "number")) return undefined
  const roles = (["target", "cover", "cover-dark"] as const).filter(
    (role) => attributes[`data-card-${role}`] !== undefined
  )
  if (roles.length > 1) return undefined
  return {
    id,
    definition,
    title: select === undefined ? cell.children : cell.children.slice(0, -1),
    width: typeof width === "number" ? width : undefined,
    isHidden: attributes["data-hidden"] !== undefined,
    role: roles[0]
  }
}

type ColumnAttributes = { readonly [_ in (typeof columnAttributes)[number]]?: string }

const alignments = new Set(["left", "center", "right"])

/** Returns the alignment of a cell from its attribute, or from the style in older exports; null if it is invalid. */
export const parseAlignment = ({
  align,
  style
}: {
  readonly align?: string
  readonly style?: string
}): string | null | undefined => {
  const alignment =
    style === undefined ? align : align === undefined ? /^text-align:\s*([a-z]+);?$/.exec(style)?.[1] : undefined
  if (alignment === undefined) return style === undefined ? undefined : null
  return alignments.has(alignment) ? alignment : null
}

const columnDefinition = (attributes: ColumnAttributes): Column["definition"] | undefined => {
  const { valign, "data-type": type, "data-max": max, "data-multiple": multiple } = attributes
  const align = parseAlignment(attributes)
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

const selectDefinition = (select: HtmlTree.Element, attributes: ColumnAttributes): Column["definition"] | undefined => {
  const isPlain = [
    attributes.align,
    attributes.style,
    attributes.valign,
    attributes["data-type"],
    attributes["data-max"],
    attributes["data-multiple"]
  ].every((one) => one === undefined)
  const multiple = HtmlTree.knownAttributes(select, ["multiple"])
  const options = HtmlTree.elementsOnly(select.children)?.map((option) =>
    option.name === "option" && option.children.length === 0
      ? HtmlTree.knownAttributes(option, ["value", "label", "color"])
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
export const tableAppearance = (table: HtmlTree.Element): TableAppearance | undefined => {
  const attributes = HtmlTree.knownAttributes(table, tableAttributes)
  if (attributes === undefined) return undefined
  const { "data-view": view, "data-card-size": size } = attributes
  if (view !== undefined && view !== "cards") return undefined
  const isCards = view === "cards"
  const flags = ["data-full-width", "data-search", "data-card-wrap"] as const
  if (flags.some((name) => ![undefined, "true", "false"].includes(attributes[name]))) return undefined
  const gridAttributes = [
    attributes["data-header-hidden"],
    attributes["data-sticky-header"],
    attributes["data-sticky-first-column"]
  ]
  const cardAttributes = [size, attributes["data-card-wrap"], attributes["data-column-title-hidden"]]
  if ((isCards ? gridAttributes : cardAttributes).some((one) => one !== undefined)) return undefined
  if (![...gridAttributes, attributes["data-column-title-hidden"]].every((one) => one === undefined || one === ""))
    return undefined
  if (size !== undefined && size !== "large" && size !== "medium") return undefined
  return {
    isCards,
    view: isCards
      ? {
          cardSize: size ?? "medium",
          ...(attributes["data-column-title-hidden"] === undefined ? {} : { hideColumnTitle: true }),
          ...(attributes["data-card-wrap"] === undefined ? {} : { wrap: attributes["data-card-wrap"] === "true" })
        }
      : {
          hideHeader: attributes["data-header-hidden"] !== undefined,
          ...(attributes["data-sticky-header"] === undefined ? {} : { stickyHeader: true }),
          ...(attributes["data-sticky-first-column"] === undefined ? {} : { stickyFirstColumn: true })
        },
    data: {
      ...(attributes["data-full-width"] === undefined ? {} : { fullWidth: attributes["data-full-width"] === "true" }),
      ...(attributes["data-search"] === undefined ? {} : { search: attributes["data-search"] === "true" })
    }
  }
}

const roleFields = { target: "targetDefinition", cover: "coverDefinition", "cover-dark": "coverDefinitionDark" }

/** Returns the view of a table; undefined if the view and the columns are inconsistent. */
export const tableView = ({ isCards, view }: TableAppearance, columns: ReadonlyArray<Column>): Data | undefined => {
  const visibleIds = columns.filter(({ isHidden }) => !isHidden).map(({ id }) => id)
  const columnsWithRole = columns.filter(({ role }) => role !== undefined)
  const widths = columns.filter(({ width }) => width !== undefined)
  if (isCards ? widths.length > 0 : columnsWithRole.length > 0) return undefined
  if (new Set(columnsWithRole.map(({ role }) => role)).size < columnsWithRole.length) return undefined
  return {
    type: isCards ? "cards" : "grid",
    columns: visibleIds,
    ...(widths.length === 0 ? {} : { columnWidths: Object.fromEntries(widths.map(({ id, width }) => [id, width])) }),
    ...view,
    ...Object.fromEntries(columnsWithRole.map(({ id, role }) => [roleFields[role!], id]))
  }
}
