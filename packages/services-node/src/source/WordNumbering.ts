/**
 * Numbers of the items of Word lists. Word counts each list through the whole document, even if other content
 * interrupts the list, while the converter starts a new list after each interruption.
 *
 * Time is linear in the length of the XML, without recursion.
 */
import * as WordXml from "./WordXml.ts"

interface Level {
  start: number
  isOrdered: boolean
  style: string | undefined
}

interface Numbering {
  readonly levels: Map<string, Level>
  /** Id of a numbering style that defines the levels instead. */
  style: string | undefined
}

interface List {
  abstract: string
  /** First numbers of lists, by level. They override the first numbers of the numbering definition. */
  readonly starts: Map<string, number>
}

/** List id and level of a paragraph. A missing value comes from the paragraph's style. */
export interface ListPosition {
  readonly list: string | undefined
  readonly level: string | undefined
  readonly style: string | undefined
}

export class WordNumbering {
  readonly #numberings = new Map<string, Numbering>()
  readonly #lists = new Map<string, List>()
  /** List id of each style, and the base of each style. */
  readonly #ofStyle = new Map<string, string>()
  readonly #basedOn = new Map<string, string>()
  readonly #levelOfStyle = new Map<string, readonly [abstract: string, level: string]>()
  /** Last number by numbering and level. */
  readonly #lastNumbers = new Map<string, Map<number, number>>()
  readonly #started = new Set<string>()

  constructor(numbering: string, styles: string) {
    this.#readNumbering(numbering)
    this.#readStyles(styles)
  }

  /** Counts an item and returns its number. Undefined if the paragraph is not an item of an ordered list. */
  next(position: ListPosition): number | undefined {
    const id = position.list ?? this.#listOfStyle(position.style)
    const list = id === undefined || id === "0" ? undefined : this.#lists.get(id)
    if (list === undefined) return undefined
    const abstract = this.#resolved(list.abstract)
    const linked = position.style === undefined ? undefined : this.#levelOfStyle.get(position.style)
    const level = position.level ?? (linked?.[0] === abstract ? linked[1] : "0")
    const defined = this.#numberings.get(abstract)?.levels.get(level)
    const depth = Number(level)
    if (defined === undefined || !(depth >= 0 && depth <= 8)) return undefined
    const numbersByDepth = this.#lastNumbers.get(abstract) ?? new Map<number, number>()
    this.#lastNumbers.set(abstract, numbersByDepth)
    const override = list.starts.get(level)
    const isFirst = override !== undefined && !this.#started.has(`${id} ${level}`)
    const number = isFirst ? override : numbersByDepth.has(depth) ? numbersByDepth.get(depth)! + 1 : defined.start
    this.#started.add(`${id} ${level}`)
    numbersByDepth.set(depth, number)
    for (let deeper = depth + 1; deeper <= 8; deeper++) numbersByDepth.delete(deeper)
    return defined.isOrdered ? number : undefined
  }

  #listOfStyle(style: string | undefined): string | undefined {
    const visitedStyles = new Set<string>()
    for (
      let ancestorStyle = style;
      ancestorStyle !== undefined && !visitedStyles.has(ancestorStyle);
      ancestorStyle = this.#basedOn.get(ancestorStyle)
    ) {
      visitedStyles.add(ancestorStyle)
      const list = this.#ofStyle.get(ancestorStyle)
      if (list !== undefined) return list
    }
    return undefined
  }

  /** Follows the style link of an abstract numbering. Returns the id itself if the numbering has no style link. */
  #resolved(abstract: string): string {
    const style = this.#numberings.get(abstract)?.style
    const list = style === undefined ? undefined : this.#ofStyle.get(style)
    return (list === undefined ? undefined : this.#lists.get(list)?.abstract) ?? abstract
  }

  #readNumbering(xml: string): void {
    let abstract: string | undefined
    let list: List | undefined
    let level: string | undefined
    let isOverride = false
    const numberingOf = (id: string): Numbering => {
      const numbering = this.#numberings.get(id) ?? { levels: new Map(), style: undefined }
      this.#numberings.set(id, numbering)
      return numbering
    }
    WordXml.parseXml(xml, {
      open: (name, attribute) => {
        const value = attribute("val")
        if (name === "abstractNum") abstract = attribute("abstractNumId")
        else if (name === "num") {
          list = { abstract: "", starts: new Map() }
          this.#lists.set(attribute("numId") ?? "", list)
        } else if (name === "abstractNumId" && list !== undefined) list.abstract = value ?? ""
        else if (name === "lvlOverride") {
          isOverride = true
          level = attribute("ilvl")
        } else if (name === "startOverride" && level !== undefined) list?.starts.set(level, numberIn(value))
        else if (abstract === undefined || isOverride) return
        else if (name === "numStyleLink") numberingOf(abstract).style = value
        else if (name === "lvl") {
          level = attribute("ilvl") ?? "0"
          numberingOf(abstract).levels.set(level, { start: 1, isOrdered: true, style: undefined })
        } else {
          const levelDefinition = level === undefined ? undefined : this.#numberings.get(abstract)?.levels.get(level)
          if (levelDefinition === undefined) return
          if (name === "start") levelDefinition.start = numberIn(value)
          else if (name === "numFmt") levelDefinition.isOrdered = value !== "bullet"
          else if (name === "pStyle" && value !== undefined) this.#levelOfStyle.set(value, [abstract, level!])
        }
      },
      close: (name) => {
        if (name === "abstractNum") abstract = undefined
        else if (name === "num") list = undefined
        else if (name === "lvlOverride") isOverride = false
        if (name === "lvl" || name === "lvlOverride") level = undefined
      }
    })
  }

  #readStyles(xml: string): void {
    let style: string | undefined
    WordXml.parseXml(xml, {
      open: (name, attribute) => {
        if (name === "style") style = attribute("styleId")
        const value = attribute("val")
        if (style === undefined || value === undefined) return
        if (name === "numId") this.#ofStyle.set(style, value)
        else if (name === "basedOn") this.#basedOn.set(style, value)
      },
      close: (name) => {
        if (name === "style") style = undefined
      }
    })
  }
}

const numberIn = (value: string | undefined): number =>
  value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : 1
