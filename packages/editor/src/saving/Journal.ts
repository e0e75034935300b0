/**
 * Texts that the server does not have yet, in IndexedDB of the browser, so that they survive a reload, a crash of the
 * page and a day without network. Each is written before anything else is done with it (see `SaveState`).
 *
 * One entry for each page and tab: the newest text of the tab, with the document that it is based on. Tabs of one page
 * each have their own, and a tab that opens the page takes over all of them.
 *
 * It also has the conflicts with texts of others until they are decided: the text of the editor has only one version.
 */
import type { Document } from "@lectern/document/Document"
import type { BlockConflict } from "@lectern/document/merge/BlockConflict"

export interface JournalEntry {
  /** Id of the page, in the words of the host. */
  readonly page: string
  /** Id of the tab that wrote the entry. */
  readonly tab: string
  /** Version of the text in that tab. */
  readonly text: number
  /** Revision and document of the server on which the text is based. */
  readonly revision: string
  readonly base: Document
  readonly document: Document
  /** Time of the last edit, in ms since 1970. */
  readonly at: number
}

/** A conflict that is not decided. */
export interface OpenConflict {
  readonly id: string
  /** Id of the page, in the words of the host. */
  readonly page: string
  readonly conflict: BlockConflict
  /** Time of the merge, in ms since 1970. */
  readonly at: number
}

export interface Journal {
  /** Writes an entry, in place of an earlier one of its page and tab. */
  readonly write: (entry: JournalEntry) => Promise<void>
  /** Returns the entries of a page, oldest first. */
  readonly read: (page: string) => Promise<ReadonlyArray<JournalEntry>>
  /** Removes the entry of a page and tab if it has no newer text than this. */
  readonly remove: (page: string, tab: string, text: number) => Promise<void>
  readonly addConflicts: (conflicts: ReadonlyArray<OpenConflict>) => Promise<void>
  /** Returns the conflicts of a page, oldest first. */
  readonly readConflicts: (page: string) => Promise<ReadonlyArray<OpenConflict>>
  readonly removeConflict: (id: string) => Promise<void>
}

const texts = "text"
const conflicts = "conflict"

const resultOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error))
  })

const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve())
    transaction.addEventListener("abort", () => reject(transaction.error))
    transaction.addEventListener("error", () => reject(transaction.error))
  })

/** Opens the journal of this origin. `name`: name of the database. */
export const openJournal = async (name = "lectern-writing"): Promise<Journal> => {
  const opening = indexedDB.open(name, 1)
  opening.addEventListener("upgradeneeded", () => {
    opening.result.createObjectStore(texts, { keyPath: ["page", "tab"] }).createIndex("page", "page")
    opening.result.createObjectStore(conflicts, { keyPath: "id" }).createIndex("page", "page")
  })
  const database = await resultOf(opening)
  const write = (store: string, run: (entries: IDBObjectStore) => void): Promise<void> => {
    const transaction = database.transaction(store, "readwrite", { durability: "strict" })
    run(transaction.objectStore(store))
    // Otherwise the browser drops the transaction if the page is closed right after it.
    transaction.commit()
    return committed(transaction)
  }
  const ofPage = async <A extends { readonly at: number }>(store: string, page: string): Promise<ReadonlyArray<A>> => {
    const entries: ReadonlyArray<A> = await resultOf(
      database.transaction(store).objectStore(store).index("page").getAll(page)
    )
    return entries.toSorted((a, b) => a.at - b.at)
  }
  return {
    write: (entry) => write(texts, (entries) => entries.put(entry)),
    read: (page) => ofPage<JournalEntry>(texts, page),
    remove: async (page, tab, text) => {
      const transaction = database.transaction(texts, "readwrite")
      const entries = transaction.objectStore(texts)
      const entry = (await resultOf(entries.get([page, tab]))) as JournalEntry | undefined
      if (entry !== undefined && entry.text <= text) entries.delete([page, tab])
      await committed(transaction)
    },
    addConflicts: (added) =>
      write(conflicts, (entries) => {
        for (const conflict of added) entries.put(conflict)
      }),
    readConflicts: (page) => ofPage<OpenConflict>(conflicts, page),
    removeConflict: (id) => write(conflicts, (entries) => entries.delete(id))
  }
}
