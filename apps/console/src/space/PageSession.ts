/**
 * An open page of a change request: its editor and its saving. It outlives its screen until the server has the whole
 * text. So leaving a page right after a key loses nothing, and coming back finds the text with its undo history. Conflicts
 * stay in the journal until they are decided.
 */
import type { Resolution } from "@lectern/document/merge/BlockConflict"
import { type Editor, openEditor } from "@lectern/editor/Editor"
import { type Outline, outlineOf } from "@lectern/editor/Outline"
import type { RawMarkdown } from "@lectern/editor/raw/RawMarkdown"
import { changeRequestPage } from "@lectern/editor/saving/ChangeRequestPage"
import { type Journal, type OpenConflict, openJournal } from "@lectern/editor/saving/Journal"
import { isSaved, type SaveState } from "@lectern/editor/saving/SaveState"
import { type Saving, startSaving } from "@lectern/editor/saving/Saving"
import { addOwnRevision } from "../api/OwnRevisions.ts"
import { notifyProblem } from "../frame/Notices.tsx"
import { sessionEnded } from "../frame/Session.ts"
import { loadEditorTexts } from "../language/EditorLanguage.ts"
import { blockName, currentLanguage, text } from "../language/Language.ts"
import { writingText } from "../language/WritingTexts.ts"
import { editorLinks } from "./EditorLinks.ts"
import { editorFiles } from "./Pictures.ts"

export interface SessionState {
  /** Undefined until the page is open. */
  readonly save: SaveState | undefined
  readonly conflicts: ReadonlyArray<OpenConflict>
  /** Reason why the page can't be opened. */
  readonly failure: Error | undefined
  /** True if the browser can't keep unsaved texts, such as in a private window. */
  readonly hasJournal: boolean
}

export interface PagePlace {
  readonly space: string
  readonly changeRequest: number
  readonly page: string
}

const nextKey = (): string => crypto.randomUUID()

const sessions = new Map<string, PageSession>()

let journal: Promise<Journal> | undefined

/** A journal that keeps nothing, for browsers without storage. */
const noJournal: Journal = {
  write: async () => undefined,
  read: async () => [],
  remove: async () => undefined,
  addConflicts: async () => undefined,
  readConflicts: async () => [],
  removeConflict: async () => undefined
}

const tabKey = "lectern-tab"

export class PageSession {
  /** Element of the editor. */
  readonly element = document.createElement("div")
  #state: SessionState = { save: undefined, conflicts: [], failure: undefined, hasJournal: true }
  #editor: Editor | undefined
  #saving: Saving | undefined
  readonly #listeners = new Set<() => void>()
  #isShown = false
  readonly #key: string

  constructor(key: string, place: PagePlace) {
    this.#key = key
    this.element.className = "text"
    this.element.dataset["placeholder"] = text("editor.placeholder")
    void this.#open(place).catch((failure: unknown) => {
      sessions.delete(key)
      this.#set({ failure: failure instanceof Error ? failure : new Error(String(failure)) })
    })
  }

  readonly state = (): SessionState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Shows the editor in an element. Returns a function that takes it out again. */
  show(parent: Element): () => void {
    parent.append(this.element)
    this.#isShown = true
    return () => {
      this.#isShown = false
      this.element.remove()
      this.flush()
      this.#endIfSaved()
    }
  }

  focus(): void {
    this.#editor?.view.focus()
  }

  /** Call if the change request may have another revision. */
  announce(revision: string): void {
    this.#saving?.announced(revision)
  }

  signedIn(): void {
    this.#saving?.signedIn()
  }

  flush(): void {
    this.#editor?.flush()
    this.#saving?.flush()
  }

  /** Returns the headings and the number of words. The page must be open. */
  outline(): Outline {
    this.#editor!.flush()
    return outlineOf(this.#editor!.view.state.doc, currentLanguage())
  }

  /** Puts the cursor at the start of a block. */
  goTo(key: string): void {
    this.#editor!.goTo(key)
  }

  /** Shows the text as raw Markdown in an element. The page must be open. Returns a function that takes it out again. */
  async openMarkdown(parent: Element): Promise<RawMarkdown> {
    const { openRawMarkdown } = await import("@lectern/editor/raw/RawMarkdown")
    return openRawMarkdown(parent, {
      editor: this.#editor!,
      nextKey,
      texts: await loadEditorTexts(),
      label: writingText("markdown.label")
    })
  }

  /** Decides a conflict. The page must be open. */
  resolve({ id }: OpenConflict, resolution: Resolution): void {
    if (!this.#saving!.resolve(id, resolution)) notifyProblem(text("conflict.blockIsGone"))
  }

  async #open({ space, changeRequest, page }: PagePlace): Promise<void> {
    const server = changeRequestPage({ api: "/v1", space, changeRequest: String(changeRequest), page, nextKey })
    const { revision, document: base } = await server.fetchNewest()
    const [files, texts] = await Promise.all([editorFiles({ space, changeRequest }, base), loadEditorTexts()])
    this.#editor = openEditor(this.element, {
      document: base,
      nextKey,
      ...files,
      ...editorLinks({ space, changeRequest }),
      nameOf: blockName,
      texts,
      label: text("editor.label"),
      onEdit: () => this.#saving?.edited()
    })
    this.#saving = await startSaving({
      ...server,
      send: async (base, document) => {
        const result = await server.send(base, document)
        if (result.type === "accepted") addOwnRevision(result.revision)
        return result
      },
      editor: this.#editor,
      page: `${space}/${changeRequest}/${page}`,
      tab: (sessionStorage[tabKey] ??= crypto.randomUUID()) as string,
      revision,
      base,
      nextKey,
      journal: await (journal ??= openJournal().catch(() => {
        this.#set({ hasJournal: false })
        return noJournal
      })),
      onState: (save) => {
        if (save.status === "signedOut" && this.#state.save?.status !== "signedOut") sessionEnded()
        this.#set({ save })
        if (!this.#isShown) this.#endIfSaved()
      },
      onConflicts: (conflicts) => this.#set({ conflicts }),
      onJournalFailure: () => this.#set({ hasJournal: false })
    })
    this.#set({ save: this.#saving.state() })
  }

  #endIfSaved(): void {
    const { save } = this.#state
    if (save === undefined || !isSaved(save) || this.#state.conflicts.length > 0) return
    this.#saving!.stop()
    this.#editor!.close()
    sessions.delete(this.#key)
  }

  #set(change: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Returns the session of a page, which may be open since an earlier screen. */
export const pageSession = (place: PagePlace): PageSession => {
  const key = `${place.space}/${place.changeRequest}/${place.page}`
  const session = sessions.get(key) ?? new PageSession(key, place)
  sessions.set(key, session)
  return session
}

addEventListener("pagehide", () => {
  for (const session of sessions.values()) session.flush()
})
