/** Rules by which problems of a folder are named, each with a sentence about the problem. */

export const importRules = {
  "broken-anchor": "The anchor of a link names no heading of the page",
  "broken-link": "A link, a picture or an include leads to nothing in the folder",
  "broken-redirect": "A redirect leads to no page",
  "duplicate-page": "The table of contents lists a page a second time",
  "invalid-encoding": "A file contains NUL characters, or is not UTF-8",
  "invalid-front-matter": "The front matter of a page is no YAML, or a field has an invalid value",
  "invalid-navigation": "The table of contents, or an entry of it, can't be read",
  "invalid-settings": "A settings file, or a value in it, can't be read",
  "missing-page": "An entry of the table of contents has no file",
  "missing-spec": "A page names an OpenAPI spec that does not exist",
  "not-imported": "A file is left out, or not imported as it is, for example because of its size",
  "unsupported-callout": "A callout with an unknown name stays text: `[!name]`",
  "unsupported-directive": "A directive stays text: `:::`",
  "unsupported-highlight": "A highlight stays text: `==text==`",
  "unsupported-jsx": "Only the content of an unknown component is displayed",
  "unsupported-shortcode": "Only the content of an unknown shortcode is displayed",
  "unsupported-template":
    "A tag, a template or a shortcode stays text, for example because it is not closed: `{% %}`, `{{ }}`",
  "unsupported-wikilink": "A wikilink stays text: `[[ ]]`"
} as const

export type ImportRule = keyof typeof importRules
