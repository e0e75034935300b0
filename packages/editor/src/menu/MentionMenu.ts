/** The menus of `@` and `[[`, which link a page, heading or file of the host, and the menu of `:name` for emoji. */
import type { ContentRef } from "@lectern/document/Document"
import { emojiCharacters } from "@lectern/document/EmojiCode"
import type { Plugin } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { loadedMarkdown } from "../clipboard/LateMarkdown.ts"
import { inlineName, schema } from "../EditorSchema.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { triggerMenu } from "./TriggerMenu.ts"

const maxItems = 20

const insertLink = (view: EditorView, ref: ContentRef, title: string): void => {
  const { $from } = view.state.selection
  const type = schema.marks[inlineName("link")]!
  const text = schema.text(title, type.create({ data: { ref } }).addToSet($from.marks()))
  view.dispatch(view.state.tr.replaceSelectionWith(text, false).removeStoredMark(type).scrollIntoView())
  view.focus()
}

export const mentionMenu = ({ findLinks, texts }: MenuContext): Plugin =>
  triggerMenu({
    name: "mentionMenu",
    pattern: /(?:^|[\s\ufffc(])(@)$|(?:^|[^[])(\[\[)$/,
    open: /^(?:@|\[\[)((?!\s).*)$/s,
    label: texts.linkResults,
    items: (words) =>
      findLinks === undefined
        ? []
        : findLinks(words.trim()).then((targets) =>
            targets.slice(0, maxItems).map(({ path, ref, title }) => ({
              name: title,
              sign: "↗",
              ...(path !== undefined && { path }),
              run: (view) => insertLink(view, ref, title)
            }))
          )
  })

export const emojiMenu = ({ texts }: MenuContext): Plugin =>
  triggerMenu({
    name: "emojiMenu",
    pattern: /(?:^|[\s\ufffc(])(:[a-z0-9_+-]{2})$/,
    open: /^:([a-z0-9_+-]*)$/,
    label: texts.emoji,
    items: (words) =>
      (loadedMarkdown()?.emojiMatching(words, maxItems) ?? []).map(({ code, name }) => ({
        name: `:${name}:`,
        sign: emojiCharacters(code),
        run: (view) => {
          view.dispatch(
            view.state.tr.replaceSelectionWith(schema.node(inlineName("emoji"), { data: { code } })).scrollIntoView()
          )
          view.focus()
        }
      }))
  })
