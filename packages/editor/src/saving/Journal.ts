/**
 * Texts that the server does not have yet, in IndexedDB of the browser, so that they survive a reload, a crash of the
 * page and a day without network. Each is written before anything else is done with it (see `SaveState`).
 *
 * One entry for each page and tab: the newest text of the tab, with the document that it is based on. Tabs of one page
 * each have their own, and a tab that opens the page takes over all of them.
 */
import type { Document } from "@lectern/document/Document"

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

export interface Journal {
  /** Writes an entry, in place of an earlier one of its page and tab. */
  readonly write: (entry: JournalEntry) => Promise<void>
  /** Returns the entries of a page, oldest first. */
  readonly read: (page: string) => Promise<ReadonlyArray<JournalEntry>>
  /** Removes the entry of a page and tab if it has no newer text than this. */
  readonly remove: (page: string, tab: string, text: number) => Promise<void>
}

const store = "text"

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
export const openJournal = async (name = "lectern-journal"): Promise<Journal> => {
  const opening = indexedDB.open(name, 1)
  opening.addEventListener("upgradeneeded", () =>
    opening.result.createObjectStore(store, { keyPath: ["page", "tab"] }).createIndex("page", "page")
  )
  const database = await resultOf(opening)
  return {
    write: async (entry) => {
      const transaction = database.transaction(store, "readwrite", { durability: "strict" })
      transaction.objectStore(store).put(entry)
      await committed(transaction)
    },
    read: async (page) => {
      const entries = await resultOf(database.transaction(store).objectStore(store).index("page").getAll(page))
      return (entries as ReadonlyArray<JournalEntry>).toSorted((a, b) => a.at - b.at)
    },
    remove: async (page, tab, text) => {
      const transaction = database.transaction(store, "readwrite")
      const entries = transaction.objectStore(store)
      const entry = (await resultOf(entries.get([page, tab]))) as JournalEntry | undefined
      if (entry !== undefined && entry.text <= text) entries.delete([page, tab])
      await committed(transaction)
    }
  }
}
