/**
 * The package as a worker of a browser gets it: bundled for browsers, as bundlers do by themselves, and run where neither
 * Node nor a page is there.
 */
import { runInNewContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { rolldown } from "rolldown"

const page = `
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { diff } from "@lectern/document/difference/DocumentDiff"
import { evaluate } from "@lectern/document/DocumentEvaluation"
import * as DocumentInput from "@lectern/document/DocumentInput"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import * as DocumentText from "@lectern/document/DocumentText"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { mergeDocuments } from "@lectern/document/merge/DocumentMerge"

let keys = 0
const read = (text) => Markdown.parse(text, { nextKey: () => "k" + keys++ }).document
const base = read("# Coffee\\n\\nGrind the beans.\\n\\nPour water of 90 &deg;C, see [here](https://example.com).\\n")
const ours = align(base, read("# Coffee\\n\\nGrind the beans finely.\\n\\nPour water of 90 &deg;C, see [here](https://example.com).\\n"))
const main = align(base, read("# Coffee\\n\\nGrind the beans.\\n\\nPour water of 94 &deg;C, see [here](https://example.com).\\n"))
const { document, conflicts } = mergeDocuments({ base, ours, main })
globalThis.found = JSON.stringify({
  text: Markdown.print(document),
  conflicts,
  changes: diff(base, document).map(({ kind }) => kind),
  links: DocumentLinks.linksOf(document).links.map(([url]) => url),
  headings: DocumentText.headings(document).map(({ text }) => text),
  there: [evaluate, DocumentInput].length
})
`

/** Bundles a program for a browser. */
const bundle = async (program: string) => {
  const build = await rolldown({
    input: "page",
    platform: "browser",
    resolve: { conditionNames: ["browser", "import"] },
    treeshake: { moduleSideEffects: false },
    plugins: [
      {
        name: "page",
        resolveId: (id: string) => (id === "page" ? id : undefined),
        load: (id: string) => (id === "page" ? program : undefined)
      }
    ],
    cwd: import.meta.dirname
  })
  const { output } = await build.generate({ format: "iife", minify: true })
  return output[0]
}

it("parses, aligns, compares, merges and prints where neither Node nor a page is there", async () => {
  const { code, imports } = await bundle(page)
  assert.deepStrictEqual(imports, [])
  const window = { TextEncoder, TextDecoder, URL, crypto, found: "" }
  runInNewContext(code, window)
  assert.deepStrictEqual(JSON.parse(window.found), {
    text: "# Coffee\n\nGrind the beans finely.\n\nPour water of 94 °C, see [here](https://example.com).\n",
    conflicts: [],
    changes: ["edited", "edited"],
    links: ["https://example.com"],
    headings: ["Coffee"],
    there: 2
  })
})

it.each([
  [
    "differences and merging",
    25,
    `export { diff } from "@lectern/document/difference/DocumentDiff"
    export { mergeDocuments } from "@lectern/document/merge/DocumentMerge"`
  ],
  ["parsing and printing Markdown", 110, `export { parse, print } from "@lectern/document/markdown/Markdown"`]
])("has %s in at most %d KB with gzip", async (_name, limit, program) => {
  const { code } = await bundle(program)
  assert.isAtMost(gzipSync(code).length / 1000, limit)
})
