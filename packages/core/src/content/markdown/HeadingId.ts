/** The id of a heading, written as an empty link to itself at the end of it. */
import type { PhrasingContent } from "mdast"
import type { Inline } from "./syntax/SyntaxTree.ts"

const element = /^<a href="#([^"<>\s]+)" id="([^"<>\s]+)">$/

/** The content of a heading without its id. */
export const split = (
  children: ReadonlyArray<Inline>
): { readonly children: ReadonlyArray<Inline>; readonly id?: string } => {
  const end = children.at(-1)
  const start = children.at(-2)
  if (end?.type !== "html" || end.value !== "</a>" || start?.type !== "html") return { children }
  const found = element.exec(start.value)
  if (found === null || found[1] !== found[2]) return { children }
  const rest = children.slice(0, -2)
  const last = rest.at(-1)
  if (last?.type === "text") {
    const value = last.value.trimEnd()
    rest.pop()
    if (value !== "") rest.push({ ...last, value })
  }
  return { children: rest, id: found[1]! }
}

export const join = (children: Array<PhrasingContent>, id: unknown): Array<PhrasingContent> => {
  if (typeof id !== "string" || !/^[^"<>\s]+$/.test(id)) return children
  if (children.length > 0) children.push({ type: "text", value: " " })
  children.push({ type: "html", value: `<a href="#${id}" id="${id}">` }, { type: "html", value: "</a>" })
  return children
}
