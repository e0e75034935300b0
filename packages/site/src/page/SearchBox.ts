/**
 * Search of a site: a form that opens a page of results (see `SearchPage`). With a script, a dialog opens and shows
 * results as the reader types.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import type { Around } from "./SitePage.ts"

/** Path segment of the search, below the path of the space. No page has this path, since slugs contain no `~`. */
export const searchPath = "~search"

/** Returns true if the site has several sections to search in. */
const hasScopes = ({ sections }: Pick<Around, "sections">): boolean => sections.length > 1

export const scopes = (around: Pick<Around, "sections" | "parts">, chosen: "all" | "here"): Html | undefined => {
  const { words } = around.parts
  return hasScopes(around)
    ? html`<span class="scopes" role="radiogroup" aria-label="${words.sections}"><label><input type="radio" name="scope" value="all"${attributes({ checked: chosen === "all" })}>${words.everywhere}</label><label><input type="radio" name="scope" value="here"${attributes({ checked: chosen === "here" })}>${words.here}</label></span>`
    : undefined
}

export const box = (around: Around): Html => {
  const { base, customization, site, parts } = around
  const { words } = parts
  const action = `${base}${searchPath}`
  const label = words.searchIn(customization.title ?? site.title)
  return html`<lectern-search class="search">
    <form role="search" action="${action}">
      ${Icons.search}
      <input type="search" name="q" maxlength="512" autocomplete="off" placeholder="${words.search}" aria-label="${label}">
      <kbd aria-hidden="true">Ctrl K</kbd>
    </form>
    <a class="icon-button search-link" href="${action}" aria-label="${label}">${Icons.search}</a>
    <dialog class="search-dialog" aria-label="${label}">
      <form role="search" action="${action}">
        <div class="search-field">
          ${Icons.search}
          <input type="search" name="q" maxlength="512" autocomplete="off" spellcheck="false" placeholder="${label}" aria-label="${label}">
          <button class="icon-button" type="button" value="close" aria-label="${words.close}">${Icons.close}</button>
        </div>
        ${scopes(around, "all")}
      </form>
      <p class="search-told" role="status"></p>
      <div class="search-results"></div>
      <template><p class="search-heading">${words.recent}</p><ul class="found"></ul></template>
    </dialog>
  </lectern-search>`
}
