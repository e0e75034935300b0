/** An imported page that tests change and export, as a client or a reader of its Markdown would. */
import { fold } from "@lectern/core/content/documents/StoredDocument"
import type { SpaceId } from "@lectern/core/space/Space"
import { assert } from "@effect/vitest"
import type { Document } from "@lectern/document/Document"
import { Effect } from "effect"
import { documentAt, importFiles, markdownAt, newSpace, onInstance, pageAt } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit, written } from "./RandomContents.ts"

/** A page in a style of its own. */
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

/** The page in a folder, and another one. */
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
  yield* edit(space, (editor) => editor.setDocument(id, fold(after)))
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

/** The same of a document that no text says as it is, so the one that its export is read as is another. */
export const changedWithoutLaws = (text: string, change: Change) =>
  onInstance(
    Effect.flatMap(newSpace, (space) =>
      Effect.map(exported(space, text, change), ({ files }) => decoder.decode(files["odd.md"]))
    )
  )

/** The page edited as somebody does who reads it as Markdown. */
export const edited = (text: string, change: (markdown: string) => string) =>
  changed(text, (_, before) => {
    const after = change(before)
    assert.notStrictEqual(after, before)
    return written(after)
  })

/** The page without the blocks that say so, as somebody takes them away who edits documents. */
export const without = (text: string, said: string) =>
  changed(text, (document) => {
    const nodes = document.nodes.filter((node) => !JSON.stringify(node).includes(said))
    assert.isBelow(nodes.length, document.nodes.length)
    return { ...document, nodes }
  })
