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
      get: "short",
      list: "short",
      create: "short",
      update: "short",
      remove: "apart",
      publish: "apart"
    }),
    siteSections: offer(SiteSections, "apart"),
    siteSectionGroups: offer(SiteSectionGroups, "apart"),
    siteSpaces: offer(SiteSpaces, {
      list: "short",
      add: "short",
      update: "short",
      duplicate: "apart",
      remove: "short",
      present: "apart"
    }),
    siteSorting: offer(SiteSorting, "apart"),
    customHostnames: offer(CustomHostnames, "apart")
  }
} as const satisfies Services
