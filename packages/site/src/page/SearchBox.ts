/**
 * Search of a site: a form that opens a page of results (see `SearchPage`). With a script, a dialog opens and shows
 * results as the reader types.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import type { SiteContext } from "./SitePage.ts"

/** Path segment of the search, below the path of the space. No page has this path, since slugs contain no `~`. */
export const searchPath = "~search"

/** Returns true if the site has several sections to search in. */
const hasScopes = ({ sections }: Pick<SiteContext, "sections">): boolean => sections.length > 1

export const renderScopes = (
  context: Pick<SiteContext, "sections" | "dependencies">,
  chosen: "all" | "here"
): Html | undefined => {
  const { messages } = context.dependencies
  return hasScopes(context)
    ? html`<span class="scopes" role="radiogroup" aria-label="${messages.sections}"><label><input type="radio" name="scope" value="all"${attributes({ checked: chosen === "all" })}>${messages.everywhere}</label><label><input type="radio" name="scope" value="here"${attributes({ checked: chosen === "here" })}>${messages.here}</label></span>`
    : undefined
}

/** Returns the URL of the page of results. */
export const searchUrl = ({ base, site }: Pick<SiteContext, "base" | "site">): string =>
  base + searchPath + (site.staticSite === undefined ? "" : "/")

/** `script`: URL of the program that searches in place of a server. Default: the server searches. */
export const renderSearchBox = (context: SiteContext, script?: string): Html => {
  const { customization, site, dependencies } = context
  const { messages } = dependencies
  const action = searchUrl(context)
  const label = messages.searchIn(customization.title ?? site.title)
  return html`<lectern-search${attributes({ class: "search", "data-script": script })}>
    <form role="search" action="${action}">
      ${Icons.search}
      <input type="search" name="q" maxlength="512" autocomplete="off" placeholder="${messages.search}" aria-label="${label}">
      <kbd aria-hidden="true">Ctrl K</kbd>
    </form>
    <a class="icon-button search-link" href="${action}" aria-label="${label}">${Icons.search}</a>
    <dialog class="search-dialog" aria-label="${label}">
      <form role="search" action="${action}">
        <div class="search-field">
          ${Icons.search}
          <input type="search" name="q" maxlength="512" autocomplete="off" spellcheck="false" placeholder="${label}" aria-label="${label}">
          <button class="icon-button" type="button" value="close" aria-label="${messages.close}">${Icons.close}</button>
        </div>
        ${renderScopes(context, "all")}
      </form>
      <p class="search-told" role="status"></p>
      <div class="search-results"></div>
      <template><p class="search-heading">${messages.recent}</p><ul class="found"></ul><p class="search-heading">${messages.suggested}</p><ul class="found"></ul></template>
    </dialog>
  </lectern-search>`
}
