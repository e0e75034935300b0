/** Resources of the API, by the types of its operations. Only types: no code of the API is in the console. */
import type { ChangeRequestsApi } from "@lectern/http/api/ChangeRequestsApi"
import type { CollectionsApi } from "@lectern/http/api/CollectionsApi"
import type { ChangeRequestCommentsApi } from "@lectern/http/api/CommentsApi"
import type { SpaceContentApi } from "@lectern/http/api/ContentApi"
import type { GitApi } from "@lectern/http/api/GitApi"
import type { ImportRunsApi } from "@lectern/http/api/ImportRunsApi"
import type { InvitationsApi } from "@lectern/http/api/InvitationsApi"
import type { MembersApi } from "@lectern/http/api/MembersApi"
import type { NotificationsApi } from "@lectern/http/api/NotificationsApi"
import type { OrganizationsApi } from "@lectern/http/api/OrganizationsApi"
import type { ReviewsApi } from "@lectern/http/api/ReviewsApi"
import type { SearchApi } from "@lectern/http/api/SearchApi"
import type { SitesApi } from "@lectern/http/api/SitesApi"
import type { SpacesApi } from "@lectern/http/api/SpacesApi"
import type { TeamsApi } from "@lectern/http/api/TeamsApi"
import type { UsersApi } from "@lectern/http/api/UsersApi"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** Response of an operation of a group. */
type Response<Group, Name extends string> =
  HttpApiEndpoint.Success<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<Group>, Name>> extends {
    readonly Type: infer Type
  }
    ? Type
    : never

export interface List<A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly next?: { readonly page: string }
}

export type User = Response<typeof UsersApi, "me">
export type Organization = Response<typeof OrganizationsApi, "get">
export type Collection = Response<typeof CollectionsApi, "get">
export type Space = Response<typeof SpacesApi, "get">
export type DeletedSpace = Response<typeof SpacesApi, "listDeleted">["items"][number]
export type Site = Response<typeof SitesApi, "get">
export type Member = Response<typeof MembersApi, "get">
export type Invitation = Response<typeof InvitationsApi, "get">
export type InviteResult = Response<typeof InvitationsApi, "invite">
export type Team = Response<typeof TeamsApi, "get">
export type Page = Response<typeof SpaceContentApi, "page">
export type DocumentPage = Extract<Page, { readonly type: "document" }>
export type SpaceTag = Response<typeof SpaceContentApi, "revision">["tags"][number]
export type File = Response<typeof SpaceContentApi, "file">
export type ChangeRequest = Response<typeof ChangeRequestsApi, "get">
export type Changes = Response<typeof ChangeRequestsApi, "changes">
export type Change = Changes["changes"][number]
export type Conflict = Changes["conflicts"][number]
export type PageChanges = Response<typeof ChangeRequestsApi, "pageChanges">
export type BlockChange = PageChanges["changes"][number]
export type MergeResult = Response<typeof ChangeRequestsApi, "merge">
export type Review = Response<typeof ReviewsApi, "get">
export type RequestedReviewer = Response<typeof ReviewsApi, "request">["users"][number]
export type Comment = Response<typeof ChangeRequestCommentsApi, "get">
export type CommentReply = Response<typeof ChangeRequestCommentsApi, "getReply">
export type Notification = Response<typeof NotificationsApi, "get">
export type NotificationSettings = Response<typeof NotificationsApi, "settings">
export type SearchSpaceResult = Response<typeof SearchApi, "organization">["items"][number]
export type ImportRun = Response<typeof ImportRunsApi, "get">
export type ImportReport = NonNullable<ImportRun["report"]>
export type GitSyncState = Response<typeof GitApi, "info">
