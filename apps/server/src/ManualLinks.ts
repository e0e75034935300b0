/** Links from the site of the manual to the API reference of the server, which the manual itself does not contain. */
import type { CustomizationPut } from "@lectern/core/customization/Customization"

/** Title of the group in the footer that lists references. */
const footerGroup = "Look up"

interface Addresses {
  /** Public URL of the API. */
  readonly publicUrl: string
  readonly manualUrl: string | undefined
}

/** Returns the customization with links to the API reference. */
export const withApi = (customization: CustomizationPut, { publicUrl, manualUrl }: Addresses): CustomizationPut => {
  // On one host, the port of the server may change.
  const isSameHost = manualUrl !== undefined && new URL(manualUrl).host === new URL(publicUrl).host
  const url = `${isSameHost ? "" : publicUrl.replace(/\/$/, "")}/docs`
  const link = { title: "API", to: { kind: "url" as const, url } }
  return {
    ...customization,
    header: { ...customization.header, links: [...(customization.header?.links ?? []), { ...link, links: [] }] },
    footer: {
      ...customization.footer,
      groups: (customization.footer?.groups ?? []).map((group) =>
        group.title === footerGroup ? { ...group, links: [link, ...group.links] } : group
      )
    }
  }
}
