/** Imports a page, changes it as an API client or as Markdown, and exports it. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import type { SpaceId } from "@lectern/core/space/Space"
import { assert } from "@effect/vitest"
import type { Document } from "@lectern/document/Document"
import { Effect } from "effect"
import { documentAt, importFiles, markdownAt, newSpace, onInstance, pageAt } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit, written } from "./RandomContents.ts"

/** A page in a style that differs from the printer's. */
export const page = `---
title:   'Odd'
tags: [ b,
  a ]
---
Odd
===

A line
that goes on, *slanted* and __strong__, to [Other](./other.md "t").


- one
   - two
- three

+ [ ] plus
+ [x] minus

1) first
1) second

| Name   | Price |
|:-------|------:|
| Coffee |  2    |
| Tea    |  1    |

> quoted
lazily

> [!NOTE]
> Noted well

~~~ js
let a
let b
~~~

{% hint style='info' %}
  Said [there][1].

  More.
{% endhint %}

<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>
* * *
[1]: https://example.com/a

Last line`

/** Returns a folder with this page and another page. */
export const folder = (text: string): Record<string, string> => ({
  "SUMMARY.md": "# Table of contents\n\n* [Odd](odd.md)\n* [Other](other.md)\n",
  "odd.md": text,
  "other.md": "# Other\n"
})

export const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

type Change = (document: Document, markdown: string) => Document

const exported = Effect.fnUntraced(function* (space: SpaceId, text: string, change: Change) {
  yield* importFiles(space, folder(text))
  const after = change(yield* documentAt(space, "odd"), yield* markdownAt(space, "odd"))
  const { id } = yield* pageAt(space, "odd")
  yield* edit(space, (editor) => editor.setDocument(id, serialize(after)))
  return yield* exportFolder(space)
})

/** Imports the page, changes its document, and exports it. */
export const changed = (text: string, change: Change) =>
  onInstance(
    Effect.gen(function* () {
      const space = yield* newSpace
      const { files, problems } = yield* exported(space, text, change)
      assert.deepStrictEqual(problems, [])
      yield* assertLaws(space)
      return decoder.decode(files["odd.md"])
    })
  )

/** Like `changed`, but without asserting the laws: for documents that Markdown can't express exactly. */
export const changedWithoutLaws = (text: string, change: Change) =>
  onInstance(
    Effect.flatMap(newSpace, (space) =>
      Effect.map(exported(space, text, change), ({ files }) => decoder.decode(files["odd.md"]))
    )
  )

/** Imports the page, changes its Markdown, and exports it. */
export const edited = (text: string, change: (markdown: string) => string) =>
  changed(text, (_, before) => {
    const after = change(before)
    assert.notStrictEqual(after, before)
    return written(after)
  })

/** Imports the page, removes the blocks that contain a text, and exports it. */
export const without = (text: string, said: string) =>
  changed(text, (document) => {
    const nodes = document.nodes.filter((node) => !JSON.stringify(node).includes(said))
    assert.isBelow(nodes.length, document.nodes.length)
    return { ...document, nodes }
  })
