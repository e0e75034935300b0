/**
 * Customization of the site of the manual: the name, the links of the header, and the footer. The icon is the default
 * one, a picture, since many machines lack emoji.
 */
import type { CustomizationPut } from "@lectern/core/customization/Customization"
import type { ContentRef } from "@lectern/document/Document"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import type { PageUrls } from "./ManualSections.ts"

interface Addresses {
  /** Public URL of the API. */
  readonly publicUrl: string
  readonly manualUrl: string | undefined
}

/** Returns the customization. `urls`: pages by the paths of their files. */
export const customization = (urls: PageUrls, { publicUrl, manualUrl }: Addresses): CustomizationPut => {
  // On one host, the port of the server may change.
  const isSameHost = manualUrl !== undefined && new URL(manualUrl).host === new URL(publicUrl).host
  const reference = `${isSameHost ? "" : publicUrl.replace(/\/$/, "")}/docs`
  const link = (title: string, to: ContentRef) => ({ title, to })
  const url = (title: string, url: string) => link(title, { kind: "url", url })
  const page = (title: string, path: string) => {
    const target = urls.get(path)
    return target === undefined ? [] : [link(title, RefUrl.fromUrl(target))]
  }
  return {
    title: "Lectern",
    header: {
      links: [...page("Changelog", "changelog.md"), url("API", reference)].map((item) => ({ ...item, links: [] }))
    },
    footer: {
      groups: [
        {
          title: "Start",
          links: [
            ...page("Quick start", "quick-start.md"),
            ...page("Import a folder", "guides/import-a-folder.md"),
            ...page("Embed Lectern", "guides/embed-lectern.md"),
            ...page("Run a server", "self-hosting/run-a-server.md")
          ]
        },
        {
          title: "Look up",
          links: [
            url("API", reference),
            ...page("Markdown", "reference/markdown.md"),
            ...page("Command line", "reference/command-line.md"),
            ...page("Settings", "self-hosting/settings.md"),
            ...page("Glossary", "reference/glossary.md")
          ]
        },
        {
          title: "Project",
          links: [
            ...page("Changelog", "changelog.md"),
            ...page("Security", "self-hosting/security.md"),
            ...page("Inside Lectern", "internals/README.md")
          ]
        }
      ],
      copyright: "Lectern has the MIT license."
    }
  }
}
