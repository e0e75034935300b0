/**
 * Lists the services that manage sites, their sections and site spaces, permissions, and addresses, and the job that
 * verifies an address.
 */
import { offer, type Services } from "../Services.ts"
import { checkAddress } from "./AddressClaiming.ts"
import { CustomHostnames } from "./CustomHostnames.ts"
import { SiteSectionGroups } from "./SiteSectionGroups.ts"
import { SiteSections } from "./SiteSections.ts"
import { SiteSorting } from "./SiteSorting.ts"
import { SiteSpaces } from "./SiteSpaces.ts"
import { Sites } from "./Sites.ts"

export const siteServices = {
  jobs: [checkAddress],
  offered: {
    sites: offer(Sites, {
      get: "transactional",
      list: "transactional",
      create: "transactional",
      update: "transactional",
      remove: "outsideTransaction",
      publish: "outsideTransaction",
      unpublish: "outsideTransaction"
    }),
    "sites.sections": offer(SiteSections, {
      list: "outsideTransaction",
      create: "outsideTransaction",
      update: "outsideTransaction",
      remove: "outsideTransaction",
      present: "internal"
    }),
    "sites.sectionGroups": offer(SiteSectionGroups, {
      list: "outsideTransaction",
      create: "outsideTransaction",
      update: "outsideTransaction",
      remove: "outsideTransaction",
      addSection: "outsideTransaction",
      removeSection: "outsideTransaction",
      present: "internal"
    }),
    "sites.siteSpaces": offer(SiteSpaces, {
      list: "transactional",
      add: "transactional",
      update: "transactional",
      duplicate: "outsideTransaction",
      remove: "transactional",
      present: "internal"
    }),
    "sites.structure": offer(SiteSorting, "outsideTransaction"),
    "sites.hostnames": offer(CustomHostnames, "outsideTransaction")
  }
} as const satisfies Services
