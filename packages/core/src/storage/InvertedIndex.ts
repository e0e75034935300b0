/**
 * Inverted index in memory: the pages of each word. For adapters that keep all data in memory, and for content that is
 * never stored.
 */
import { isSimilar } from "./SimilarWord.ts"
import { type Entries, isWord, levelCount, type Lookup, maxSimilarWords, type PageWords } from "./SearchIndex.ts"

export class InvertedIndex {
  /** Level of each page that has a word, by word and page. */
  private readonly words = new Map<string, Map<number, number>>()

  add(page: number, words: PageWords): void {
    for (const [level, list] of words.entries()) {
      for (const word of list) {
        const levelByPage = this.words.get(word)
        if (levelByPage === undefined) this.words.set(word, new Map([[page, level]]))
        else levelByPage.set(page, level)
      }
    }
  }

  remove(page: number, words: PageWords): void {
    for (const word of words.flat()) {
      const levelByPage = this.words.get(word)
      levelByPage?.delete(page)
      if (levelByPage?.size === 0) this.words.delete(word)
    }
  }

  read({ word, match }: Lookup, isHidden: (page: number) => boolean = () => false): Entries {
    const entries = Array.from({ length: levelCount }, (): Array<number> => [])
    if (!isWord(word)) return entries
    const take = (pageLevels: ReadonlyMap<number, number> | undefined) => {
      for (const [page, level] of pageLevels ?? []) if (!isHidden(page)) entries[level]!.push(page)
    }
    if (match === "whole") take(this.words.get(word))
    else for (const [indexedWord, levelByPage] of this.words) if (indexedWord.startsWith(word)) take(levelByPage)
    return entries
  }

  similar(word: string): ReadonlyArray<string> {
    const similarWords: Array<string> = []
    for (const indexedWord of this.words.keys()) if (isSimilar(indexedWord, word)) similarWords.push(indexedWord)
    return similarWords.sort(byCodePoint).slice(0, maxSimilarWords)
  }
}

/** Compares by code point. UTF-16 order differs: surrogates sort before U+E000 to U+FFFF. */
const byCodePoint = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) === b.charCodeAt(i)) continue
    return a.codePointAt(i)! - b.codePointAt(i)!
  }
  return a.length - b.length
}
