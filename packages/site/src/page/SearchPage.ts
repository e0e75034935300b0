/** Results of a search: as a page of its own for those without scripts, and as the part of it that a dialog shows. */
import { attributes, type Html, html } from "../html/Html.ts"
import * as Signs from "../look/Signs.ts"
import * as SearchBox from "./SearchBox.ts"
import type { Around } from "./SitePage.ts"

export interface FoundSection {
  readonly title: Html
  readonly url: string
  /** Text around the words, with these marked. */
  readonly excerpt: Html
}

export interface FoundPage {
  readonly title: Html
  readonly url: string
  /** Way to it: the section of the site and the pages above. */
  readonly above: ReadonlyArray<string>
  readonly description: Html
  readonly sections: ReadonlyArray<FoundSection>
}

export interface Search {
  /** Text that was asked for; empty: nothing yet. */
  readonly query: string
  readonly scope: "all" | "here"
  /** How many pages have the words; not all of them may be shown. */
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
        ${Signs.search}
        <input type="search" name="q" maxlength="512" value="${query}" placeholder="${label}" aria-label="${label}"${attributes({ autofocus: isFocused })}>
        <button class="button">${words.search}</button>
      </div>
      ${SearchBox.scopes(around, scope)}
    </form>`
}

/** The main part of the page. */
export const page = (search: Search, around: Around): Html =>
  html`<h1>${around.parts.words.search}</h1>
    ${form(around, search, true)}
    ${results(search, around.parts)}`
