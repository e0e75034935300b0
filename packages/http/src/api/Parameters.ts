/**
 * Parameters that many operations share. The description of a parameter is the description of its key. Parameters of
 * one resource are defined with its operations.
 */
import { CollectionId } from "@lectern/core/collection/Collection"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SiteId } from "@lectern/core/site/Site"
import { SpaceId } from "@lectern/core/space/Space"
import { UserId } from "@lectern/core/user/User"
import { Schema } from "effect"

export const organizationId = OrganizationId.annotateKey({ description: "The id of the organization." })
export const collectionId = CollectionId.annotateKey({ description: "The id of the collection." })
export const spaceId = SpaceId.annotateKey({ description: "The id of the space." })
export const siteId = SiteId.annotateKey({ description: "The id of the site." })
export const changeRequestId = Schema.String.annotateKey({
  description: "The id of the change request, or its number in the space."
})
export const pageId = Schema.String.annotateKey({ description: "The id of the page." })
export const revisionId = Schema.String.annotateKey({ description: "The id of the revision." })
export const fileId = Schema.String.annotateKey({ description: "The id of the file." })
export const fileHash = Schema.String.annotateKey({ description: "The SHA-256 hash of the file." })
export const userId = UserId.annotateKey({ description: "The id of the user." })
export const teamId = Schema.String.annotateKey({ description: "The id of the team." })

/** Query parameter for the key of a share link. */
export const ShareKeyQuery = {
  shareKey: Schema.optionalKey(Schema.String).annotateKey({
    description: "The key of a share link, which grants access."
  })
}
