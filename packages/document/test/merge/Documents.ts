/** Short builders of documents for tests. */
import type { Block, Data, Document, Fragment, Inline, Mark, Node, Text } from "@lectern/document/Document"
import { entries, mapBlocks } from "@lectern/document/BlockTree"

export const text = (value: string, ...marks: ReadonlyArray<string>): Text => ({
  object: "text",
  leaves: [{ object: "leaf", text: value, marks: marks.map((type): Mark => ({ object: "mark", type })) }]
})

export const link = (value: string, url: string): Inline => ({
  object: "inline",
  type: "link",
  data: { ref: { kind: "url", url } },
  nodes: [text(value)]
})

export const block = (type: string, key: string, nodes: ReadonlyArray<Node>, data?: Data): Block => ({
  object: "block",
  type,
  key,
  ...(data === undefined ? {} : { data }),
  nodes
})

export const paragraph = (key: string, ...content: ReadonlyArray<string | Inline | Text>): Block =>
  block(
    "paragraph",
    key,
    content.map((part) => (typeof part === "string" ? text(part) : part))
  )

export const heading = (key: string, value: string, level = 1): Block => block(`heading-${level}`, key, [text(value)])

export const divider = (key: string): Block => ({ object: "block", type: "divider", key, isVoid: true })

/** Returns a list with one paragraph per item. The keys are `<key>.<n>` and `<key>.<n>.p`. */
export const list = (key: string, ...items: ReadonlyArray<string>): Block =>
  block(
    "list-unordered",
    key,
    items.map((item, n) => block("list-item", `${key}.${n}`, [paragraph(`${key}.${n}.p`, item)]))
  )

export const code = (key: string, ...lines: ReadonlyArray<string>): Block =>
  block(
    "code",
    key,
    lines.map((line, n) => block("code-line", `${key}.${n}`, [text(line)])),
    { syntax: "ts" }
  )

export const fragment = (name: string, ...nodes: ReadonlyArray<Block>): Fragment => ({
  object: "fragment",
  fragment: name,
  type: name,
  nodes
})

/** Returns a table with text columns. `ids`: prefix of the ids of its records, columns and cells. */
export const table = (
  key: string,
  titles: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  ids = key
): Block => {
  const column = (c: number) => `${ids}-c${c}`
  const cell = (r: number, c: number) => `${ids}-f${r}-${c}`
  return {
    object: "block",
    type: "table",
    key,
    isVoid: true,
    data: {
      view: { type: "grid", columns: titles.map((_, c) => column(c)), hideHeader: false },
      definition: Object.fromEntries(
        titles.map((title, c) => [column(c), { id: column(c), type: "text", title, textAlignment: "left" }])
      ),
      records: Object.fromEntries(
        rows.map((cells, r) => [
          `${ids}-r${r}`,
          { orderIndex: `a${r}`, values: Object.fromEntries(cells.map((_, c) => [column(c), cell(r, c)])) }
        ])
      )
    },
    fragments: rows.flatMap((cells, r) =>
      cells.map((value, c): Fragment => ({
        object: "fragment",
        fragment: cell(r, c),
        nodes: [paragraph(`${ids}-p${r}-${c}`, value)]
      }))
    )
  }
}

export const document = (...nodes: ReadonlyArray<Block>): Document => ({
  object: "document",
  data: { schemaVersion: 1 },
  nodes
})

/** Returns a copy of a document with new keys, like a document that is parsed from Markdown. */
export const rekeyed = (value: Document, start = "new"): Document => {
  let count = 0
  return mapBlocks(value, (inner) => ({ ...inner, key: `${start}${count++}` }))
}

export const keys = (value: Document): ReadonlyArray<string> => entries(value).map((entry) => entry.block.key)

export const find = (value: Document, key: string): Block | undefined =>
  entries(value).find((entry) => entry.block.key === key)?.block

/** Returns the words of all leaves and titles in a value. */
export const words = (value: unknown): ReadonlyArray<string> => {
  const found: Array<string> = []
  JSON.stringify(value, (name, inner: unknown) => {
    if ((name === "text" || name === "title") && typeof inner === "string")
      found.push(...inner.split(/\s+/u).filter((word) => word !== ""))
    return inner
  })
  return found
}
