/**
 * Lists the services that manage sites, their sections and site spaces, permissions, and addresses, and the job that
 * verifies an address.
 */
import { offer, type Services } from "../Services.ts"
import { AddressClaiming, checkAddress } from "./AddressClaiming.ts"
import { AddressProofs } from "./AddressProofs.ts"
import { CustomHostnames } from "./CustomHostnames.ts"
import { VisibleSiteSpaces } from "./VisibleSiteSpaces.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { SiteChanges } from "./SiteChanges.ts"
import { SitePolicy } from "./SitePolicy.ts"
import { SiteRemoval } from "./SiteRemoval.ts"
import { SiteSectionGroups } from "./SiteSectionGroups.ts"
import { SiteSections } from "./SiteSections.ts"
import { SiteSorting } from "./SiteSorting.ts"
import { SiteSpacePolicy } from "./SiteSpacePolicy.ts"
import { SiteSpaces } from "./SiteSpaces.ts"
import { SiteViews } from "./SiteViews.ts"
import { Sites } from "./Sites.ts"
import { StarterSpaces } from "./StarterSpaces.ts"
import { SiteMemberships } from "./store/SiteMemberships.ts"
import { SiteStore } from "./store/SiteStore.ts"
import { SpaceUrls } from "./store/SpaceUrls.ts"

export const siteServices = {
  layers: [
    AddressClaiming.layer,
    AddressProofs.layer,
    CustomHostnames.layer,
    VisibleSiteSpaces.layer,
    SiteAddresses.layer,
    SiteChanges.layer,
    SiteMemberships.layer,
    SitePolicy.layer,
    SiteRemoval.layer,
    Sites.layer,
    SiteSectionGroups.layer,
    SiteSections.layer,
    SiteSorting.layer,
    SiteSpacePolicy.layer,
    SiteSpaces.layer,
    SiteStore.layer,
    SiteViews.layer,
    SpaceUrls.layer,
    StarterSpaces.layer
  ],
  jobs: [checkAddress],
  offered: {
    sites: offer(Sites, {
      get: "transactional",
      list: "transactional",
      create: "transactional",
      update: "transactional",
      remove: "outsideTransaction",
      publish: "outsideTransaction"
    }),
    siteSections: offer(SiteSections, "outsideTransaction"),
    siteSectionGroups: offer(SiteSectionGroups, "outsideTransaction"),
    siteSpaces: offer(SiteSpaces, {
      list: "transactional",
      add: "transactional",
      update: "transactional",
      duplicate: "outsideTransaction",
      remove: "transactional",
      present: "outsideTransaction"
    }),
    siteSorting: offer(SiteSorting, "outsideTransaction"),
    customHostnames: offer(CustomHostnames, "outsideTransaction")
  }
} as const satisfies Services
