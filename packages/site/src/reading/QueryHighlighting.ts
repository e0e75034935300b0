/**
 * Highlights the words of a query in text. Words match as in the search: in all of their forms, and the last word also
 * as a prefix.
 */
import { parseQuery, type SearchWord } from "@lectern/core/search/SearchWords"
import * as SearchWords from "@lectern/core/search/Words"
import type { Language } from "@lectern/core/schema/Language"
import { type Html, html } from "../html/Html.ts"

/** Runs of letters and digits. No word contains other characters. */
const wordRuns = /[\p{L}\p{N}\p{M}]+/gu

/** Scripts without spaces between words. Only the matching part of a run is highlighted. */
const unspacedScripts = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]/u

export type Highlight = (text: string) => Html

export const highlighterOf = (query: string, language: Language | undefined): Highlight => {
  const words = parseQuery(query, language)
  return (text) => {
    const parts: Array<Html | string> = []
    let lastEnd = 0
    for (const { 0: run, index } of text.matchAll(wordRuns)) {
      for (const [from, to] of rangesIn(run, words)) {
        parts.push(text.slice(lastEnd, index + from), html`<mark>${run.slice(from, to)}</mark>`)
        lastEnd = index + to
      }
    }
    return html`${parts}${text.slice(lastEnd)}`
  }
}

/** Returns the start and end of each highlighted range, in order. */
const rangesIn = (run: string, words: ReadonlyArray<SearchWord>): ReadonlyArray<readonly [number, number]> => {
  const foldedRun = SearchWords.foldText(run)
  const isPart = unspacedScripts.test(run) && foldedRun.length === run.length
  if (!isPart) {
    const isMatch = words.some(({ needles }) =>
      needles.some(({ word, match }) => SearchWords.containsWord(foldedRun, word, match))
    )
    return isMatch ? [[0, run.length]] : []
  }
  const isMarked = Array.from({ length: run.length }, () => false)
  for (const { word } of words) {
    for (let at = foldedRun.indexOf(word); at !== -1; at = foldedRun.indexOf(word, at + 1)) {
      isMarked.fill(true, at, at + word.length)
    }
  }
  const ranges: Array<readonly [number, number]> = []
  for (let at = isMarked.indexOf(true); at !== -1;) {
    const end = isMarked.indexOf(false, at)
    ranges.push([at, end === -1 ? run.length : end])
    at = end === -1 ? -1 : isMarked.indexOf(true, end)
  }
  return ranges
}
