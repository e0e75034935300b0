/**
 * Program that searches a static site. Its URL is `~lectern/search.*.js` below the site, so the files of the index are
 * next to that folder. The manifest is requested from the server, and all other files are cached by their names.
 */
import type { SearchManifest } from "../src/static-site/SearchManifest.ts"
import * as SearchFolder from "../src/static-site/SearchManifest.ts"
import * as StaticSearch from "../src/static-site/StaticSearch.ts"

const site = new URL("..", import.meta.url)
const folder = new URL(`${SearchFolder.folder}/`, site)

const request = async (name: string, options?: RequestInit): Promise<Response> => {
  const response = await fetch(new URL(name, folder), options)
  if (!response.ok) throw new Error(response.statusText)
  return response
}

const openIndex = async () => {
  const manifest = (await (await request(SearchFolder.manifestName, { cache: "no-cache" })).json()) as SearchManifest
  return StaticSearch.open(manifest, site.pathname, {
    json: async (name) => (await request(name)).json(),
    bytes: async (name) => new Uint8Array(await (await request(name)).arrayBuffer()),
    script: (name) => import(new URL(name, folder).href)
  })
}

let index: ReturnType<typeof openIndex> | undefined

/** Returns the results of a query as HTML. */
export const render = async (query: string): Promise<string> => {
  index ??= openIndex()
  // A manifest that could not be loaded is requested again by the next query.
  index.catch(() => (index = undefined))
  return (await index).render(query)
}
