/**
 * Saves the document of an editor: runs the effects of `SaveState` with the server and the journal of the host.
 *
 * ```ts
 * const saving = await startSaving({ editor, page, revision, base, journal, tab, send, fetchNewest, onState: show })
 * ```
 *
 * At the start, texts in the journal that the server does not have are brought into the editor and merged with its
 * newest revision. So a reload loses nothing. `onConflicts` gets the conflicts of a merge; the editor keeps its own
 * version.
 */
import type { Document } from "@lectern/document/Document"
import type { BlockConflict } from "@lectern/document/merge/DocumentMerge"
import { documentNode } from "../DocumentNodes.ts"
import type { Editor } from "../Editor.ts"
import type { Journal } from "./Journal.ts"
import { opened, type SaveEffect, type SaveEvent, type SaveState, step } from "./SaveState.ts"

/** Answer of the server. */
export type SendResult =
  | { readonly type: "accepted"; readonly revision: string }
  /** The server has another revision. */
  | { readonly type: "outdated" }
  | { readonly type: "sessionEnded" }
  /** The server refuses the text for good. */
  | { readonly type: "refused"; readonly reason: string }

export interface SavingOptions {
  readonly editor: Editor
  /** Id of the page in the journal. */
  readonly page: string
  /** Id of this tab in the journal. */
  readonly tab: string
  /** Revision of the server that the editor was opened with, and its document. */
  readonly revision: string
  readonly base: Document
  readonly journal: Journal
  /** Sends a text that is based on a revision. Rejects if there is no answer. */
  readonly send: (revision: string, document: Document) => Promise<SendResult>
  /** Fetches the newest revision. Rejects if there is no answer. */
  readonly fetchNewest: () => Promise<{ readonly revision: string; readonly document: Document }>
  readonly onState?: (state: SaveState) => void
  readonly onConflicts?: (conflicts: ReadonlyArray<BlockConflict>) => void
  /** Called if the journal can't be written, such as in a private window. The text is still sent. */
  readonly onJournalFailure?: (failure: unknown) => void
}

export interface Saving {
  readonly state: () => SaveState
  /** Call after each edit: the `onEdit` of the editor. */
  readonly edited: () => void
  /** Call if the server may have a newer revision. */
  readonly announced: (revision: string) => void
  readonly signedIn: () => void
  /** Sends an unsent text without the pause. */
  readonly flush: () => void
  /** Ends saving. An unsaved text stays in the journal. */
  readonly stop: () => void
}

export const startSaving = async (options: SavingOptions): Promise<Saving> => {
  const { editor, page, tab, journal } = options
  let { base } = options
  let state = opened(options.revision)
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent: Document | undefined
  let isStopped = false
  let isEntryWaiting = false
  /** Writes and removals of entries run one after the other. */
  let journaling: Promise<void> = Promise.resolve()

  const take = (event: SaveEvent): void => {
    if (isStopped) return
    const next = step(state, event)
    state = next.state
    options.onState?.(state)
    for (const effect of next.effects) run(effect)
  }

  const inJournal = (work: () => Promise<void>): void => {
    journaling = journaling.then(work).catch((failure: unknown) => options.onJournalFailure?.(failure))
  }

  const run = (effect: SaveEffect): void => {
    switch (effect.type) {
      case "journal":
        // While an entry is written, the next one waits, and gets all edits of that time.
        if (isEntryWaiting) return
        isEntryWaiting = true
        return inJournal(() => {
          isEntryWaiting = false
          const { revision, text } = state
          return journal.write({ page, tab, text, revision, base, document: editor.document(), at: Date.now() })
        })
      case "forget":
        return inJournal(() => journal.remove(page, tab, effect.text))
      case "pause":
        clearTimeout(timer)
        timer = setTimeout(() => take({ type: "elapsed" }), effect.milliseconds)
        return
      case "send":
        clearTimeout(timer)
        return send(effect.revision)
      case "merge":
        return merge()
    }
  }

  const send = (revision: string): void => {
    const document = editor.document()
    sent = document
    options.send(revision, document).then(
      (result) => {
        if (result.type === "accepted") base = document
        take(result)
      },
      () => take({ type: "unanswered" })
    )
  }

  const merge = (): void => {
    options.fetchNewest().then(
      ({ revision, document }) => {
        if (isStopped || state.status !== "merging") return
        // A request without an answer may have been stored: then its text is the common base.
        const conflicts = editor.merge(sharesText(document, sent) ? sent : base, document)
        sent = undefined
        base = document
        if (conflicts.length > 0) options.onConflicts?.(conflicts)
        take({ type: "merged", revision, isChanged: !isSame(editor.document(), document) })
      },
      () => take({ type: "unanswered" })
    )
  }

  const restore = async (): Promise<void> => {
    const entries = await journal.read(page)
    for (const [i, entry] of entries.entries()) {
      // In a conflict, the editor keeps the text of the journal.
      if (i === 0) editor.set(entry.document)
      const conflicts = i === 0 ? editor.merge(entry.base, base) : editor.merge(entry.base, entry.document)
      if (conflicts.length > 0) options.onConflicts?.(conflicts)
    }
    if (entries.length === 0 || isSame(editor.document(), base)) return
    take({ type: "edited" })
    // Their texts are in the entry of this tab now.
    for (const entry of entries) {
      if (entry.tab !== tab) inJournal(() => journal.remove(page, entry.tab, entry.text))
    }
  }

  await restore().catch((failure: unknown) => options.onJournalFailure?.(failure))
  return {
    state: () => state,
    edited: () => take({ type: "edited" }),
    announced: (revision) => take({ type: "announced", revision }),
    signedIn: () => take({ type: "signedIn" }),
    flush: () => {
      if (state.status === "changed") take({ type: "elapsed" })
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    }
  }
}

/** Compares documents by their nodes in the editor. */
const isSame = (a: Document, b: Document): boolean => documentNode(a).eq(documentNode(b))

const sharesText = (document: Document, sent: Document | undefined): sent is Document =>
  sent !== undefined && isSame(document, sent)
