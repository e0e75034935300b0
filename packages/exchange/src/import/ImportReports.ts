/**
 * Creates the report of an import from its findings (see `ImportReport` of the core).
 *
 * Limits: 1,000 problems, 10,000 files named by problems, 5 locations of each kind of markup, 200 missing specs.
 */
import type { ImportReport, Markup, MarkupKind, MissingSpec } from "@lectern/core/exchange/ImportReport"
import type { ImportProblem } from "./Folder.ts"

const maxProblems = 1_000
const maxFiles = 10_000
const maxLocations = 5
const maxSpecs = 200

/** Numbers of imported pages, files and reusable contents. */
export interface ImportCounts {
  readonly pages: number
  readonly files: number
  readonly reusableContents: number
}

export interface ImportFindings {
  readonly counts: ImportCounts
  readonly problems: ReadonlyArray<ImportProblem>
  readonly markup: ReadonlyArray<Markup>
  readonly specs: ReadonlyArray<MissingSpec>
  readonly languages?: ImportReport["languages"]
}

export const make = (findings: ImportFindings): ImportReport => {
  const { counts, languages, markup, problems, specs } = findings
  return {
    ...counts,
    problems: limitProblems(problems),
    problemCount: problems.length,
    markup: markup.map((one) => ({ ...one, places: one.places.slice(0, maxLocations) })),
    specs: specs.slice(0, maxSpecs),
    ...(languages !== undefined && { languages }),
    sentences: sentences(findings)
  }
}

const limitProblems = (problems: ReadonlyArray<ImportProblem>): ReadonlyArray<ImportProblem> => {
  let remainingFiles = maxFiles
  return problems.slice(0, maxProblems).map((problem) => {
    if (problem.files === undefined) return problem
    const files = problem.files.slice(0, remainingFiles)
    remainingFiles -= files.length
    return { ...problem, files }
  })
}

export const markupNames: { readonly [kind in MarkupKind]: readonly [one: string, many: string] } = {
  directive: ["directive (:::)", "directives (:::)"],
  callout: ["callout ([!name])", "callouts ([!name])"],
  highlight: ["highlight (==)", "highlights (==)"],
  template: ["template or shortcode ({{ }}, {% %})", "templates and shortcodes ({{ }}, {% %})"],
  wikilink: ["wikilink ([[ ]])", "wikilinks ([[ ]])"],
  jsx: ["unknown component", "unknown components"],
  shortcode: ["unknown shortcode", "unknown shortcodes"]
}

/** Returns the message about one occurrence of markup. */
export const markupMessage = (kind: MarkupKind, text: string): string =>
  isContentDisplayed(kind)
    ? `Only the content of an ${markupNames[kind][0]} is displayed: ${text}`
    : `The ${markupNames[kind][0]} stays text: ${text}`

const isContentDisplayed = (kind: MarkupKind): boolean => kind === "jsx" || kind === "shortcode"

const countText = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`

/** Returns the report as sentences, one per line. */
export const sentences = ({
  counts,
  languages = [],
  markup,
  problems,
  specs
}: ImportFindings): ReadonlyArray<string> => {
  const importedText = [
    countText(counts.pages, "page"),
    countText(counts.files, "file"),
    ...(counts.reusableContents > 0 ? [countText(counts.reusableContents, "reusable content")] : [])
  ].join(", ")
  const skippedCount = problems.reduce(
    (sum, { files, message }) => sum + (files?.length ?? (/\bleft out\b/.test(message) ? 1 : 0)),
    0
  )
  return [
    `The import has ${importedText}.`,
    ...(skippedCount > 0 ? [`${countText(skippedCount, "file or entry was", "files or entries were")} left out.`] : []),
    ...(problems.length > 0 ? [`${countText(problems.length, "problem")} to look at.`] : []),
    ...markup.map(({ count, kind, places }) => {
      const [singular, plural] = markupNames[kind]
      const locations = places.slice(0, 3).map(({ line, path }) => (line === undefined ? path : `${path}:${line}`))
      const result = isContentDisplayed(kind) ? "lost all but the content" : "stayed text"
      return `${countText(count, singular, plural)} ${result}, first in ${locations.join(", ")}.`
    }),
    ...specs.slice(0, 20).map(({ pages, registered, spec, url }) => {
      const specSentence = `${countText(pages, "page names", "pages name")} the OpenAPI spec "${spec}"`
      // The query is removed, since the query of a signed URL is long and no use to a reader.
      const source = url === undefined ? "" : ` (${url.replace(/[?#].*$/s, "")})`
      return registered === true
        ? `${specSentence}${source}: it was registered and is being fetched.`
        : `${specSentence}${source}, which the organization lacks: it shows method and path alone.`
    }),
    ...languages.map(({ language, pages }) => `The text of ${countText(pages, "page")} was taken for ${language}.`),
    ...(specs.length > 20 ? [`${specs.length - 20} more specs are missing.`] : [])
  ]
}
