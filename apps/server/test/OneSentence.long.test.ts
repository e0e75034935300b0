/** An edit of one sentence changes the lines of the block that it stands in and no other, by every way there is. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { SpaceId } from "@lectern/core/space/Space"
import { afterAll, assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { exportFolder } from "../../../packages/exchange/test/export/Exports.ts"
import { importFiles } from "../../../packages/exchange/test/import/Imports.ts"
import { onMemory } from "../../../packages/http/test/Harness.ts"
import { createSpace, merge, openChangeRequest, pageOf, publish, write } from "../../../packages/http/test/Steps.ts"
import { hasGit, outside, pagesOf, repository, succeeds } from "./GitSteps.ts"
import { begunServer, cleanUp, lecternJson, temporaryFolder } from "./LecternProcess.ts"

/** Blocks in styles that nothing is printed in; `Alpha` stands once in each. */
const blocks: Readonly<Record<string, string>> = {
  paragraph: "Some text\nthat goes on, *slanted*. Alpha it says.  \nMore __of__ it.",
  heading: "Alpha\n-----",
  item: "- one\n- Alpha two\n\n    more\n- three",
  numbered: "1) one\n1) Alpha\n1) three",
  task: "+ [ ] Alpha\n+ [x] done",
  quote: "> quoted\nlazily\n>\n> Alpha\n>\n> - x",
  alert: "> [!WARNING]\n> Alpha\n>\n> Rest",
  bars: "|A|B |\n|:--|--|\n|  one|two |\n|x | Alpha|",
  cell: "| A | B |\n|---|---|\n| <p>one</p><ul><li><code>x</code></li></ul> | y |\n| <p>Alpha <strong>b</strong></p><p>c</p>   | z |",
  html: '<table>\n  <thead>\n    <tr><th style="text-align:left">A</th><th>B</th></tr>\n  </thead>\n  <tbody>\n    <tr>\n      <td>x</td>\n      <td><p>one</p><p>Alpha</p></td>\n    </tr>\n    <tr><td>y</td><td></td></tr>\n  </tbody>\n</table>',
  code: "~~~ js\nlet a\nlet Alpha\n~~~",
  hint: "{%hint style='info'%}\n  Some\n\n  Alpha\n{% endhint %}",
  colons: ":::tip[Mind the gap]\n\nAlpha\n\n* b\n:::",
  details: "<details>\n<summary>More</summary>\n- a\n- Alpha\n</details>",
  tabs: '{% tabs %}\n{% tab title="A" %}\n- x\n{% endtab %}\n{% tab title="B" %}\nAlpha\n{% endtab %}\n{% endtabs %}',
  step: "{% stepper %}\n{% step %}\n### One\n- a\n{% endstep %}\n{% step %}\nAlpha\n{% endstep %}\n{% endstepper %}"
}

const names = Object.keys(blocks)
const textOf = (name: string) => `# ${name}\n\nFirst\n***\n${blocks[name]}\n\n\nLast *words*\n`
const before: Readonly<Record<string, string>> = {
  "SUMMARY.md": `# Contents\n\n${names.map((name) => `- [${name}](${name}.md)`).join("\n")}\n`,
  ...Object.fromEntries(names.map((name) => [`${name}.md`, textOf(name)]))
}
const replaced = (files: Readonly<Record<string, string>>, from: string, to: string) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace(from, to)]))
/** The same as somebody would write it in an editor. */
const after = replaced(before, "Alpha", "Omega")
const decoder = new TextDecoder()

/** A space with the pages, imported as a folder. */
const imported = Effect.gen(function* () {
  const { id } = yield* createSpace({ title: "Docs" })
  yield* importFiles(SpaceId.make(id), before).pipe(Effect.provideService(CurrentActor, host))
  return id
})

const exported = (space: string) =>
  exportFolder(SpaceId.make(space)).pipe(
    Effect.provideService(CurrentActor, host),
    Effect.map(({ files }) => Object.fromEntries(Object.entries(files).map(([path, at]) => [path, decoder.decode(at)])))
  )

/** The changes that put one text in the place of another in every page. */
const changes = Effect.fnUntraced(function* (space: string, from: string, to: string) {
  const found: Array<Record<string, unknown>> = []
  for (const { id } of yield* pagesOf(space)) {
    const { markdown } = yield* pageOf(`/v1/spaces/${space}/content`, id)
    assert.include(markdown, from)
    found.push({ operation: "update_page", page: id, document: { markdown: markdown!.replace(from, to) } })
  }
  return found
})

describe.skipIf(!hasGit)("an edit of one sentence", () => {
  afterAll(cleanUp)

  onMemory(
    "One sentence",
    (it) => {
      it.effect("in a change request, in a merge, in an import or through Git changes its block alone", () =>
        Effect.gen(function* () {
          const one = yield* imported
          const request = yield* openChangeRequest(one)
          yield* write(one, request.id, yield* changes(one, "Alpha", "Omega"))
          yield* merge(one, request.id)
          assert.deepStrictEqual(yield* exported(one), after, "a change request")

          const both = yield* imported
          const theirs = yield* openChangeRequest(both)
          yield* write(both, theirs.id, yield* changes(both, "Alpha", "Omega"))
          yield* publish(both, yield* changes(both, "First", "The first"))
          yield* merge(both, theirs.id)
          assert.deepStrictEqual(yield* exported(both), replaced(after, "First", "The first"), "a merge")

          const again = yield* imported
          yield* importFiles(SpaceId.make(again), after).pipe(Effect.provideService(CurrentActor, host))
          assert.deepStrictEqual(yield* exported(again), after, "an import")

          const { url, server } = yield* repository({ ...before })
          const { id: synced } = yield* createSpace({ title: "Docs" })
          yield* succeeds(synced, "import", url)
          yield* publish(synced, yield* changes(synced, "Alpha", "Omega"))
          yield* succeeds(synced, "export", url)
          assert.deepStrictEqual(server.files("docs.git"), after, "Git")
        })
      )

      it.effect("between an import and an export by the command changes its block alone", () =>
        Effect.promise(async () => {
          const { ready, call } = await begunServer().then((server) => ({
            ready: server.ready,
            call: server.call.bind(server)
          }))
          const folder = temporaryFolder()
          for (const [path, text] of Object.entries(before)) {
            mkdirSync(dirname(join(folder, path)), { recursive: true })
            writeFileSync(join(folder, path), text)
          }
          const { space } = await lecternJson(["import", folder, "--data", ready.data])
          const content = `/v1/spaces/${space.id}/content`
          const { body } = await call("GET", `${content}/pages`)
          const edits: Array<unknown> = []
          for (const { id } of body.pages) {
            const { body: page } = await call("GET", `${content}/page/${id}`)
            edits.push({
              operation: "update_page",
              page: id,
              document: { markdown: page.markdown.replace("Alpha", "Omega") }
            })
          }
          const { body: request } = await call("POST", `/v1/spaces/${space.id}/change-requests`, {})
          const path = `/v1/spaces/${space.id}/change-requests/${request.id}`
          assert.strictEqual((await call("POST", `${path}/content`, { changes: edits })).status, 200)
          assert.strictEqual((await call("POST", `${path}/merge`)).status, 200)
          const out = join(temporaryFolder(), "out")
          await lecternJson(["export", space.id, out, "--data", ready.data])
          const files = readdirSync(out).map((name) => [name, readFileSync(join(out, name), "utf8")] as const)
          assert.deepStrictEqual(Object.fromEntries(files), after)
        })
      )
    },
    outside
  )
})
