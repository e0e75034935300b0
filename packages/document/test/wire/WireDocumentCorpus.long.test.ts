/** Real documentation as it is answered. The corpus is not part of the project. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import type { Document } from "@lectern/document/Document"
import { parse } from "../markdown/laws.ts"
import { problems } from "./HostedVocabulary.ts"

const corpus = new URL("../../../../../shared/corpus/", import.meta.url).pathname
const isThere = existsSync(corpus)
if (!isThere) console.warn("SKIPPED: real pages as they are answered, as ../shared/corpus is absent")

const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

describe.skipIf(!isThere)("real documentation as it is answered", () => {
  it("is of the hosted service's vocabulary, and the same when it is read again", () => {
    const pages = isThere ? globSync(`${corpus}{brighter,adobe-aep}/**/*.md`) : []
    assert.isAbove(pages.length, 400)
    for (const page of pages) {
      const document: Document = plain(parse(readFileSync(page, "utf8")).document)
      const answer = plain(WireDocument.encode(document))
      assert.deepStrictEqual([...problems(answer)], [], page)
      assert.deepStrictEqual(WireDocument.decode(answer), document, page)
    }
  })
})
