/**
 * Chooses the delimiters of emphasis. Each emphasis has two alternatives, such as `_` and `*`. The effect of delimiters
 * depends on all adjacent characters. So a choice is checked by pairing the delimiters as the parser does, and changed
 * if the result differs. Characters next to a delimiter that prevent emphasis are written as character references.
 *
 * Emphasis separated by text is resolved independently. The work for a group is limited in proportion to its size. If
 * the limit is reached, the unchecked first choice is used.
 */
import * as Flanking from "../syntax/Flanking.ts"
import { characterReference } from "./Escape.ts"

/** Serialized text, or emphasis whose delimiters are not chosen yet. */
export type Item = string | Attention

export interface Attention {
  readonly items: ReadonlyArray<Item>
  /** Alternative delimiters, the preferred one first. */
  readonly marks: readonly [string, string]
}

/** Serializes items with their delimiters. `before`, `after`: text on both sides. */
export const write = (items: ReadonlyArray<Item>, before: string, after: string): string => {
  let result = ""
  let pendingText = ""
  for (let i = 0; i < items.length;) {
    const item = items[i]!
    if (typeof item === "string") {
      result += pendingText
      pendingText = item
      i++
      continue
    }
    let end = i + 1
    while (end < items.length && typeof items[end] !== "string") end++
    const hasNext = end < items.length
    const group = items.slice(i, hasNext ? end + 1 : end)
    const tokens = chooseDelimiters({ items: pendingText === "" ? group : [pendingText, ...group], before, after })
    // The text after a group is also the text before the next group.
    pendingText = hasNext ? tokens.pop()!.value : ""
    for (const token of tokens) result += token.value
    i = hasNext ? end + 1 : end
  }
  return result + pendingText
}

/** Adjacent items, with the text on both sides. */
interface Group {
  readonly items: ReadonlyArray<Item>
  readonly before: string
  readonly after: string
}

type Choice = ReadonlyMap<Attention, string>

interface Token {
  value: string
  /** Emphasis that the token delimits; undefined for text. */
  readonly attention: Attention | undefined
}

/** Remaining work, in tokens. */
interface WorkBudget {
  remaining: number
}

const chooseDelimiters = (group: Group): Array<Token> => {
  const choice = new Map<Attention, string>()
  guessDelimiters(group.items, choice, { before: "", after: "" }, group)
  const tokens = render(group, choice)
  // A single emphasis is always parsed as intended.
  if (tokens.reduce((count, { attention }) => (attention === undefined ? count : count + 1), 0) === 2) return tokens
  const budget: WorkBudget = { remaining: minBudget + budgetPerToken * tokens.length }
  const repaired = repair(group, choice, tokens, budget)
  if (repaired !== undefined || budget.remaining < 0) return repaired ?? tokens
  const preferred = render(group, new Map())
  return (choice.size === 0 ? undefined : repair(group, new Map(), preferred, budget)) ?? preferred
}

const minBudget = 1000
const budgetPerToken = 30

const delimiterOf = (attention: Attention, choice: Choice): string => choice.get(attention) ?? attention.marks[0]

interface Sides {
  readonly before: string
  readonly after: string
}

/**
 * Chooses a mark that differs from the marks of neighbors and of the enclosing emphasis, to avoid most mistakes. An
 * only child whose mark is longer than the enclosing one may use an equal character: `***a***`. A mark that needs
 * character references next to it comes last, such as `_` within a word. `marks`, `texts`: the marks and the text on
 * both sides.
 */
const guessDelimiters = (
  items: ReadonlyArray<Item>,
  choice: Map<Attention, string>,
  marks: Sides,
  texts: Sides
): void => {
  let previous = marks.before
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!
    if (typeof item === "string") {
      previous = ""
      continue
    }
    const next = i === items.length - 1 ? marks.after : ""
    const isDistinct = (mark: string) =>
      (mark[0] !== previous[0] && mark[0] !== next[0]) ||
      (items.length === 1 && mark[0] !== "~" && mark.length > marks.before.length)
    const before = textOf(items[i - 1], texts.before)
    const after = textOf(items[i + 1], texts.after)
    const needsNoReference = (mark: string) =>
      !isInertInWord(lastKind(before), firstKind(textOf(item.items[0], "*")), mark) &&
      !isInertInWord(firstKind(after), lastKind(textOf(item.items.at(-1), "*")), mark)
    const mark =
      item.marks.find((one) => isDistinct(one) && needsNoReference(one)) ??
      item.marks.find(needsNoReference) ??
      item.marks[0]
    if (mark !== item.marks[0]) choice.set(item, mark)
    const neighborMarks = { before: mark, after: mark }
    guessDelimiters(item.items, choice, neighborMarks, neighborMarks)
    previous = mark
  }
}

/** Returns the text of a neighbor. For emphasis, returns its mark, which is its first and last text. */
const textOf = (item: Item | undefined, fallback: string): string =>
  item === undefined ? fallback : typeof item === "string" ? item : item.marks[0]

/**
 * Returns the tokens of a group with delimiters that are parsed as intended. Returns undefined if no such delimiters
 * are found or the work budget is used up.
 */
const repair = (
  group: Group,
  initialChoice: Choice,
  rendered: Array<Token>,
  budget: WorkBudget
): Array<Token> | undefined => {
  let choice = initialChoice
  let tokens = rendered
  let mistake = findMistake(tokens, group, budget)
  while (mistake !== undefined) {
    const improvement = improveChoice(group, choice, mistake, budget)
    if (improvement === undefined) return undefined
    ;({ choice, tokens, mistake } = improvement)
  }
  return tokens
}

const improveChoice = (group: Group, choice: Choice, mistake: Mistake, budget: WorkBudget) => {
  for (const attention of mistake.candidates) {
    const currentMark = delimiterOf(attention, choice)
    const otherMark = attention.marks[0] === currentMark ? attention.marks[1] : attention.marks[0]
    const trialChoice = new Map(choice).set(attention, otherMark)
    const tokens = render(group, trialChoice)
    budget.remaining -= tokens.length
    if (budget.remaining < 0) return undefined
    const next = findMistake(tokens, group, budget)
    if (next === undefined || next.index > mistake.index) return { choice: trialChoice, tokens, mistake: next }
  }
  return undefined
}

const render = ({ items, before, after }: Group, choice: Choice): Array<Token> => {
  const tokens: Array<Token> = []
  renderInto(tokens, items, choice, before, after)
  return tokens
}

const renderInto = (
  tokens: Array<Token>,
  items: ReadonlyArray<Item>,
  choice: Choice,
  before: string,
  after: string
): void => {
  const start = tokens.length
  let previous = before
  let isNextEncoded = false
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!
    if (typeof item === "string") {
      const token: Token = { value: item, attention: undefined }
      if (isNextEncoded) encodeFirst(token)
      isNextEncoded = false
      tokens.push(token)
      previous = token.value
      continue
    }
    const mark = delimiterOf(item, choice)
    const next = items[i + 1]
    const textAfter = next === undefined ? after : typeof next === "string" ? next : delimiterOf(next, choice)
    const previousToken = tokens.length > start ? tokens.at(-1) : undefined
    const openToken: Token = { value: mark, attention: item }
    tokens.push(openToken)
    const firstIndex = tokens.length
    renderInto(tokens, item.items, choice, mark, mark)

    const firstToken = tokens[firstIndex]!
    const openingSides = encodedSides(lastKind(previous), firstKind(firstToken.value), mark)
    if (openingSides.inside) encodeFirst(firstToken)
    const lastToken = tokens.at(-1)!
    const closingSides = encodedSides(firstKind(textAfter), lastKind(lastToken.value), mark)
    if (closingSides.inside) encodeLast(lastToken)
    if (openingSides.outside && previousToken !== undefined && !/[\r\n]/.test(previous.slice(-1)))
      encodeLast(previousToken)
    isNextEncoded = closingSides.outside
    tokens.push({ value: mark, attention: item })
    previous = mark
  }
}

// A missing character counts as a letter.
const firstKind = (text: string): Flanking.CharacterKind => Flanking.kindAfter(text, 0, "letter")
const lastKind = (text: string): Flanking.CharacterKind => Flanking.kindBefore(text, text.length, "letter")

const canDelimit = (outside: Flanking.CharacterKind, inside: Flanking.CharacterKind, mark: string): boolean =>
  Flanking.flanking(outside, inside, mark.startsWith("_")).opens

/** True if the mark has no effect in this position but `*` would. */
const isInertInWord = (outside: Flanking.CharacterKind, inside: Flanking.CharacterKind, mark: string): boolean =>
  !canDelimit(outside, inside, mark) && canDelimit(outside, inside, "*")

/** Determines which characters on both sides prevent a delimiter from opening or closing emphasis. */
const encodedSides = (outside: Flanking.CharacterKind, inside: Flanking.CharacterKind, mark: string) => {
  if (canDelimit(outside, inside, mark)) return { inside: false, outside: false }
  // Within a word `_` does not start or end emphasis.
  if (inside !== "space") return { inside: inside !== "punctuation", outside: true }
  return { inside: true, outside: outside !== "punctuation" && outside !== "cjkPunctuation" }
}

const firstCharacter = (text: string): string => {
  const code = text.codePointAt(0)
  return code === undefined ? "" : String.fromCodePoint(code)
}

const lastCharacter = (text: string): string => {
  const code = text.codePointAt(text.length - 2)
  return code !== undefined && code > 0xffff ? text.slice(-2) : text.slice(-1)
}

const encodeFirst = (token: Token): void => {
  if (token.attention !== undefined) return
  const first = firstCharacter(token.value)
  token.value = characterReference(first.codePointAt(0)!) + token.value.slice(first.length)
}

const encodeLast = (token: Token): void => {
  if (token.attention !== undefined) return
  const last = lastCharacter(token.value)
  const rest = token.value.slice(0, -last.length)
  let backslashes = 0
  while (rest.charCodeAt(rest.length - 1 - backslashes) === 92) backslashes++
  // A backslash is added after an odd number of backslashes, which would escape the reference.
  token.value = `${rest}${backslashes % 2 === 1 ? "\\" : ""}${characterReference(last.codePointAt(0)!)}`
}

/** Adjacent delimiters of the same character. */
interface Run {
  readonly tokens: ReadonlyArray<Token>
  /** Delimiter of each character. */
  readonly marks: ReadonlyArray<Token>
  /** Range of the characters that are not used yet. Closing uses them from the start, opening from the end. */
  start: number
  end: number
  readonly opens: boolean
  readonly closes: boolean
}

interface Mistake {
  /** Index of the first token that is not parsed as intended. */
  readonly index: number
  /** Emphasis whose delimiters could be changed. */
  readonly candidates: ReadonlyArray<Attention>
}

const findMistake = (
  tokens: ReadonlyArray<Token>,
  { before, after }: Group,
  budget: WorkBudget
): Mistake | undefined => {
  const runs: Array<Run> = []
  const runOf = new Map<Token, Run>()
  // For each delimiter that is not paired with its counterpart, the delimiters that it is confused with.
  const mispaired = new Map<Token, Array<Token>>()
  for (let i = 0; i < tokens.length;) {
    if (tokens[i]!.attention === undefined) {
      i++
      continue
    }
    let end = i + 1
    const marker = tokens[i]!.value[0]
    while (end < tokens.length && tokens[end]!.attention !== undefined && tokens[end]!.value[0] === marker) end++
    const run = createRun(tokens, i, end, before, after)
    for (const token of run.tokens) {
      mispaired.set(token, [...run.tokens])
      runOf.set(token, run)
    }
    runs.push(run)
    i = end
  }
  pairRuns(runs, mispaired, budget)
  budget.remaining -= tokens.length
  const index = tokens.findIndex((token) => mispaired.has(token))
  return index === -1 ? undefined : { index, candidates: candidatesIn(tokens, mispaired.get(tokens[index]!)!, runOf) }
}

const createRun = (tokens: ReadonlyArray<Token>, from: number, to: number, before: string, after: string): Run => {
  const previous = lastKind(from === 0 ? before : tokens[from - 1]!.value)
  const next = firstKind(to < tokens.length ? tokens[to]!.value : after)
  const isStrict = tokens[from]!.value.startsWith("_")
  const ownTokens = tokens.slice(from, to)
  const marks = ownTokens.flatMap((token) => Array.from(token.value, () => token))
  return {
    tokens: ownTokens,
    marks,
    start: 0,
    end: marks.length,
    ...Flanking.flanking(previous, next, isStrict)
  }
}

/** Pairs runs as the parser does. Removes delimiters that are paired as intended from `mispaired`. */
const pairRuns = (runs: ReadonlyArray<Run>, mispaired: Map<Token, Array<Token>>, budget: WorkBudget): void => {
  const openersOf = new Map<string, Array<Run>>()
  for (const closer of runs) {
    const marker = closer.tokens[0]!.value[0]!
    const openers = openersOf.get(marker) ?? []
    openersOf.set(marker, openers)
    let openerIndex = closer.closes ? openers.length : 0
    while (openerIndex-- > 0 && closer.start < closer.end) {
      if (--budget.remaining < 0) return
      const opener = openers[openerIndex]!
      const size = pairSize(opener, closer, marker)
      if (size === 0) continue
      recordPair(
        opener.marks.slice(opener.end - size, opener.end),
        closer.marks.slice(closer.start, closer.start + size),
        mispaired
      )
      opener.end -= size
      closer.start += size
      if (opener.start === opener.end) openers.splice(openerIndex, 1)
      openerIndex = openers.length
    }
    if (closer.opens && closer.start < closer.end) openers.push(closer)
  }
}

/** Returns the number of characters with which two runs form a pair; 0 if they do not match. */
const pairSize = (opener: Run, closer: Run, marker: string): number => {
  const openerLength = opener.end - opener.start
  const closerLength = closer.end - closer.start
  if (marker === "~") return openerLength === opener.marks.length && openerLength === closerLength ? closerLength : 0
  const isRuledOut =
    (opener.closes || closer.opens) && closerLength % 3 !== 0 && (openerLength + closerLength) % 3 === 0
  return isRuledOut ? 0 : openerLength > 1 && closerLength > 1 ? 2 : 1
}

const recordPair = (
  openingMarks: ReadonlyArray<Token>,
  closingMarks: ReadonlyArray<Token>,
  mispaired: Map<Token, Array<Token>>
): void => {
  const openToken = openingMarks[0]!
  const closeToken = closingMarks[0]!
  const isWholeDelimiter = (marks: ReadonlyArray<Token>) =>
    marks[0] === marks.at(-1) && marks[0]!.value.length === marks.length
  if (
    isWholeDelimiter(openingMarks) &&
    isWholeDelimiter(closingMarks) &&
    openToken.attention === closeToken.attention
  ) {
    mispaired.delete(openToken)
    mispaired.delete(closeToken)
    return
  }
  const involvedTokens = [...new Set([...openingMarks, ...closingMarks])]
  for (const token of involvedTokens) mispaired.get(token)?.push(...involvedTokens)
}

/**
 * Returns the emphasis that is involved in a mistake or has a delimiter in the same run. The last comes first, since it
 * is the innermost or nearest.
 */
const candidatesIn = (
  tokens: ReadonlyArray<Token>,
  involvedTokens: ReadonlyArray<Token>,
  runOf: ReadonlyMap<Token, Run>
): ReadonlyArray<Attention> => {
  const involvedEmphasis = new Set(involvedTokens.map((token) => token.attention))
  const relatedEmphasis = new Set<Attention | undefined>()
  for (const token of tokens) {
    if (token.attention === undefined || !involvedEmphasis.has(token.attention)) continue
    for (const neighbor of runOf.get(token)!.tokens) relatedEmphasis.add(neighbor.attention)
  }
  const orderedEmphasis: Array<Attention> = []
  for (const { attention } of tokens)
    if (attention !== undefined && relatedEmphasis.delete(attention)) orderedEmphasis.push(attention)
  return orderedEmphasis.reverse()
}
