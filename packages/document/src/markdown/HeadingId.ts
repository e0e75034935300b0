/** The id of a heading, written as an empty link to itself at the end of it. */
import type { Phrase } from "./print/Phrase.ts"
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

export const join = (phrases: ReadonlyArray<Phrase>, id: unknown): ReadonlyArray<Phrase> =>
  typeof id !== "string" || !/^[^"<>\s]+$/.test(id)
    ? phrases
    : [
        ...phrases,
        ...(phrases.length > 0 ? [{ type: "text", value: " " } as const] : []),
        { type: "verbatim", value: `<a href="#${id}" id="${id}">` },
        { type: "verbatim", value: "</a>" }
      ]
