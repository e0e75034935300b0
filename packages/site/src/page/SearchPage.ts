/** Search results: as a whole page for readers without scripts, and as the part of it that the dialog shows. */
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import * as SearchBox from "./SearchBox.ts"
import type { Around } from "./SitePage.ts"

export interface FoundSection {
  readonly title: Html
  readonly url: string
  /** Text around the matched words, which are highlighted. */
  readonly excerpt: Html
}

export interface FoundPage {
  readonly title: Html
  readonly url: string
  /** Location of the page: the section of the site and the page's ancestors. */
  readonly above: ReadonlyArray<string>
  readonly description: Html
  readonly sections: ReadonlyArray<FoundSection>
}

export interface Search {
  /** Query; empty before a search. */
  readonly query: string
  readonly scope: "all" | "here"
  /** Number of matching pages; `pages` may contain fewer. */
  readonly count: number
  readonly pages: ReadonlyArray<FoundPage>
}

export const results = ({ query, count, pages }: Search, { words }: Around["parts"]): Html =>
  query === ""
    ? html``
    : html`<p class="found-count">${pages.length === 0 ? words.noResults(query) : words.results(count)}</p><ul class="found">${pages.map(found)}</ul>`

const found = ({ title, url, above, description, sections }: FoundPage): Html =>
  html`<li><a class="found-page" href="${url}">${above.length > 0 && html`<small>${above.join(" › ")}</small>`}<strong>${title}</strong>${sections.length === 0 && !description.isEmpty && html`<span>${description}</span>`}</a>${
    sections.length > 0 &&
    html`<ul>${sections.map(
      ({ title, url, excerpt }) =>
        html`<li><a href="${url}">${!title.isEmpty && html`<strong>${title}</strong>`}<span>${excerpt}</span></a></li>`
    )}</ul>`
  }</li>`

export const form = (around: Around, { query, scope }: Pick<Search, "query" | "scope">, isFocused = false): Html => {
  const { words } = around.parts
  const label = words.searchIn(around.customization.title ?? around.site.title)
  return html`<form class="search-page" role="search" aria-label="${label}" action="${around.base}${SearchBox.searchPath}">
      <div class="search-field">
        ${Icons.search}
        <input type="search" name="q" maxlength="512" value="${query}" placeholder="${label}" aria-label="${label}"${attributes({ autofocus: isFocused })}>
        <button class="button">${words.search}</button>
      </div>
      ${SearchBox.scopes(around, scope)}
    </form>`
}

/** Renders the main part of the page. */
export const page = (search: Search, around: Around): Html =>
  html`<h1>${around.parts.words.search}</h1>
    ${form(around, search, true)}
    ${results(search, around.parts)}`
