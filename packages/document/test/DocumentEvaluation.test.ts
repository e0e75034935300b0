/** Evaluated documents, and the laws that hold whatever they include. */
import type { Block, Document, Inline } from "@lectern/document/Document"
import { countNodes, maxNodes } from "@lectern/document/DocumentSize"
import { plainText } from "@lectern/document/DocumentText"
import * as DocumentEvaluation from "@lectern/document/DocumentEvaluation"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { paragraph, tree as document } from "../../core/test/content/Documents.ts"
import { runs } from "../../core/test/Runs.ts"

const block = (type: string, data: Block["data"], nodes: Block["nodes"] = [], key = type): Block => ({
  object: "block",
  type,
  key,
  ...(data === undefined ? {} : { data }),
  nodes
})

const expression = (text: string): Inline => ({
  object: "inline",
  type: "expression",
  data: { expression: text },
  isVoid: true
})
const saying = (key: string, ...texts: ReadonlyArray<string>): Block =>
  block("paragraph", undefined, texts.map(expression), key)
const choice = (condition: string, ...nodes: ReadonlyArray<Block>): Block =>
  block("if", { expression: condition }, nodes)
const include = (id: string, key = `include-${id}`): Block =>
  block("reusable-content", { ref: { kind: "reusable-content", reusableContent: id } }, [], key)

type Options = Partial<Omit<DocumentEvaluation.EvaluationOptions, "includedContent" | "scope" | "space">> & {
  readonly included?: Readonly<Record<string, Document>>
  readonly claims?: Record<string, unknown>
  readonly space?: Record<string, unknown>
  readonly page?: Record<string, unknown>
}

const sizeOf = (one: Document) => ({
  document: one,
  nodes: countNodes(one.nodes, maxNodes),
  bytes: JSON.stringify(one).length
})

const evaluate = (one: Document, { included = {}, claims = {}, space = {}, page = {}, ...rest }: Options = {}) => {
  const pieces = new Map(Object.entries(included).map(([id, piece]) => [id, sizeOf(piece)]))
  return DocumentEvaluation.evaluate(one, {
    mode: "all",
    evaluatesClaims: false,
    space: "here",
    ...rest,
    scope: { claims, space, page },
    includedContent: (id) => pieces.get(id)
  })
}

const textOf = (one: Document): string => one.nodes.map(plainText).join("\n")
const read = (one: Document, options?: Options): string => textOf(evaluate(one, options).document)

/** The expression, what is known, and what it comes to; undefined: it stays. */
const values: ReadonlyArray<readonly [string, Options, string | undefined]> = [
  ["space.vars.version", { space: { version: "1.2" } }, "1.2"],
  ["space.vars.count", { space: { count: 3 } }, "3"],
  ["space.vars.on", { space: { on: false } }, "false"],
  ["space.vars.a.b", { space: { "a.b": "dotted" } }, "dotted"],
  ['space.vars["a-b"]', { space: { "a-b": "hyphen" } }, "hyphen"],
  ["page.vars.name", { page: { name: "of the page" }, space: { name: "of the space" } }, "of the page"],
  ["visitor.claims.name", { claims: { name: "Ada" } }, "Ada"],
  ["visitor.claims.name", {}, ""],
  ["visitor.claims.groups", { claims: { groups: ["a", "b"] } }, "a, b"],
  ['space.vars.a || "else"', {}, "else"],
  ['"text"', {}, "text"],
  ["space.vars.unknown", {}, undefined],
  ["space.vars.constructor", {}, undefined],
  ["space.vars", { space: { a: 1 } }, undefined],
  ["page.title", {}, undefined],
  ["space.vars.a +", { space: { a: "x" } }, undefined],
  ["fetch('x')", {}, undefined],
  ["", {}, undefined]
]

describe("DocumentEvaluation", () => {
  it.each(values)("an expression stands for its value: %s", (text, options, expected) => {
    const before = document(saying("p", text))
    const { document: after } = evaluate(before, options)
    if (expected === undefined) assert.strictEqual(after, before)
    else assert.strictEqual(textOf(after), expected)
  })

  it("a value is part of the text around it", () => {
    const around = (text: string) => ({
      object: "text" as const,
      leaves: [{ object: "leaf" as const, text, marks: [] }]
    })
    const line = block("paragraph", undefined, [around("Version "), expression("space.vars.v"), around(".")], "p")
    const { document: after } = evaluate(document(line), { space: { v: 2 } })
    assert.deepStrictEqual(after.nodes[0]!.nodes, [around("Version 2.")])
  })

  it("a condition shows what holds, and the part behind else otherwise", () => {
    const both = document({
      ...choice("visitor.claims.pro", paragraph("a", "for you")),
      fragments: [{ object: "fragment", fragment: "else", nodes: [paragraph("b", "for others")] }]
    })
    assert.strictEqual(read(both, { claims: { pro: true } }), "for you")
    assert.strictEqual(read(both, {}), "for others")
    const hidden = { mode: "hidden", hides: true } as const
    assert.notInclude(JSON.stringify(evaluate(both, { ...hidden, claims: { pro: true } })), "for others")
    assert.notInclude(JSON.stringify(evaluate(both, hidden)), "for you")
    const one = document(choice("space.vars.beta", paragraph("a", "beta")), paragraph("b", "all"))
    assert.strictEqual(read(one, { space: { beta: true } }), "beta\nall")
    assert.strictEqual(read(one), "all")
    for (const wrong of ["", "(", "fetch()", "x".repeat(2000)]) {
      assert.strictEqual(read(document(choice(wrong, paragraph("a", "hidden")))), "")
    }
  })

  it("only what is the same for everyone is evaluated where that is asked for", () => {
    const mixed = document(
      choice("visitor.claims.pro", saying("a", "space.vars.v", "visitor.claims.name")),
      choice("space.vars.v", paragraph("b", "kept"))
    )
    const known = { space: { v: "1" }, claims: { name: "Ada" } }
    const member = evaluate(mixed, { ...known, mode: "deterministic" }).document
    assert.strictEqual(member.nodes[0]!.type, "if")
    assert.include(JSON.stringify(member), "visitor.claims.name")
    assert.notInclude(JSON.stringify(member), "space.vars")
    // A visitor never gets what is hidden from it, evaluated or not.
    for (const mode of ["deterministic", "hidden"] as const) {
      assert.notInclude(
        JSON.stringify(evaluate(mixed, { ...known, mode, evaluatesClaims: true })),
        "visitor.claims.name"
      )
    }
    const pro = { ...known, claims: { name: "Ada", pro: true } }
    const hidden = evaluate(mixed, { ...pro, mode: "hidden", evaluatesClaims: true })
    // What holds stands in place of its condition, which is nothing to tell; values stay to be asked for.
    const text = JSON.stringify(hidden.document)
    assert.notInclude(text, '"if"')
    for (const kept of ["visitor.claims.name", "space.vars.v", "kept"]) assert.include(text, kept)
    assert.isTrue(hidden.readsClaims)
  })

  it("an include is what it includes, with keys of its own each time", () => {
    const twice = document(include("a", "1"), include("a", "2"))
    const { document: after } = evaluate(twice, { included: { a: document(paragraph("p", "text")) } })
    assert.strictEqual(textOf(after), "text\ntext")
    assert.strictEqual(new Set(after.nodes.map(({ key }) => key)).size, 2)
  })

  it("an include of what isn't there, or of itself, stays with a note that no reader sees", () => {
    const missing = evaluate(document(include("none"))).document
    assert.deepStrictEqual(
      missing.nodes.map(({ type }) => type),
      ["reusable-content", "html"]
    )
    assert.match(String(missing.nodes[1]!.data?.html), /^<!-- [^<>-]+ -->$/)
    const elsewhere = block("reusable-content", {
      ref: { kind: "reusable-content", reusableContent: "a", space: "elsewhere" }
    })
    assert.notInclude(read(document(elsewhere), { included: { a: document(paragraph("p", "secret")) } }), "secret")
    const cycle = read(document(include("a")), { included: { a: document(paragraph("p", "once"), include("a")) } })
    assert.include(cycle, "once")
    assert.notInclude(cycle, "once\nonce")
  })

  it("many includes of much end where the page is full", () => {
    const bomb = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `b${i}`,
        document(...Array.from({ length: 40 }, (_, n) => include(`b${i + 1}`, `k${n}`)))
      ])
    )
    const { document: after } = evaluate(document(include("b0")), { included: bomb })
    assert.isAtMost(countNodes(after.nodes, 10 * maxNodes), 4 * maxNodes)
    const large = document(paragraph("p", "x".repeat(4 * 1024 * 1024)))
    const heavy = document(...Array.from({ length: 100 }, (_, i) => include("large", `k${i}`)))
    assert.isAtMost(JSON.stringify(evaluate(heavy, { included: { large } })).length, 9 * 1024 * 1024)
    const value = "x".repeat(10_000)
    const wordy = document(saying("p", ...Array.from({ length: 2_000 }, () => "space.vars.long")))
    assert.isAtMost(JSON.stringify(evaluate(wordy, { space: { long: value } })).length, 9 * 1024 * 1024)
  })
})

const names = ["a", "b", "c", "d"]
const word = fc.constantFrom("one", "two", "three")
const conditions = fc.constantFrom("visitor.claims.yes", "!visitor.claims.yes", "space.vars.yes", "(", "page.vars.no")

const { nodes } = fc.letrec<{ node: Block; nodes: Array<Block> }>((tie) => ({
  nodes: fc.array(tie("node"), { maxLength: 5 }),
  node: fc.oneof(
    { depthSize: "small" },
    word.map((text) => paragraph("p", text)),
    fc.constantFrom("space.vars.yes", "space.vars.none", "visitor.claims.name").map((text) => saying("p", text)),
    fc.constantFrom(...names, "none").map((id) => include(id)),
    fc.tuple(conditions, tie("nodes")).map(([text, within]) => choice(text, ...within)),
    tie("nodes").map((within) => block("hint", { style: "info" }, within))
  )
}))

const keyed = (blocks: ReadonlyArray<Block>): Document => {
  let n = 0
  const visit = (one: Block): Block => ({
    ...one,
    key: `k${n++}`,
    ...(one.nodes && { nodes: one.nodes.map((node) => (node.object === "block" ? visit(node) : node)) })
  })
  return document(...blocks.map(visit))
}

const documents = nodes.map(keyed)
const secret = "nobody is to see this"

describe("the laws of evaluation", () => {
  const known = { space: { yes: "value" }, claims: { name: "Ada" } }

  it("it ends within bounds, resolves what is known, and does nothing more the second time", () => {
    fc.assert(
      fc.property(documents, fc.dictionary(fc.constantFrom(...names), documents), (page, included) => {
        const options = { ...known, included }
        const { document: after } = evaluate(page, options)
        assert.isAtMost(countNodes(after.nodes, 10 * maxNodes), countNodes(page.nodes, maxNodes) + 3 * maxNodes)
        const text = JSON.stringify(after)
        assert.notInclude(text, "space.vars.yes")
        assert.notInclude(text, "visitor.claims")
        assert.notInclude(text, '"if"')
        const keys = new Set<string>()
        const open = [...after.nodes]
        for (let one = open.pop(); one !== undefined; one = open.pop()) {
          assert.isFalse(keys.has(one.key), `the key ${one.key} is there twice`)
          keys.add(one.key)
          for (const node of one.nodes ?? []) if (node.object === "block") open.push(node)
        }
        const plain = { ...options, included: {} }
        const settled = evaluate(after, { ...plain, mode: "hidden" }).document
        assert.strictEqual(settled, after)
      }),
      runs(300)
    )
  })

  it("nothing that a condition hides from a visitor comes out, in any mode", () => {
    fc.assert(
      fc.property(documents, fc.constantFrom("all", "deterministic", "hidden"), fc.nat(3), (page, mode, depth) => {
        let hidden: Block = choice("visitor.claims.no", paragraph("s", secret))
        for (let i = 0; i < depth; i++) hidden = block("hint", {}, [hidden], `around-${i}`)
        const { document: after } = evaluate(document(...page.nodes, hidden), { ...known, mode, evaluatesClaims: true })
        assert.notInclude(JSON.stringify(after), secret)
      }),
      runs()
    )
  })
})
