/** Adds the script tag of an analytics service to the pages of a site. The integration itself sets no cookies. */
import { configurationScreen, configured } from "../runtime/ConfigurationScreen.ts"
import { integration } from "../runtime/Integration.ts"
import * as Snippet from "./Snippet.ts"

const settings = {
  of: "siteInstallation",
  intro: () => "Your analytics gave you a script tag for your pages. Paste it here.",
  fields: [
    {
      name: "snippet",
      label: "Script tag",
      hint: "One tag, which loads its script by https",
      placeholder: '<script defer data-domain="docs.example.com" src="https://plausible.io/js/script.js"></script>',
      isLong: true
    }
  ],
  problem: ({ snippet }) =>
    Snippet.read(snippet) === undefined ? "This is no script tag that loads its script by https" : undefined
} as const satisfies Parameters<typeof configurationScreen<"snippet">>[0]

export default integration({
  components: { configure: configurationScreen(settings) },

  fetch_published_script: (_, context) => {
    const snippet = Snippet.read(configured(settings, context).snippet)
    if (snippet === undefined) console.warn("There is no script tag to put on pages")
    return new Response(snippet === undefined ? "" : Snippet.script(snippet), {
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        // The URL changes with the configuration.
        "cache-control": "public, max-age=86400"
      }
    })
  }
})
