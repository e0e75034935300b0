/**
 * Removes hidden text from the parts of a Word document: text that its author set as hidden, directly or by a style.
 * Word neither displays nor prints such text, and the converter can't distinguish it from other text.
 *
 * Runs are cut out of the XML by their offsets, so the remaining XML does not change. A run that is explicitly not
 * hidden stays, regardless of its styles. Time is linear in the length of the XML, without recursion.
 */
import * as WordXml from "./WordXml.ts"

/** True unless the value turns the property off. */
const isOn = (value: string | undefined): boolean => value === undefined || !/^(?:0|false|off)$/i.test(value)

/** Ids of styles whose text is hidden. */
export const hiddenStyles = (styles: string): ReadonlySet<string> => {
  const hides = new Map<string, boolean>()
  const basedOn = new Map<string, string>()
  let style: string | undefined
  WordXml.parseXml(styles, {
    open: (name, attribute) => {
      if (name === "style") style = attribute("styleId")
      if (style === undefined) return
      if (name === "vanish") hides.set(style, isOn(attribute("val")))
      const base = name === "basedOn" ? attribute("val") : undefined
      if (base !== undefined) basedOn.set(style, base)
    },
    close: (name) => {
      if (name === "style") style = undefined
    }
  })
  const hidden = new Set<string>()
  for (const id of new Set([...hides.keys(), ...basedOn.keys()])) {
    const visitedStyles = new Set<string>()
    let ancestor: string | undefined = id
    while (ancestor !== undefined && !hides.has(ancestor) && !visitedStyles.has(ancestor)) {
      visitedStyles.add(ancestor)
      ancestor = basedOn.get(ancestor)
    }
    if (ancestor !== undefined && hides.get(ancestor) === true) hidden.add(id)
  }
  return hidden
}

interface Run {
  readonly from: number
  isHidden: boolean | undefined
  isInStyle: boolean
}

/** Returns the XML of a part without its hidden runs. */
export const withoutHidden = (xml: string, styles: ReadonlySet<string>): string => {
  const cuts: Array<readonly [from: number, to: number]> = []
  const runs: Array<Run> = []
  const paragraphs: Array<{ isInStyle: boolean }> = []
  /** Names of open elements. */
  const openNames: Array<string> = []
  WordXml.parseXml(xml, {
    open: (name, attribute, offset) => {
      const parentName = openNames.at(-1)
      openNames.push(name)
      if (name === "p") paragraphs.push({ isInStyle: false })
      else if (name === "r")
        runs.push({ from: offset, isHidden: undefined, isInStyle: paragraphs.at(-1)?.isInStyle === true })
      else if (name === "pStyle" && parentName === "pPr") {
        const paragraph = paragraphs.at(-1)
        if (paragraph !== undefined) paragraph.isInStyle = styles.has(attribute("val") ?? "")
      } else if (parentName === "rPr" && openNames.at(-3) === "r") {
        const run = runs.at(-1)!
        if (name === "vanish") run.isHidden = isOn(attribute("val"))
        if (name === "rStyle" && styles.has(attribute("val") ?? "")) run.isInStyle = true
      }
    },
    close: (name, end) => {
      openNames.pop()
      if (name === "p") paragraphs.pop()
      const run = name === "r" ? runs.pop() : undefined
      // The cut of a hidden run replaces cuts inside of it.
      if (run !== undefined && (run.isHidden ?? run.isInStyle)) {
        while (cuts.length > 0 && cuts.at(-1)![0] >= run.from) cuts.pop()
        cuts.push([run.from, end])
      }
    }
  })
  return WordXml.replaced(
    xml,
    cuts.map(([from, to]) => ({ from, to, text: "" }))
  )
}
