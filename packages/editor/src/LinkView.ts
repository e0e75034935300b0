/** Links in the text. The host describes the target of each displayed link that is no URL, and a missing one is marked. */
import { isRef } from "@lectern/document/DocumentRefs"
import type { MarkViewConstructor } from "prosemirror-view"
import type { MenuContext } from "./menu/MenuOptions.ts"

const maxDescriptions = 1_000

export const linkView = ({ describeLink, texts }: MenuContext): MarkViewConstructor => {
  const exists = new Map<string, Promise<boolean>>()
  return ({ attrs }) => {
    const dom = document.createElement("a")
    dom.dataset["inline"] = "link"
    const ref: unknown = attrs["data"]?.ref
    const url = isRef(ref) && ref.kind === "url" ? ref.url : undefined
    if (url !== undefined && /^(?:https?:|mailto:|[#/])/i.test(url)) dom.href = url
    if (describeLink !== undefined && isRef(ref) && ref.kind !== "url") {
      const key = JSON.stringify(ref)
      const known =
        exists.get(key) ??
        describeLink(ref).then(
          (target) => target !== null,
          () => true
        )
      if (exists.size >= maxDescriptions) exists.clear()
      exists.set(key, known)
      known.then(
        (isPresent) => {
          if (isPresent) return
          dom.classList.add("lectern-missing")
          dom.title = texts.missingTarget
        },
        () => undefined
      )
    }
    return { dom, ignoreMutation: (mutation) => mutation.type === "attributes" }
  }
}
