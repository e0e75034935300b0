/**
 * Tree positions of pages during an edit: the siblings below each parent, read on first use, and the changes to the map
 * of children.
 */
import { Effect } from "effect"
import type { StorageError } from "../../storage/Storage.ts"
import type { Root } from "../Content.ts"
import { childKey, childName, type ChildEntry } from "../ContentReader.ts"
import type { ObjectReader } from "../store/Objects.ts"
import type { PageEntry } from "./Page.ts"
import { Siblings } from "./Siblings.ts"
import * as Trie from "../store/Trie.ts"

export class EditedPositions {
  /** Changes to the map of children, by its keys. Undefined: removed. */
  readonly changes = new Map<string, ChildEntry | undefined>()
  readonly #reader: ObjectReader
  readonly #children: Root
  readonly #loaded = new Map<string, Siblings>()

  constructor(reader: ObjectReader, children: Root) {
    this.#reader = reader
    this.#children = children
  }

  // Returns the siblings below each parent. Each parent is read once, before its first edit, so the stored children are
  // complete.
  readonly belowEach: (parents: ReadonlyArray<string | null>) => Effect.Effect<ReadonlyArray<Siblings>, StorageError> =
    Effect.fnUntraced({ self: this }, function* (parents) {
      const groups = parents.map((parent) => parent ?? "")
      const missingGroups = Array.from(new Set(groups.filter((group) => !this.#loaded.has(group))))
      const storedEntries = yield* Trie.entriesOfGroups<ChildEntry>(this.#reader, this.#children, missingGroups)
      for (const [i, group] of missingGroups.entries()) this.#loaded.set(group, new Siblings(storedEntries[i]!))
      return groups.map((group) => this.#loaded.get(group)!)
    })

  below(parent: string | null): Effect.Effect<Siblings, StorageError> {
    const loadedSiblings = this.#loaded.get(parent ?? "")
    return loadedSiblings === undefined
      ? Effect.map(this.belowEach([parent]), ([siblings]) => siblings!)
      : Effect.succeed(loadedSiblings)
  }

  /** Adds a page to its siblings. */
  attach(siblings: Siblings, page: PageEntry): void {
    const name = childName(page)
    const child = { id: page.id, position: page.position }
    siblings.add(name, child)
    this.changes.set(childKey(page.parent, name), child)
  }

  /** Removes a page from its siblings. */
  detach(siblings: Siblings, page: PageEntry): void {
    const name = childName(page)
    siblings.remove(name)
    this.changes.set(childKey(page.parent, name), undefined)
  }

  /** Removes pages from their siblings, with one pass for each parent. */
  readonly detachAll: (pages: ReadonlyArray<PageEntry>) => Effect.Effect<void, StorageError> = Effect.fnUntraced(
    { self: this },
    function* (pages) {
      const pagesByParent = Map.groupBy(pages, ({ parent }) => parent)
      const siblingsByParent = yield* this.belowEach(Array.from(pagesByParent.keys()))
      for (const [i, [parent, detachedPages]] of Array.from(pagesByParent).entries()) {
        const names = detachedPages.map(childName)
        for (const name of names) this.changes.set(childKey(parent, name), undefined)
        siblingsByParent[i]!.removeAll(names)
      }
    }
  )
}
