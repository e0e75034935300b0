/**
 * A selection of two or more whole blocks that follow each other in one parent. One whole block is a `NodeSelection`.
 *
 * Its ends are positions between blocks. The head is the end that Shift and an arrow move. Commands find the selected
 * blocks by `selectedRun`.
 */
import { type Node, type ResolvedPos, Slice } from "prosemirror-model"
import { NodeSelection, Plugin, Selection, type SelectionBookmark } from "prosemirror-state"
import type { Mappable } from "prosemirror-transform"
import { Decoration, DecorationSet } from "prosemirror-view"
import { withValues } from "./EditorTexts.ts"
import type { MenuContext } from "./menu/MenuOptions.ts"
import { element } from "./menu/Popup.ts"

const isBetweenBlocks = ($pos: ResolvedPos): boolean => !$pos.parent.inlineContent && $pos.textOffset === 0

export class BlockSelection extends Selection {
  /** Returns the selection of all blocks between two positions, or the nearest one if they are not between siblings. */
  static between($anchor: ResolvedPos, $head: ResolvedPos): Selection {
    if ($anchor.pos === $head.pos || !$anchor.sameParent($head) || !isBetweenBlocks($anchor) || !isBetweenBlocks($head))
      return Selection.near($head)
    const [$from, $to] = $anchor.pos < $head.pos ? [$anchor, $head] : [$head, $anchor]
    const isOne = $to.index() - $from.index() === 1
    return isOne && NodeSelection.isSelectable($from.nodeAfter!)
      ? new NodeSelection($from)
      : new BlockSelection($anchor, $head)
  }

  static override fromJSON(doc: Node, json: { readonly anchor: number; readonly head: number }): Selection {
    return BlockSelection.between(doc.resolve(json.anchor), doc.resolve(json.head))
  }

  override map(doc: Node, mapping: Mappable): Selection {
    const { anchor, head } = this
    const isForward = anchor < head
    return BlockSelection.between(
      doc.resolve(mapping.map(anchor, isForward ? 1 : -1)),
      doc.resolve(mapping.map(head, isForward ? -1 : 1))
    )
  }

  override eq(other: Selection): boolean {
    return other instanceof BlockSelection && other.anchor === this.anchor && other.head === this.head
  }

  override content(): Slice {
    return new Slice(this.$from.parent.content.cut(this.$from.parentOffset, this.$to.parentOffset), 0, 0)
  }

  override getBookmark(): SelectionBookmark {
    return new BlockBookmark(this.anchor, this.head)
  }

  override toJSON(): object {
    return { type: "blocks", anchor: this.anchor, head: this.head }
  }
}

BlockSelection.prototype.visible = false
Selection.jsonID("blocks", BlockSelection)

class BlockBookmark implements SelectionBookmark {
  readonly #anchor: number
  readonly #head: number

  constructor(anchor: number, head: number) {
    this.#anchor = anchor
    this.#head = head
  }

  map(mapping: Mappable): SelectionBookmark {
    return new BlockBookmark(mapping.map(this.#anchor), mapping.map(this.#head))
  }

  resolve(doc: Node): Selection {
    return BlockSelection.between(doc.resolve(this.#anchor), doc.resolve(this.#head))
  }
}

/** Marks the selected blocks, and reports their number to screen readers. */
export const selectedBlocks = ({ texts }: MenuContext): Plugin =>
  new Plugin({
    props: {
      decorations: ({ doc, selection }) => {
        if (!(selection instanceof BlockSelection)) return null
        const marked: Array<Decoration> = []
        selection.$from.parent.forEach((node, offset) => {
          const start = selection.$from.start() + offset
          if (start >= selection.from && start < selection.to)
            marked.push(Decoration.node(start, start + node.nodeSize, { class: "lectern-selected" }))
        })
        return DecorationSet.create(doc, marked)
      }
    },
    view: (view) => {
      const status = element("div", "lectern-status")
      status.role = "status"
      view.dom.after(status)
      return {
        update: ({ state: { selection } }) => {
          const count = selection instanceof BlockSelection ? selection.$to.index() - selection.$from.index() : 0
          const text = count === 0 ? "" : withValues(texts.selectedBlocks, { count })
          if (status.textContent !== text) status.textContent = text
        },
        destroy: () => status.remove()
      }
    }
  })
