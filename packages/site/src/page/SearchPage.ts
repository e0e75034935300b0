/**
 * Search results: as a whole page for readers without scripts, and as the part of the page that the dialog shows.
 *
 * Limit: 3 sections per page.
 */
import type { SearchPageResult } from "@lectern/core/search/SearchResult"
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import * as SearchBox from "./SearchBox.ts"
import type { LocalizedMessages } from "./LocalizedMessages.ts"
import type { SiteContext } from "./SitePage.ts"

export interface SearchResultSection {
  readonly title: Html
  readonly url: string
  /** Text around the matched words, which are highlighted. */
  readonly excerpt: Html
}

export interface SearchResult {
  readonly title: Html
  readonly url: string
  /** Location of the page: the section of the site and the page's ancestors. */
  readonly ancestors: ReadonlyArray<string>
  readonly description: Html
  readonly sections: ReadonlyArray<SearchResultSection>
}

export interface SearchResults {
  /** Query; empty before a search. */
  readonly query: string
  readonly scope: "all" | "here"
  /** Number of matching pages; `pages` may contain fewer. */
  readonly count: number
  readonly pages: ReadonlyArray<SearchResult>
}

const maxSections = 3

/** A matching page. */
interface Match extends Pick<SearchPageResult, "title" | "description"> {
  readonly id: string
  readonly sections: ReadonlyArray<Pick<SearchPageResult["sections"][number], "id" | "title" | "body">>
  readonly ancestors: ReadonlyArray<{ readonly title: string }>
}

/** Returns the result for a page. `parentTitles`: titles before those of the page's ancestors. */
export const resultOf = (
  { id, title, description, sections, ancestors }: Match,
  { url, parentTitles = [] }: { readonly url: string; readonly parentTitles?: ReadonlyArray<string> },
  highlight: (text: string) => Html
): SearchResult => ({
  title: highlight(title),
  url,
  ancestors: [...parentTitles, ...ancestors.map((ancestor) => ancestor.title)],
  description: highlight(description),
  sections: sections.slice(0, maxSections).map((section) => ({
    title: highlight(section.id === id ? "" : section.title),
    url: section.id === id ? url : `${url}#${encodeURIComponent(section.id)}`,
    excerpt: highlight(section.body)
  }))
})

export const renderResults = (
  { query, count, pages }: SearchResults,
  { messages }: { readonly messages: Pick<LocalizedMessages, "results" | "noResults"> }
): Html =>
  query === ""
    ? html``
    : html`<p class="found-count">${pages.length === 0 ? messages.noResults(query) : messages.results(count)}</p><ul class="found">${pages.map(renderResult)}</ul>`

const renderResult = ({ title, url, ancestors, description, sections }: SearchResult): Html =>
  html`<li><a class="found-page" href="${url}">${ancestors.length > 0 && html`<small>${ancestors.join(" › ")}</small>`}<strong>${title}</strong>${sections.length === 0 && !description.isEmpty && html`<span>${description}</span>`}</a>${
    sections.length > 0 &&
    html`<ul>${sections.map(
      ({ title, url, excerpt }) =>
        html`<li><a href="${url}">${!title.isEmpty && html`<strong>${title}</strong>`}<span>${excerpt}</span></a></li>`
    )}</ul>`
  }</li>`

export const renderForm = (
  context: SiteContext,
  { query, scope }: Pick<SearchResults, "query" | "scope">,
  isFocused = false
): Html => {
  const { messages } = context.dependencies
  const label = messages.searchIn(context.customization.title ?? context.site.title)
  return html`<form class="search-page" role="search" aria-label="${label}" action="${SearchBox.searchUrl(context)}">
      <div class="search-field">
        ${Icons.search}
        <input type="search" name="q" maxlength="512" value="${query}" placeholder="${label}" aria-label="${label}"${attributes({ autofocus: isFocused })}>
        <button class="button">${messages.search}</button>
      </div>
      ${SearchBox.renderScopes(context, scope)}
    </form>`
}

/** Renders the main part of the page. */
export const renderPage = (search: SearchResults, context: SiteContext): Html =>
  html`<h1>${context.dependencies.messages.search}</h1>
    ${renderForm(context, search, true)}
    ${
      context.site.staticSite === undefined
        ? renderResults(search, context.dependencies)
        : html`<noscript><p>${context.dependencies.messages.searchNeedsScript}</p></noscript><div class="search-results" data-results></div>`
    }`
