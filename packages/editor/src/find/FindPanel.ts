/**
 * The panel that finds and replaces in the page, above the text. It loads when Ctrl+F first opens it. Matches are marked
 * without a change of the document, in browsers that have custom highlights.
 */
import type { EditorView } from "prosemirror-view"
import type { CodeEditor } from "../code/CodeEditor.ts"
import { withValues } from "../EditorTexts.ts"
import type { MenuContext } from "../menu/MenuOptions.ts"
import { button, element, newId } from "../menu/Popup.ts"
import { indexAfter, type Match, matchesIn, replaceMatches, selectMatch } from "./TextSearch.ts"

const allName = "lectern-find"
const currentName = "lectern-find-current"

const panels = new WeakMap<EditorView, { readonly focus: () => void }>()

type CodeEditorAt = (view: EditorView, position: number) => CodeEditor | undefined

/** Marks matches of a search in blocks of code. Returns the other ones. */
const markInCode = (
  view: EditorView,
  matches: ReadonlyArray<Match>,
  current: Match | undefined,
  codeEditorAt: CodeEditorAt
): ReadonlyArray<Match> => {
  const others: Array<Match> = []
  const blocks: Array<{ readonly position: number; readonly end: number }> = []
  view.state.doc.descendants((node, position) => {
    if (node.type.name === "code") blocks.push({ position, end: position + node.nodeSize })
    return !node.isTextblock && node.type.name !== "code"
  })
  let next = 0
  for (const { end, position } of blocks) {
    while (next < matches.length && matches[next]!.from < position) others.push(matches[next++]!)
    const own: Array<Match> = []
    while (next < matches.length && matches[next]!.from < end) own.push(matches[next++]!)
    const start = position + 1
    codeEditorAt(view, position)?.mark(
      own.map((each) => ({ from: each.from - start, to: each.to - start, isCurrent: each === current }))
    )
  }
  return [...others, ...matches.slice(next)]
}

/** Opens the panel of an editor, with the selected text as the words to find. */
export const openFindPanel = (view: EditorView, { texts }: MenuContext, codeEditorAt: CodeEditorAt): void => {
  const open = panels.get(view)
  if (open !== undefined) return open.focus()

  const panel = element("div", "lectern-find")
  panel.role = "search"
  panel.ariaLabel = texts.find
  const field = (label: string) => {
    const input = element("input", "lectern-input")
    input.type = "text"
    input.id = newId()
    input.ariaLabel = label
    input.placeholder = label
    input.dir = "auto"
    return input
  }
  const toggle = (label: string) => {
    const made = button("lectern-tool", label, label, () => {
      made.ariaPressed = String(made.ariaPressed !== "true")
      search()
    })
    made.ariaPressed = "false"
    return made
  }
  const find = field(texts.find)
  const replacement = field(texts.replaceBy)
  const matchCase = toggle(texts.matchCase)
  const wholeWords = toggle(texts.wholeWords)
  const status = element("span", "lectern-find-status")
  status.role = "status"

  let matches: ReadonlyArray<Match> = []
  let currentIndex = 0

  const mark = () => {
    const current = matches[currentIndex]
    const outsideOfCode = markInCode(view, matches, current, codeEditorAt)
    if (!("highlights" in CSS)) return
    const ranges = outsideOfCode.map(({ from, to }) => {
      const [start, end] = [view.domAtPos(from, 1), view.domAtPos(to, -1)]
      const range = new Range()
      range.setStart(start.node, start.offset)
      range.setEnd(end.node, end.offset)
      return range
    })
    CSS.highlights.set(allName, new Highlight(...ranges))
    CSS.highlights.set(currentName, new Highlight(...ranges.filter((_, i) => outsideOfCode[i] === current)))
  }
  const report = (text: string) => {
    status.textContent = text
  }
  const collect = () => {
    matches = matchesIn(view.state.doc, {
      text: find.value,
      hasCase: matchCase.ariaPressed === "true",
      isWholeWord: wholeWords.ariaPressed === "true"
    })
  }
  const show = (index: number) => {
    currentIndex = index
    const match = matches[index]
    if (match !== undefined) selectMatch(match)(view.state, view.dispatch)
    mark()
    report(
      find.value === ""
        ? ""
        : match === undefined
          ? texts.notFound
          : withValues(texts.foundOf, { index: index + 1, count: matches.length })
    )
  }
  const search = () => {
    collect()
    show(indexAfter(matches, view.state.selection.from))
  }
  const go = (step: -1 | 1) => {
    collect()
    const { from, to } = view.state.selection
    if (matches.length === 0) return show(0)
    const next =
      step > 0
        ? indexAfter(matches, to)
        : (matches.findLastIndex((match) => match.to <= from) + matches.length) % matches.length
    show(next < 0 ? matches.length - 1 : next)
  }
  const replace = () => {
    collect()
    const { from, to } = view.state.selection
    const match = matches.find((each) => each.from === from && each.to === to)
    if (match === undefined) return go(1)
    replaceMatches([match], replacement.value)(view.state, view.dispatch)
    collect()
    show(indexAfter(matches, from + replacement.value.length))
  }
  const replaceAll = () => {
    collect()
    const { length } = matches
    replaceMatches(matches, replacement.value)(view.state, view.dispatch)
    collect()
    mark()
    report(length === 0 ? texts.notFound : withValues(texts.replaced, { count: length }))
  }
  const close = () => {
    panels.delete(view)
    panel.remove()
    markInCode(view, [], undefined, codeEditorAt)
    if ("highlights" in CSS) for (const name of [allName, currentName]) CSS.highlights.delete(name)
    if (!view.isDestroyed) view.focus()
  }

  const row = (...parts: ReadonlyArray<HTMLElement>) => {
    const made = element("div", "lectern-find-row")
    made.append(...parts)
    return made
  }
  panel.append(
    row(
      find,
      status,
      button("lectern-tool", "↑", texts.findPrevious, () => go(-1)),
      button("lectern-tool", "↓", texts.findNext, () => go(1)),
      matchCase,
      wholeWords,
      button("lectern-tool lectern-find-close", "✕", texts.close, close)
    ),
    row(
      replacement,
      button("lectern-button", texts.replace, texts.replace, replace),
      button("lectern-button", texts.replaceAll, texts.replaceAll, replaceAll)
    )
  )
  find.addEventListener("input", search)
  panel.addEventListener("keydown", (event) => {
    if (event.isComposing) return
    if (event.key === "Escape") close()
    else if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return
    else if (event.target === replacement) replace()
    else go(event.shiftKey ? -1 : 1)
    event.preventDefault()
    event.stopPropagation()
  })
  const focus = () => {
    const { from, to } = view.state.selection
    const selected = view.state.doc.textBetween(from, to, "\n")
    if (selected !== "" && !selected.includes("\n") && document.activeElement !== find) find.value = selected
    find.focus()
    find.select()
    collect()
    show(indexAfter(matches, from))
  }
  panels.set(view, { focus })
  view.dom.before(panel)
  focus()
}
