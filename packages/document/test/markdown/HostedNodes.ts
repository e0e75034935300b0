/** Short builders of the hosted service's blocks and inlines, checked against the types of its client. */
import type * as Hosted from "../../../../node_modules/@gitbook/api/dist/client.d.ts"

type Text = Hosted.DocumentText
type Mark = Hosted.DocumentTextMark
type TopLevel = Hosted.DocumentBlocksTopLevels

export interface Row {
  readonly name: string
  readonly markdown: string
  readonly blocks: ReadonlyArray<unknown>
  readonly written?: string
}

export const t = (text: string, ...marks: Array<Mark>): Text => ({
  object: "text",
  leaves: [{ object: "leaf", text, marks }]
})
export const mark = (type: Exclude<Mark["type"], "color">): Mark => ({ object: "mark", type })
export const color = (text: string, background = "default"): Mark =>
  ({ object: "mark", type: "color", data: { text, background } }) as Mark
export const p = (...nodes: Hosted.DocumentBlockParagraph["nodes"]): Hosted.DocumentBlockParagraph => ({
  object: "block",
  type: "paragraph",
  nodes
})
export const url = (value: string): Hosted.ContentRefURL => ({ kind: "url", url: value })
export const file = (id: string): Hosted.ContentRefFile => ({ kind: "file", file: id })
export const page = (id: string): Hosted.ContentRefPage => ({ kind: "page", page: id })
export const spec = { kind: "openapi", spec: "petstore" } as const
export const code = (syntax: string | undefined, ...lines: Array<string>): Hosted.DocumentBlockCode => ({
  object: "block",
  type: "code",
  data: syntax === undefined ? {} : { syntax },
  nodes: lines.map((line) => ({
    object: "block",
    type: "code-line",
    data: {},
    nodes: line === "" ? [] : [t(line)]
  }))
})
export const inline = <A extends Hosted.DocumentInline>(value: A): A => value
/** Returns a row whose blocks match the types of the hosted service. */
export const row = (name: string, markdown: string, blocks: ReadonlyArray<TopLevel>, written?: string): Row => ({
  name,
  markdown,
  blocks,
  ...(written === undefined ? {} : { written })
})
/** Returns a row whose blocks have additional fields of Lectern. */
export const more = (name: string, markdown: string, blocks: ReadonlyArray<object>, written?: string): Row => ({
  name,
  markdown,
  blocks,
  ...(written === undefined ? {} : { written })
})
export const image = (
  data: Hosted.DocumentBlockImage["data"],
  ...caption: Array<Hosted.DocumentBlockParagraph>
): Hosted.DocumentBlockImage => ({
  object: "block",
  type: "image",
  data,
  isVoid: true,
  fragments: caption.length === 0 ? [] : [{ object: "fragment", fragment: "caption", nodes: caption }]
})
export const images = (
  data: Hosted.DocumentBlockImages["data"],
  ...nodes: Array<Hosted.DocumentBlockImage>
): Hosted.DocumentBlockImages => ({ object: "block", type: "images", data, isVoid: false, nodes })
export const cell = (fragment: string, ...nodes: Array<Hosted.DocumentBlock>): Hosted.DocumentFragment => ({
  object: "fragment",
  fragment,
  nodes
})
export const described = (block: object, ...body: Array<object>) => ({
  ...block,
  fragments: [{ object: "fragment", fragment: "body", nodes: body }]
})
export const link = (text: string, to: string) =>
  inline({ object: "inline", type: "link", data: { ref: url(to) }, nodes: [t(text)] })

export const stepper: Hosted.DocumentBlockStepper = {
  object: "block",
  type: "stepper",
  nodes: [
    { object: "block", type: "stepper-step", data: {}, nodes: [p(t("One"))] },
    { object: "block", type: "stepper-step", data: { icon: "star" }, nodes: [p(t("Two"))] }
  ]
}
export const columns: Hosted.DocumentBlockColumns = {
  object: "block",
  type: "columns",
  isVoid: false,
  data: { fullWidth: true },
  nodes: [
    { object: "block", type: "column", data: { width: { unit: "%", value: 33.3 } }, nodes: [p(t("a"))] },
    {
      object: "block",
      type: "column",
      data: { verticalAlignment: "middle" as Hosted.VerticalAlignment },
      nodes: [p(t("b"))]
    },
    { object: "block", type: "column", data: {}, nodes: [] }
  ]
}

export const updates: Hosted.DocumentBlockUpdates = {
  object: "block",
  type: "updates",
  data: { format: "full" },
  nodes: [
    {
      object: "block",
      type: "update",
      data: {
        date: "2026-04-09",
        tags: [
          { kind: "tag", tag: "api" },
          { kind: "tag", tag: "fixes" }
        ]
      },
      nodes: [p(t("News"))]
    }
  ]
}
export const prompt: Hosted.DocumentBlockPrompt = {
  object: "block",
  type: "prompt",
  data: { description: "Write docs", icon: "robot", openInAIProviders: false, defaultExpanded: "partial" },
  nodes: [code("markdown", "Write.", "", "Well.")]
}
export const condition: Hosted.DocumentBlockIf = {
  object: "block",
  type: "if",
  data: { expression: 'visitor.claims.plan === "pro"' },
  nodes: [p(t("a"))]
}
export const fullCode: Hosted.DocumentBlockCode = {
  ...code("ts", "x"),
  data: {
    syntax: "ts",
    title: "a.ts",
    overflow: "wrap",
    lineNumbers: true,
    fullWidth: false,
    expandable: true,
    collapsedLineCount: 10
  }
}
export const cards: Hosted.DocumentBlockTable = {
  object: "block",
  type: "table",
  isVoid: true,
  data: {
    view: {
      type: "cards",
      columns: ["c1"],
      cardSize: "large",
      hideColumnTitle: true,
      wrap: false,
      targetDefinition: "c2",
      coverDefinition: "c3",
      coverDefinitionDark: "c4"
    },
    records: {
      r1: {
        orderIndex: "000001",
        values: {
          c1: "r1-c1",
          c2: page("p1"),
          c3: file("f1"),
          c4: { ref: file("f2"), objectFit: "contain" as Hosted.CardsImageObjectFit }
        }
      },
      r2: { orderIndex: "000002", values: { c1: "r2-c1" } }
    },
    definition: {
      c1: { id: "c1", title: "", type: "text" } as Hosted.DocumentTableDefinitionText,
      c2: { id: "c2", title: "", type: "content-ref" },
      c3: { id: "c3", title: "Cover image", type: "image" },
      c4: { id: "c4", title: "", type: "image" }
    },
    fullWidth: false
  },
  fragments: [
    cell("r1-c1", p(t("Cards", mark("bold")))),
    cell("r2-c1", { object: "block", type: "heading-2", data: {}, nodes: [t("b")] }, p(t("c")), {
      object: "block",
      type: "list-unordered",
      nodes: [{ object: "block", type: "list-item", nodes: [p(t("d"))] }]
    })
  ]
}
export const typed: Hosted.DocumentBlockTable = {
  object: "block",
  type: "table",
  isVoid: true,
  data: {
    view: { type: "grid", columns: ["c1", "c2", "c3", "c4", "c5", "c6"], columnWidths: { c1: 120 }, hideHeader: true },
    records: {
      r1: {
        orderIndex: "000001",
        values: { c1: "r1-c1", c2: 1.5, c3: true, c4: 4, c5: ["x", "y"], c6: ["u1", "u2"], c7: ["f1"] }
      },
      r2: { orderIndex: "000002", values: { c1: "r2-c1", c2: null, c3: false, c5: ["y"] } }
    },
    definition: {
      c1: { id: "c1", title: "T & U", type: "text", textAlignment: "right" },
      c2: { id: "c2", title: "N", type: "number" },
      c3: { id: "c3", title: "C", type: "checkbox" },
      c4: { id: "c4", title: "R", type: "rating", max: 5 },
      c5: {
        id: "c5",
        title: "S",
        type: "select",
        multiple: true,
        options: [
          { value: "x", label: "X", color: "blue" },
          { value: "y", label: "Y", color: "red" }
        ]
      },
      c6: { id: "c6", title: "U", type: "users", multiple: true },
      c7: { id: "c7", title: "F", type: "files" }
    }
  },
  fragments: [cell("r1-c1", p(t("a"))), cell("r2-c1", p(t("b")))]
}
export const merged: Hosted.DocumentBlockTable = {
  object: "block",
  type: "table",
  isVoid: true,
  data: {
    view: { type: "grid", columns: ["c1", "c2"], hideHeader: false },
    records: {
      r1: { orderIndex: "000001", values: { c1: "r1-c1", c2: "r1-c2" } },
      r2: { orderIndex: "000002", values: { c2: "r2-c2" } }
    },
    definition: {
      c1: { id: "c1", title: "A", type: "text" } as Hosted.DocumentTableDefinitionText,
      c2: { id: "c2", title: "B", type: "text" } as Hosted.DocumentTableDefinitionText
    },
    cellMerges: [{ anchor: { record: "r1", column: "c1" }, rowSpan: 2, colSpan: 1 }]
  },
  fragments: [cell("r1-c1", p(t("a"))), cell("r1-c2", p(t("b"))), cell("r2-c2", p(t("c")))]
}
/** Returns a table with one column and one cell. */
export const oneCell = (...nodes: Array<Hosted.DocumentBlock>): Hosted.DocumentBlockTable => ({
  object: "block",
  type: "table",
  isVoid: true,
  data: {
    view: { type: "grid", columns: ["c1"], hideHeader: false },
    records: { r1: { orderIndex: "000001", values: { c1: "r1-c1" } } },
    definition: { c1: { id: "c1", title: "A", type: "text" } as Hosted.DocumentTableDefinitionText }
  },
  fragments: [cell("r1-c1", ...nodes)]
})
export const bars = (cell: string): string => `| A |\n| --- |\n| ${cell} |`
export const items = (
  type: "list-unordered" | "list-ordered",
  ...nodes: Array<Hosted.DocumentBlockParagraph>
): Hosted.DocumentBlock =>
  ({
    object: "block",
    type,
    ...(type === "list-ordered" && { data: { start: 3 } }),
    nodes: nodes.map((node) => ({ object: "block", type: "list-item", nodes: [node] }))
  }) as Hosted.DocumentBlock
export const strong = (text: string): Text => t(text, mark("bold"))
export const hardBreak = { object: "inline", type: "hard-break", isVoid: true } as unknown as Hosted.DocumentInline

export const expandable = (data: Hosted.DocumentBlockExpandable["data"]): Hosted.DocumentBlockExpandable => ({
  object: "block",
  type: "expandable",
  isVoid: true,
  data,
  fragments: [
    {
      object: "fragment",
      fragment: "expandable-title",
      type: "expandable-title",
      nodes: [p(t("More", mark("bold")), t(" & more"))].map((title) => ({
        ...title,
        nodes: [{ object: "text", leaves: [...t("More", mark("bold")).leaves, ...t(" & more").leaves] }]
      }))
    },
    { object: "fragment", fragment: "expandable-body", type: "expandable-body", nodes: [p(t("a"))] }
  ]
})
export const annotation: Hosted.DocumentInlineAnnotation = {
  object: "inline",
  type: "annotation",
  data: { label: "1" },
  isVoid: false,
  nodes: [t("ID")],
  fragments: [{ object: "fragment", type: "annotation-body", nodes: [p(t("A name."))] }]
}

export const html = (value: string) => ({ object: "inline", type: "html", data: { html: value }, isVoid: true })
export const htmlAround = (name: string, text: string): ReadonlyArray<unknown> => [
  html(`<${name}>`),
  t(text),
  html(`</${name}>`)
]
