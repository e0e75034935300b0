/**
 * Saves the document of an editor: runs the effects of `SaveState` with the server and the journal of the host.
 *
 * ```ts
 * const saving = await startSaving({ editor, page, revision, base, journal, tab, send, fetchNewest, onState: show })
 * ```
 *
 * At the start, texts in the journal that the server does not have are brought into the editor and merged with its
 * newest revision. So a reload loses nothing. In a conflict, the editor keeps its own version, and the journal keeps both
 * until `resolve` decides.
 */
import type { Document } from "@lectern/document/Document"
import { type BlockConflict, resolveConflict, type Resolution } from "@lectern/document/merge/BlockConflict"
import { documentNode } from "../DocumentNodes.ts"
import type { Editor } from "../Editor.ts"
import type { Journal, OpenConflict } from "./Journal.ts"
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
  /** Gets all conflicts that are not decided, at the start and after each change. */
  readonly onConflicts?: (conflicts: ReadonlyArray<OpenConflict>) => void
  /** Returns a key for a new block. */
  readonly nextKey: () => string
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
  /**
   * Decides a conflict: keeps the text of the editor, or takes that of the others, or both. Returns false, and changes
   * nothing, if the others' version can't be taken because its block is no longer in the text.
   */
  readonly resolve: (id: string, resolution: Resolution) => boolean
  /** Writes an unsent text to the journal and sends it, without a pause. Call it before the page is closed. */
  readonly flush: () => void
  /** Ends saving. An unsaved text stays in the journal. */
  readonly stop: () => void
}

/** The rules of merging are loaded when they are needed. */
const loadMerging = () => import("@lectern/document/merge/DocumentMerge")
type Merging = Awaited<ReturnType<typeof loadMerging>>

export const startSaving = async (options: SavingOptions): Promise<Saving> => {
  const { editor, page, tab, journal } = options
  let { base } = options
  let state = opened(options.revision)
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent: Document | undefined
  let conflicts: ReadonlyArray<OpenConflict> = []
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

  const report = (failure: unknown): void => options.onJournalFailure?.(failure)

  const inJournal = (work: () => Promise<void>): void => {
    journaling = journaling.then(work).catch(report)
  }

  const writeEntry = async (): Promise<void> => {
    if (!isEntryWaiting) return
    isEntryWaiting = false
    const { revision, text } = state
    await journal.write({ page, tab, text, revision, base, document: editor.document(), at: Date.now() })
  }

  const setConflicts = (newer: ReadonlyArray<OpenConflict>): void => {
    conflicts = newer
    options.onConflicts?.(conflicts)
  }

  const addConflicts = (found: ReadonlyArray<BlockConflict>): void => {
    if (found.length === 0) return
    const added = found.map((conflict) => ({ id: crypto.randomUUID(), page, conflict, at: Date.now() }))
    inJournal(() => journal.addConflicts(added))
    setConflicts([...conflicts, ...added])
  }

  const resolve = (id: string, resolution: Resolution): boolean => {
    const open = conflicts.find((other) => other.id === id)
    if (open === undefined) return true
    const document = editor.document()
    const result = resolveConflict(document, open.conflict, resolution, options.nextKey)
    if (result._tag === "Failure" && resolution !== "ours") return false
    inJournal(() => journal.removeConflict(id))
    setConflicts(conflicts.filter((other) => other !== open))
    if (result._tag === "Success" && result.success !== document) {
      editor.set(result.success)
      take({ type: "edited" })
    }
    return true
  }

  const run = (effect: SaveEffect): void => {
    switch (effect.type) {
      case "journal":
        // While an entry is written, the next one waits, and gets all edits of that time.
        if (isEntryWaiting) return
        isEntryWaiting = true
        return inJournal(writeEntry)
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

  /** Brings another text into the editor, which keeps its own version in a conflict. */
  const mergeInto = ({ mergeDocuments }: Merging, common: Document, other: Document): void => {
    const { conflicts: found, document } = mergeDocuments({ base: common, main: other, ours: editor.document() })
    editor.set(document)
    addConflicts(found)
  }

  const merge = (): void => {
    Promise.all([options.fetchNewest(), loadMerging()]).then(
      ([{ revision, document }, merging]) => {
        if (isStopped || state.status !== "merging") return
        // A request without an answer may have been stored: then its text is the common base.
        mergeInto(merging, sharesText(document, sent) ? sent : base, document)
        sent = undefined
        base = document
        take({ type: "merged", revision, isChanged: !isSame(editor.document(), document) })
      },
      () => take({ type: "unanswered" })
    )
  }

  const restore = async (): Promise<void> => {
    const stored = await journal.readConflicts(page)
    if (stored.length > 0) setConflicts(stored)
    const entries = await journal.read(page)
    if (entries.length > 0) {
      const merging = await loadMerging()
      for (const [i, entry] of entries.entries()) {
        if (i === 0 && isSame(editor.document(), base)) {
          // The text of the journal is in the editor first, so it is the one that stays in a conflict.
          editor.set(entry.document)
          mergeInto(merging, entry.base, base)
        } else mergeInto(merging, entry.base, entry.document)
      }
    }
    // The editor has been open since before the journal was read.
    if (isSame(editor.document(), base)) return
    take({ type: "edited" })
    // Their texts are in the entry of this tab now.
    for (const entry of entries) {
      if (entry.tab !== tab) inJournal(() => journal.remove(page, entry.tab, entry.text))
    }
  }

  await restore().catch(report)
  return {
    state: () => state,
    edited: () => take({ type: "edited" }),
    announced: (revision) => take({ type: "announced", revision }),
    signedIn: () => take({ type: "signedIn" }),
    resolve,
    flush: () => {
      void writeEntry().catch(report)
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
