/** The program of the page with the editor. Tests call it in the browser as `inPage`. */
import { loadMarkdown } from "@lectern/editor/clipboard/LateMarkdown"
import { loadCode } from "@lectern/editor/code/LateCode"
import { selectBlock } from "@lectern/editor/BlockCommands"
import * as Commands from "@lectern/editor/Commands"
import type { Document } from "@lectern/document/Document"
import { type BlockConflict, mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import { type Editor, openEditor } from "@lectern/editor/Editor"
import type { LinkTarget } from "@lectern/editor/menu/MenuOptions"
import type { RawMarkdown } from "@lectern/editor/raw/RawMarkdown"
import { changeRequestPage, type ChangeRequestPageOptions } from "@lectern/editor/saving/ChangeRequestPage"
import { type OpenConflict, openJournal } from "@lectern/editor/saving/Journal"
import { type Saving, type SendResult, startSaving } from "@lectern/editor/saving/Saving"

import { Selection } from "prosemirror-state"

interface StoredText {
  readonly revision: string
  readonly document: Document
}

class InPage {
  readonly commands = { ...Commands, selectBlock }
  /** Names of files that were pasted. */
  readonly files: Array<string> = []
  /** Targets that a link can have. */
  readonly targets: ReadonlyArray<LinkTarget> = [
    { ref: { kind: "page", page: "brew" }, title: "Brew coffee", path: "Guides" },
    { ref: { kind: "anchor", page: "brew", anchor: "grind" }, title: "Grind", path: "Guides › Brew coffee" },
    { ref: { kind: "file", file: "menu" }, title: "menu.pdf" }
  ]
  #editor: Editor | undefined
  #raw: RawMarkdown | undefined
  #saving: Saving | undefined

  get editor(): Editor {
    return this.#editor!
  }

  get saving(): Saving {
    return this.#saving!
  }

  /** Opens a document, with the cursor at its start. */
  open(document: Document): void {
    this.#editor = openEditor(globalThis.document.querySelector("main")!, {
      document,
      nextKey: () => this.nextKey(),
      onEdit: () => this.#saving?.edited(),
      addFiles: (files) => this.files.push(...files.map(({ name }) => name)) > 0,
      findLinks: async (query) => this.targets.filter(({ title }) => title.toLowerCase().includes(query.toLowerCase())),
      describeLink: async (ref) =>
        this.targets.find((target) => JSON.stringify(target.ref) === JSON.stringify(ref)) ?? null,
      linkToBlock: (key) => `https://docs.example.com/page#${key}`
    })
    this.editor.view.focus()
  }

  /** Opens the document as raw Markdown, too, with the focus in it. */
  async openRaw(): Promise<void> {
    const { openRawMarkdown } = await import("@lectern/editor/raw/RawMarkdown")
    this.#raw = openRawMarkdown(globalThis.document.querySelector("main")!, {
      editor: this.editor,
      nextKey: () => this.nextKey()
    })
    this.#raw.focus()
  }

  get raw(): RawMarkdown {
    return this.#raw!
  }

  /** Puts the cursor into the text in the middle of the document. */
  goToMiddle(): void {
    const { state } = this.editor.view
    this.editor.run((_, dispatch) => {
      const middle = state.doc.resolve(state.doc.content.size >> 1)
      dispatch?.(state.tr.setSelection(Selection.near(middle)).scrollIntoView())
      return true
    })
  }

  /** Waits for the parts of the editor that are loaded late. */
  async loadAll(): Promise<void> {
    await Promise.all([loadMarkdown(), loadCode()])
  }

  conflicts: ReadonlyArray<OpenConflict> = []

  /** Opens the text at the path `/text`, and saves it there. */
  async openText(): Promise<void> {
    const fetchNewest = async () => (await (await fetch("/text")).json()) as StoredText
    const { revision, document } = await fetchNewest()
    this.open(document)
    this.#saving = await startSaving({
      editor: this.editor,
      page: "page",
      tab: (sessionStorage["tab"] ??= crypto.randomUUID()),
      revision,
      base: document,
      nextKey: () => this.nextKey(),
      journal: await openJournal(),
      onConflicts: (conflicts) => (this.conflicts = conflicts),
      send: async (revision, document): Promise<SendResult> => {
        const response = await fetch("/text", { method: "PUT", body: JSON.stringify({ revision, document }) })
        if (response.status === 200) {
          return { type: "accepted", revision: ((await response.json()) as StoredText).revision }
        }
        if (response.status === 409) return { type: "outdated" }
        if (response.status === 401) return { type: "sessionEnded" }
        throw new Error(String(response.status))
      },
      fetchNewest
    })
  }

  /** Opens a page of a change request on a server, and saves it there. */
  async openPage(options: Omit<ChangeRequestPageOptions, "nextKey">): Promise<void> {
    const page = changeRequestPage({ ...options, nextKey: () => this.nextKey() })
    const { revision, document } = await page.fetchNewest()
    this.open(document)
    const journal = await openJournal()
    this.#saving = await startSaving({
      ...page,
      editor: this.editor,
      revision,
      base: document,
      page: options.page,
      tab: "tab",
      nextKey: () => this.nextKey(),
      journal
    })
  }

  /** Merges a newer version into the text. Returns the conflicts. */
  merge(base: Document, newer: Document): ReadonlyArray<BlockConflict> {
    const { conflicts, document } = mergeDocuments({ base, main: newer, ours: this.editor.document() })
    this.editor.set(document)
    return conflicts
  }

  /** True if the server has the text of the editor. */
  isSaved(): boolean {
    const { status, text, savedText } = this.saving.state()
    return status === "saved" && text === savedText
  }

  nextKey(): string {
    return crypto.getRandomValues(new Uint32Array(4)).join("-")
  }
}

declare global {
  var inPage: InPage
}

globalThis.inPage = new InPage()
