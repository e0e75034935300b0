/** A page with the editor, in a real browser. */
import { readFileSync } from "node:fs"
import type { Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Browser, Page } from "playwright-core"
import { rolldown } from "rolldown"
import { parse } from "../../document/test/markdown/laws.ts"
import { visit } from "../../site/test/Chromium.ts"

const program = `
import { openJournal } from "@lectern/editor/saving/Journal"
import { changeRequestPage } from "@lectern/editor/saving/ChangeRequestPage"
import { startSaving } from "@lectern/editor/saving/Saving"
import { openEditor } from "@lectern/editor/Editor"
import * as Commands from "@lectern/editor/Commands"
let keys = 0
globalThis.edits = 0
globalThis.Commands = Commands
globalThis.files = []
globalThis.states = []
/** Opens the page that /text serves, and saves it there. */
globalThis.openSaved = async () => {
  const { revision, document } = await (await fetch("/text")).json()
  globalThis.open(document)
  globalThis.saving = await startSaving({
    editor,
    page: "page",
    tab: sessionStorage.tab ??= crypto.randomUUID(),
    revision,
    base: document,
    journal: await openJournal(),
    send: async (revision, document) => {
      const response = await fetch("/text", { method: "PUT", body: JSON.stringify({ revision, document }) })
      if (response.status === 200) return { type: "accepted", revision: (await response.json()).revision }
      if (response.status === 409) return { type: "outdated" }
      if (response.status === 401) return { type: "sessionEnded" }
      throw new Error(response.status)
    },
    fetchNewest: async () => (await fetch("/text")).json(),
    onState: (state) => states.push(state.status)
  })
}
/** Opens a page of a change request of a server. */
globalThis.openPage = async (options) => {
  const page = changeRequestPage({ ...options, nextKey: () => crypto.randomUUID() })
  const { revision, document } = await page.fetchNewest()
  globalThis.open(document)
  const journal = await openJournal()
  globalThis.saving = await startSaving({ editor, ...page, revision, base: document, page: options.page, tab: "tab", journal })
}
globalThis.open = (document) => {
  globalThis.editor = openEditor(globalThis.document.querySelector("main"), {
    document,
    nextKey: () => crypto.randomUUID?.() ?? "new" + Math.random() + keys++,
    onEdit: () => (globalThis.edits++, globalThis.saving?.edited()),
    addFiles: (files) => (globalThis.files.push(...files.map(({ name }) => name)), true)
  })
  editor.view.focus()
}
`

let script: Promise<string> | undefined

/** Bundles the editor once for all tests of a process. */
export const bundled = (): Promise<string> =>
  (script ??= (async () => {
    const build = await rolldown({
      input: "page",
      platform: "browser",
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
    return output[0].code
  })())

export const styles = readFileSync(new URL("../editor.css", import.meta.url), "utf8")

export const security =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'"

export interface EditorPage {
  readonly page: Page
  /** Types keys, each as a key of a keyboard if it has such a name, such as `Enter` or `Control+b`. */
  readonly press: (...keys: ReadonlyArray<string>) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Returns what is edited, as Markdown. */
  readonly markdown: () => Promise<string>
  readonly document: () => Promise<Document>
}

/** Opens Markdown in the editor, with the cursor at its start. */
export const edit = async (browser: Browser, markdown: string, look: (page: EditorPage) => Promise<void>) => {
  const code = await bundled()
  await visit(
    browser,
    "http://editor.test/",
    (url) =>
      url.pathname === "/editor.js"
        ? { contentType: "text/javascript; charset=utf-8", body: code }
        : url.pathname === "/editor.css"
          ? { contentType: "text/css", body: styles }
          : {
              contentType: "text/html; charset=utf-8",
              headers: { "content-security-policy": security },
              body: "<!doctype html><title>Editor</title><link rel=stylesheet href=/editor.css><main></main><script src=/editor.js></script>"
            },
    async (page, { failures }) => {
      const { document } = parse(markdown)
      await page.evaluate((opened) => (globalThis as any).open(opened), document)
      const current = (): Promise<Document> => page.evaluate(() => (globalThis as any).editor.document())
      await look({
        page,
        press: async (...keys) => {
          for (const key of keys) await page.keyboard.press(key)
        },
        type: (text) => page.keyboard.type(text),
        document: current,
        markdown: async () => Markdown.print(await current())
      })
      if (failures.length > 0) throw new Error(failures.join("\n"))
    }
  )
}
